import { smallNumber } from '../money/small-number.ts';
import type { EndpointFault } from './endpoint-fault.ts';
import { type Candidate, type EndpointState, noteFailure } from './endpoint-state.ts';

/**
 * Does `work` on the first of these endpoints, and after a fault of one on the next. Throws the last fault, or what
 * `none` makes where there is nobody to ask; what is no fault of theirs ends it at once.
 */
export async function useFirst<M extends Candidate, T>(
  candidates: readonly M[],
  isFault: (error: unknown) => boolean,
  work: (member: M) => Promise<T>,
  none: () => EndpointFault,
): Promise<{ value: T; member: M }> {
  let last: unknown;
  for (const member of candidates) {
    try {
      return { value: await work(member), member };
    } catch (error) {
      if (!isFault(error)) throw error;
      last = error;
    }
  }
  throw last ?? none();
}

/** Notes a fault of an endpoint, which from then on says whose it is: what its work finds wrong does not. */
export function noteOwnFault(state: EndpointState, nowMs: number, fault: EndpointFault): void {
  if (!fault.message.startsWith(state.name)) fault.message = `${state.name}: ${fault.message}`;
  noteFailure(state, nowMs, fault);
}

/** What an endpoint told of how far it is counts for this long. */
const reachedMs = 60_000;

/** Takes how far each endpoint says to be, by its name, and notes how far that is behind the furthest. */
export function createLags(members: readonly Candidate[], nowMs: () => number) {
  const told = new Map<string, { reached: bigint; atMs: number }>();
  return (name: string, reached: bigint): void => {
    const atMs = nowMs();
    told.set(name, { reached, atMs });
    // One that was far ahead once does not put the others behind for ever.
    const recent = [...told.values()].filter((each) => atMs - each.atMs < reachedMs);
    const furthest = recent.reduce((most, each) => (each.reached > most ? each.reached : most), 0n);
    const member = members.find(({ state }) => state.name === name);
    if (member) member.state.lag = { blocks: smallNumber(furthest - reached), atMs };
  };
}
