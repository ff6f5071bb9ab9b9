import type { Endpoint } from '../rpc/endpoints.ts';
import type { RpcCall } from '../rpc/rpc.ts';
import { RpcFault } from '../rpc/rpc-fault.ts';

/** What an endpoint said to one call of many: its answer, or why it does not do it. */
export type Said = { answer: unknown } | { refused: string };

/** More calls at once are too many for some providers. */
const callsAtOnce = 50;

/**
 * Asks many things of which some may be refused. A batch fails as a whole, so it is halved until those are found:
 * a few more requests where something is wrong, none where nothing is.
 */
export async function askEach(endpoint: Endpoint, calls: readonly RpcCall[]): Promise<Said[]> {
  const said: Said[] = [];
  for (let at = 0; at < calls.length; at += callsAtOnce) {
    said.push(...(await halved(endpoint, calls.slice(at, at + callsAtOnce))));
  }
  return said;
}

async function halved(endpoint: Endpoint, calls: readonly RpcCall[]): Promise<Said[]> {
  try {
    return (await endpoint.batch(calls)).map((answer) => ({ answer }));
  } catch (error) {
    if (!(error instanceof RpcFault && error.kind === 'refused')) throw error;
    if (calls.length === 1) return [{ refused: error.message }];
    const half = Math.ceil(calls.length / 2);
    return [
      ...(await halved(endpoint, calls.slice(0, half))),
      ...(await halved(endpoint, calls.slice(half))),
    ];
  }
}
