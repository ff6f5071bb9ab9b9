/** Upper bounds in ms of the latencies that are counted together; no exchange takes longer than the last. */
const longest = 10_000;
const bounds: readonly number[] = [
  ...[5, 10, 15, 20, 30, 40, 50, 75, 100, 150, 200, 300, 400, 500, 750],
  ...[1_000, 1_500, 2_000, 3_000, 4_000, 5_000, longest],
];

/** The bound that a duration is counted under. */
export function boundOf(durationMs: number): number {
  return bounds.find((bound) => durationMs <= bound) ?? longest;
}

/**
 * The latency in ms that a `share` (0 to 1) of the attempts did not exceed. `counts` holds how many lie under each
 * bound; within a bound they count as spread evenly. null without any.
 */
export function percentile(counts: ReadonlyMap<number, number>, share: number): number | null {
  let total = 0;
  for (const count of counts.values()) total += count;
  if (total === 0) return null;
  let left = share * total;
  let from = 0;
  for (const bound of bounds) {
    const count = counts.get(bound) ?? 0;
    if (count > 0 && left <= count) return Math.round(from + ((bound - from) * left) / count);
    left -= count;
    from = bound;
  }
  return from;
}
