/** The code of a system or database error (`ENOENT`, `57P03`), or an empty string. */
export function codeOf(error: unknown): string {
  const code = (error as { code?: unknown } | null | undefined)?.code;
  return typeof code === 'string' ? code : '';
}
