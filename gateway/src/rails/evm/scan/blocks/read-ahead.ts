import { type Block, headerCall, requireHeader } from '../../rpc/block.ts';
import type { Endpoint, Endpoints } from '../../rpc/endpoints.ts';
import { RpcFault } from '../../rpc/rpc-fault.ts';
import type { Told } from './agreement.ts';
import { LogsLate } from './late-logs.ts';
import type { Pace } from './pace.ts';
import { fetchWindow, lookThrough, type Reading, type Search, type Window } from './window.ts';

export type ReadAhead = {
  endpoints: Endpoints;
  search: Search;
  pace: Pace;
  /** Nothing is read beyond it. */
  head: Block;
};

type Fetch = { after: Block; end: Promise<Block | null>; told: Promise<Told<Reading>> };

/**
 * Reads windows one after the other: while one is looked through and noted, the next is already on its way. The
 * function that it makes reads the window behind a block, and throws RpcFault.
 */
export function createReadAhead({ endpoints, search, pace, head }: ReadAhead) {
  let ahead: Fetch | null = null;

  function start(after: Block): Fetch {
    const { promise: end, resolve } = Promise.withResolvers<Block | null>();
    const told = endpoints.use(async (endpoint): Promise<Reading> => {
      const furthest = after.number + pace.blocks(endpoint);
      const to = furthest < head.number ? furthest : head.number;
      const window = { after, to: search.late.cut(after.number, to) };
      const fetched = await fetchKnown(endpoint, search, window);
      if (fetched === 'moved') return 'moved';
      const { end } = fetched;
      pace.note(end.number - after.number, fetched.transfers.length);
      resolve(end);
      return await lookThrough(endpoint, search, { after, to: end.number }, fetched);
    });
    // Whoever waits for it hears of its fault; often nobody does.
    told.catch(() => {}).then(() => resolve(null));
    return { after, end, told };
  }

  return async (after: Block): Promise<Told<Reading>> => {
    // What was read ahead behind another block is of another fork, or of a window that became smaller.
    const current = ahead?.after.hash === after.hash ? ahead : start(after);
    ahead = null;
    current.end.then((end) => {
      if (end && end.number < head.number) ahead = start(end);
    });
    return await current.told;
  };
}

/**
 * Reads a window, or as much of it as the endpoint knows: who told of the head may know more, or have made it up; and
 * the logs of the last blocks may be late.
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
