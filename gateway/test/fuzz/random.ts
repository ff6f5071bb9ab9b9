/** Numbers that follow from a seed. */
export type Random = {
  /** A whole number below `end`. */
  int(end: number): number;
  /** True in this share of the cases. */
  chance(share: number): boolean;
  pick<T>(list: readonly T[]): T;
};

/** Each request of a run has numbers of its own, so that one alone can be made again. */
export function createRandom(seed: number, request: number): Random {
  let state = (Math.imul(seed, 0x9e3779b1) ^ Math.imul(request + 1, 0x85ebca6b)) >>> 0;
  function next(): number {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4294967296;
  }
  const int = (end: number): number => Math.floor(next() * end);
  return {
    int,
    chance: (share) => next() < share,
    pick: (list) => {
      if (list.length === 0) throw new Error('There is nothing to pick from');
      return list[int(list.length)] as (typeof list)[number];
    },
  };
}
