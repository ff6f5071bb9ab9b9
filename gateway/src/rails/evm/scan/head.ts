import { after, type Clock } from '../../../kit/clock.ts';
import type { ChainConfig } from '../chains.ts';
import type { Endpoint, Endpoints } from '../endpoints.ts';
import { blockNumberOf, type Header, headerCall, requireHeader } from './block.ts';
import { finalityCall, finalNumber } from './window.ts';

/** The end of a chain, as an endpoint knows it. */
export type Head = {
  head: Header;
  /** When the endpoint was asked for it, by the gateway's clock: all that the chain had by then is in it. */
  askedAt: Date;
  /** Whether a second endpoint knows it too, or one has to do because there is no other. */
  agreed: boolean;
  /** The last block that is final; 0 where none is. */
  target: bigint;
  endpoint: string;
};

/** One endpoint that falls behind looks like a quiet chain, until others are asked. */
const compareSeconds = 15;

/**
 * Learns the end of the chain from the best endpoint, and now and then of the others how far they are, so that one
 * that falls behind is noticed. The function that it makes throws RpcFault when no endpoint answers.
 */
export function createHeadWatch(endpoints: Endpoints, chain: ChainConfig, now: Clock): () => Promise<Head> {
  let compareAt = now();

  async function ask(endpoint: Endpoint): Promise<Omit<Head, 'endpoint'>> {
    const askedAt = now();
    const [latest, finality] = await endpoint.batch([headerCall('latest'), finalityCall(chain)]);
    const head = requireHeader(latest, 'latest');
    const target = finalNumber(chain, finality);
    endpoints.noteHead(endpoint, head.number);
    return { head, askedAt, agreed: endpoints.size === 1, target: target < 0n ? 0n : target };
  }

  /** Asks all others, each once. */
  async function compare(first: string): Promise<void> {
    const asked = [first];
    while (asked.length < endpoints.size) {
      const { endpoint } = await endpoints.use(
        async (other) => {
          const [number] = await other.batch([{ method: 'eth_blockNumber', params: [] }]);
          endpoints.noteHead(other, blockNumberOf(number));
        },
        { except: asked },
      );
      asked.push(endpoint.name);
    }
  }

  return async () => {
    const { value, endpoint } = await endpoints.use(ask);
    if (now() >= compareAt) {
      compareAt = after(now(), compareSeconds);
      // This round does not wait for it: one of them may be silent, and their faults are noted where they rest.
      compare(endpoint.name).catch(() => {});
    }
    return { ...value, endpoint: endpoint.name };
  };
}
