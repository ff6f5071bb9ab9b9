/** The oldest time as of which any of these answers is; null where all are as of now. */
export function oldestAsOf(answers: Iterable<unknown>): string | null {
  let oldest: string | null = null;
  for (const answer of answers) {
    const { as_of: at } = (answer ?? {}) as { as_of?: unknown };
    if (typeof at === 'string' && (oldest === null || at < oldest)) oldest = at;
  }
  return oldest;
}
