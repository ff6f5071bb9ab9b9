import type { ChainConfig } from '../chains.ts';
import type { Endpoints } from '../endpoints.ts';
import { type Block, headerCall, requireHeader } from './block.ts';
import { finalityCall, finalNumber } from './window.ts';

/** The end of a chain, as an endpoint knows it. */
export type Head = {
  head: Block;
  /** The last block that is final; 0 where none is. */
  target: bigint;
  endpoint: string;
};

/** Asks for the end of the chain. Throws RpcFault when no endpoint answers. */
export async function learnHead(endpoints: Endpoints, chain: ChainConfig): Promise<Head> {
  const { value, endpoint } = await endpoints.use(async (asked) => {
    const [latest, finality] = await asked.batch([headerCall('latest'), finalityCall(chain)]);
    const { number, hash } = requireHeader(latest, 'latest');
    endpoints.noteHead(asked, number);
    const target = finalNumber(chain, finality);
    return { head: { number, hash }, target: target < 0n ? 0n : target };
  });
  return { ...value, endpoint: endpoint.name };
}
