import { type Block, headerCall, requireHeader } from '../../rpc/block.ts';
import type { Endpoint, Endpoints } from '../../rpc/endpoints.ts';
import { RpcFault } from '../../rpc/rpc-fault.ts';
import type { Answer } from './agreement.ts';
import { LogsLate } from './late-logs.ts';
import type { Pace } from './pace.ts';
import { fetchWindow, findOurs, type Reading, type Search, type Window } from './window.ts';

export type ReadAhead = {
  endpoints: Endpoints;
  search: Search;
  pace: Pace;
  /** No block after it is read. */
  head: Block;
};

type Fetch = { after: Block; end: Promise<Block | null>; answer: Promise<Answer<Reading>> };

/**
 * Reads windows one after the other: while one is matched and noted, the next is already asked for. The returned
 * function reads the window after a block, and throws RpcFault.
 */
export function createReadAhead({ endpoints, search, pace, head }: ReadAhead) {
  let ahead: Fetch | null = null;

  function start(after: Block): Fetch {
    const { promise: end, resolve } = Promise.withResolvers<Block | null>();
    const answer = endpoints.use(async (endpoint): Promise<Reading> => {
      const furthest = after.number + pace.blocks(endpoint);
      const to = furthest < head.number ? furthest : head.number;
      const window = { after, to: search.late.cut(after.number, to) };
      const fetched = await fetchKnown(endpoint, search, window);
      if (fetched === 'moved') return 'moved';
      const { end } = fetched;
      pace.note(end.number - after.number, fetched.transfers.length);
      resolve(end);
      return await findOurs(endpoint, search, { after, to: end.number }, fetched);
    });
    // Its fault is thrown where it is awaited, which often does not happen.
    answer.catch(() => {}).then(() => resolve(null));
    return { after, end, answer };
  }

  return async (after: Block): Promise<Answer<Reading>> => {
    // What was read ahead is not used when it begins at another block, or is larger than the window may be now.
    const current = ahead?.after.hash === after.hash ? ahead : start(after);
    ahead = null;
    current.end.then((end) => {
      if (end && end.number < head.number) ahead = start(end);
    });
    return await current.answer;
  };
}

/**
 * Reads a window, or as much of it as the endpoint knows: the endpoint that named the head may be ahead of it or
 * wrong, and the logs of the last blocks may be late.
 */
async function fetchKnown(endpoint: Endpoint, search: Search, window: Window) {
  try {
    return await fetchWindow(endpoint, search, window);
  } catch (error) {
    if (!(error instanceof RpcFault && error.kind === 'behind')) throw error;
    const number = error instanceof LogsLate ? error.block - 1n : await latestOf(endpoint);
    if (number <= window.after.number || number >= window.to) throw error;
    return await fetchWindow(endpoint, search, { ...window, to: number });
  }
}

async function latestOf(endpoint: Endpoint): Promise<bigint> {
  const [latest] = await endpoint.batch([headerCall('latest')]);
  return requireHeader(latest, 'latest').number;
}
