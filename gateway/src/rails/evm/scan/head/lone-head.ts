import type { Logger } from 'pino';
import type { Clock } from '../../../../kit/clock.ts';
import { createSilence } from '../../../silence.ts';
import type { ChainConfig } from '../../config/chains.ts';
import type { Endpoints } from '../../rpc/endpoints.ts';
import { RpcFault } from '../../rpc/rpc-fault.ts';
import type { Answer } from '../blocks/agreement.ts';
import { reachOf, type Trusted, trustIn } from '../blocks/trust.ts';
import type { HeadView } from './heads.ts';

export type LoneHeadDeps = { endpoints: Endpoints; chain: ChainConfig; now: Clock; log: Logger };

/**
 * Judges the head of a single endpoint while no other one answers: it is a preview, unless it is further than the chain
 * can have come by now. Where there is no other endpoint, or the others have been silent for two minutes, any head
 * counts, with an alarm if it is too far.
 */
export function createLoneHead({ endpoints, chain, now, log }: LoneHeadDeps) {
  const silence = createSilence(now);
  let isLeaping = false;
  return {
    /** To be called when another endpoint answered. */
    end(): void {
      silence.end();
      isLeaping = false;
    },

    /** Throws RpcFault for a head that does not count. */
    headOf({ value, endpoint }: Answer<HeadView>, trusted: Trusted | null) {
      const { head, askedAt, target } = value;
      const reach = reachOf(trusted, chain, now());
      const isLeap = reach !== null && head.number > reach;
      silence.begin();
      const agreed = endpoints.size === 1 || silence.lasts();
      if (isLeap && !agreed) {
        throw new RpcFault(
          'behind',
          `${endpoint.name}: has block ${head.number}, which no other endpoint shows`,
        );
      }
      const doubt = isLeap
        ? `${endpoint.name} has block ${head.number}, but by now the chain can only have come to ${reach}.`
        : null;
      if (doubt && !isLeaping) log.error({ chain: chain.id }, `the head of the chain is doubtful: ${doubt}`);
      isLeaping = isLeap;
      if (!isLeap) endpoints.noteReached(endpoint, head.number);
      const trust = agreed && !isLeap ? trustIn(trusted, head, askedAt) : trusted;
      return { head, askedAt, target, agreed, isLone: true, trusted: trust, doubt, fault: null };
    },
  };
}
