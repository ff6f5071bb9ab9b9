import type { Clock } from '../../../kit/clock.ts';
import type { Endpoint, Endpoints } from '../endpoints.ts';
import { RpcFault } from '../rpc-fault.ts';

/** Two endpoints told different things of what is final. Nothing is booked until they agree. */
export class Disagreement extends Error {}

/** How long the word of a second endpoint is waited for, while no other one answers. */
const patienceMs = 120_000;

/** Whose word counts besides that of an endpoint. */
export type SecondOpinion = {
  /** Does `work` on another endpoint than the one of that name. */
  ask<T>(first: string, work: (endpoint: Endpoint) => Promise<T>): Promise<{ value: T; endpoint: Endpoint }>;
  /** Marks the two as doubtful. */
  disagree(one: string, other: Endpoint, about: string): Disagreement;
  /** Whether all others have been silent for so long that one endpoint's word has to do. */
  isAlone(): boolean;
};

/**
 * What is booked or undone rests on two endpoints where there are two. With a single one it is asked twice; so it
 * is after a while in which none of the others answered, lest one dead endpoint hold up all payments.
 */
export function createSecondOpinion(endpoints: Endpoints, now: Clock): SecondOpinion {
  let silentSince: Date | null = null;

  const named = (name: string): Endpoint => ({ name, span: () => 1, batch: async () => [] });
  const isAlone = () => silentSince !== null && now().getTime() - silentSince.getTime() >= patienceMs;

  return {
    isAlone,
    async ask(first, work) {
      try {
        const answer = await endpoints.use(work, { except: named(first) });
        silentSince = null;
        return answer;
      } catch (error) {
        if (!(error instanceof RpcFault) || endpoints.size === 1) throw error;
        silentSince ??= now();
        if (!isAlone()) throw error;
        return await endpoints.use(work);
      }
    },
    disagree(one, other, about) {
      endpoints.noteFault(named(one), `disagrees with ${other.name} about ${about}`);
      endpoints.noteFault(other, `disagrees with ${one} about ${about}`);
      return new Disagreement(`${one} and ${other.name} disagree about ${about}`);
    },
  };
}
