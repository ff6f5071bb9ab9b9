/** A count that stays far below 2^53, such as one of blocks, as a number. Money never is one. */
export function smallNumber(count: bigint): number {
  return Number.parseInt(count.toString(), 10);
}
