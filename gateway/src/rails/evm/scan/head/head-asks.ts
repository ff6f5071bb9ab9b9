import type { Clock } from '../../../../kit/clock.ts';
import type { ChainConfig } from '../../config/chains.ts';
import { headerCall, requireHeader } from '../../rpc/block.ts';
import type { Endpoint, Endpoints } from '../../rpc/endpoints.ts';
import { RpcFault } from '../../rpc/rpc-fault.ts';
import type { Told } from '../blocks/agreement.ts';
import { finalityCall, finalNumber } from '../blocks/window.ts';
import type { Heads, HeadView } from './heads.ts';

/** One endpoint's answer at least. */
export type Views = [Told<HeadView>, ...Told<HeadView>[]];

export type HeadAsks = {
  /** The best endpoint and another one that answers, if there is one. Throws RpcFault. */
  two(): Promise<Views>;
  /** Another one than these; null where no other one answers, or the last one that was asked hung. */
  another(names: readonly string[]): Promise<Told<HeadView> | null>;
};

/** Asks endpoints for the end of their chain, and notes what they tell. */
export function createHeadAsks(endpoints: Endpoints, heads: Heads, chain: ChainConfig, now: Clock): HeadAsks {
  let best: string | null = null;
  let hangs = false;

  async function ask(endpoint: Endpoint): Promise<HeadView> {
    const askedAt = now();
    const [latest, finality] = await endpoint.batch([headerCall('latest'), finalityCall(chain)]);
    const head = requireHeader(latest, 'latest');
    const target = finalNumber(chain, finality);
    const view = { head, askedAt, target: target < 0n ? 0n : target };
    heads.note(endpoint.name, view);
    return view;
  }

  async function askOther(names: readonly string[]): Promise<Told<HeadView> | null> {
    if (names.length >= endpoints.size) return null;
    try {
      const told = await endpoints.use(ask, { except: names });
      hangs = false;
      return told;
    } catch (error) {
      if (!(error instanceof RpcFault)) throw error;
      hangs = error.kind === 'timeout';
      return null;
    }
  }

  return {
    async another(names) {
      return hangs ? null : await askOther(names);
    },
    async two() {
      // At once, where it is known who the best one is. No round waits for one that hung when it was last asked.
      const isWaiting = !hangs;
      const guess = best === null ? null : askOther([best]);
      guess?.catch(() => {});
      const first = await endpoints.use(ask);
      const isGuessed = best === first.endpoint.name;
      best = first.endpoint.name;
      if (!isWaiting) return [first];
      let other = await guess;
      if (!isGuessed && other?.endpoint.name === best) other = await askOther([best]);
      if (guess === null) other = await askOther([best]);
      return other ? [first, other] : [first];
    },
  };
}
