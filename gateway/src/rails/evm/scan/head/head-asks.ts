import type { Clock } from '../../../../kit/clock.ts';
import type { ChainConfig } from '../../config/chains.ts';
import { headerCall, requireHeader } from '../../rpc/block.ts';
import type { Endpoint, Endpoints } from '../../rpc/endpoints.ts';
import { RpcFault } from '../../rpc/rpc-fault.ts';
import type { Answer } from '../blocks/agreement.ts';
import { finalityCall, finalNumber, withoutFinality } from '../blocks/window.ts';
import type { Heads, HeadView } from './heads.ts';

/** At least one answer. */
export type Views = [Answer<HeadView>, ...Answer<HeadView>[]];

export type HeadAsks = {
  /** Asks the best endpoint, and another one if it answers. Throws RpcFault. */
  two(): Promise<Views>;
  /** Asks another endpoint; null where no other one answers, or the last one that was asked did not answer in time. */
  another(names: readonly string[]): Promise<Answer<HeadView> | null>;
};

/** Asks endpoints for the end of their chain, and notes their answers. */
export function createHeadAsks(endpoints: Endpoints, heads: Heads, chain: ChainConfig, now: Clock): HeadAsks {
  let best: string | null = null;
  let hangs = false;

  async function ask(endpoint: Endpoint): Promise<HeadView> {
    const askedAt = now();
    const calls = [headerCall('latest'), finalityCall(chain)];
    const [latest, finality] = await endpoint.batch(calls).catch((error: unknown) => {
      throw namesFinality(error) ? new RpcFault(error.kind, `${error.message}: ${withoutFinality}`) : error;
    });
    const head = requireHeader(latest, 'latest');
    const target = finalNumber(chain, finality);
    const view = { head, askedAt, target: target < 0n ? 0n : target };
    heads.note(endpoint.name, view);
    return view;
  }

  async function askOther(names: readonly string[]): Promise<Answer<HeadView> | null> {
    if (names.length >= endpoints.size) return null;
    try {
      const answer = await endpoints.use(ask, { except: names });
      hangs = false;
      return answer;
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
      // Both at once where the best one is known. No round waits for an endpoint that did not answer in time when it
      // was last asked.
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

/** Whether an endpoint refused to name the last final block: endpoints say that in many ways. */
function namesFinality(error: unknown): error is RpcFault {
  return error instanceof RpcFault && error.kind === 'refused' && /finali[sz]ed|\btag\b/i.test(error.message);
}
