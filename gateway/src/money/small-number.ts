/** A count that stays far below 2^53, such as a number of blocks, as a number. Never used for money. */
export function smallNumber(count: bigint): number {
  return Number.parseInt(count.toString(), 10);
}
