import { EndpointFault } from '../../endpoint-fault.ts';
import type { PiAnswer } from './answer.ts';
import { type Asked, approve } from './approve.ts';
import { cancel, complete, incomplete } from './complete.ts';
import type { PlatformDeps } from './deps.ts';

/** The calls of a page in the Pi Browser; each may be repeated, and answers within `withinMs`. */
export type PiBrowser = {
  approve(asked: Asked, identifier: string): Promise<PiAnswer>;
  complete(asked: Asked, identifier: string, txid: string): Promise<PiAnswer>;
  incomplete(identifier: string): Promise<PiAnswer>;
  cancel(asked: Asked, identifier: string): Promise<PiAnswer>;
};

/** The calls for payments of each mode; null: its network has no platform. */
export type PiBrowsers = Readonly<Record<'live' | 'test', PiBrowser | null>>;

/** A customer waits: the page gives up after 15 s, and a process that is to end after 10. */
const patienceMs = 8_000;

/** Makes the calls of the page. */
export function createPiBrowser(deps: PlatformDeps, withinMs = patienceMs): PiBrowser {
  const answer = (identifier: string, work: (signal: AbortSignal) => Promise<PiAnswer>) =>
    answerInTime(deps, identifier, withinMs, work);
  return {
    approve: (asked, identifier) => answer(identifier, (signal) => approve(deps, asked, identifier, signal)),
    complete: (asked, identifier, txid) =>
      answer(identifier, (signal) => complete(deps, asked, { identifier, txid }, signal)),
    incomplete: (identifier) => answer(identifier, (signal) => incomplete(deps, identifier, signal)),
    cancel: (asked, identifier) => answer(identifier, (signal) => cancel(deps, asked, identifier, signal)),
  };
}

const notReached: PiAnswer = { status: 'pending', message_key: 'pi_not_reached' };

/**
 * Answers what `work` does; or that nothing is decided yet, where Pi or its network does not answer in time. The work
 * then ends by itself, and the next call or the worker continues it.
 */
async function answerInTime(
  { log }: PlatformDeps,
  identifier: string,
  withinMs: number,
  work: (signal: AbortSignal) => Promise<PiAnswer>,
): Promise<PiAnswer> {
  const limit = new AbortController();
  const { promise: late, resolve } = Promise.withResolvers<PiAnswer>();
  const timer = setTimeout(() => {
    limit.abort();
    resolve(notReached);
  }, withinMs);
  const answer = work(limit.signal).catch((error: unknown) => {
    const isExpected = error instanceof EndpointFault;
    if (!isExpected && !limit.signal.aborted) throw error;
    log.warn({ err: error, identifier }, 'a page in the Pi Browser has to wait');
    return notReached;
  });
  return await Promise.race([answer, late]).finally(() => clearTimeout(timer));
}
