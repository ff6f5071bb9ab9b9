/** The time by this machine's clock. */
export function now(): Date {
  return new Date();
}

/**
 * So much before a time of the gateway's, written in the same way: ISO 8601 in UTC with milliseconds, which sorts as
 * text.
 */
export function earlier(iso: string, milliseconds: number): string {
  return new Date(new Date(iso).getTime() - milliseconds).toISOString();
}
