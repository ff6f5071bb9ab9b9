import type { Endpoint } from '../../rpc/endpoints.ts';

/** How many blocks a window has, so that its answer stays small on a busy chain. */
export type Pace = {
  /** The blocks to ask an endpoint for at once: never more than it allows. */
  blocks(endpoint: Endpoint): bigint;
  /** Notes how many transfers a window had. */
  note(blocks: bigint, transfers: number): void;
};

const firstBlocks = 16n;
const blocksAtMost = 10_000n;
/** 5,000 transfers are about 3 MB of answer. */
const manyTransfers = 5_000;
const fewTransfers = 1_000;

export function createPace(): Pace {
  let limit = firstBlocks;
  return {
    blocks(endpoint) {
      const allowed = BigInt(endpoint.span());
      return allowed < limit ? allowed : limit;
    },
    note(blocks, transfers) {
      if (transfers > manyTransfers && limit > 1n) limit = (blocks < limit ? blocks : limit) / 2n || 1n;
      else if (transfers < fewTransfers && blocks >= limit && limit < blocksAtMost) limit *= 2n;
    },
  };
}
