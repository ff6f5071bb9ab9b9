import { setTimeout as sleep } from 'node:timers/promises';
import type { Logger } from 'pino';
import { isConflict, isUnavailable } from './db.ts';
import { codeOf } from './system-errors.ts';

const firstPauseMs = 250;
const longestPauseMs = 10_000;
const statementTimeout = '57014';
/** A name that nobody knows is a fault of the configuration, and no server that comes later. */
const unknownHost = 'ENOTFOUND';

/**
 * Does a step of the start as often as it needs while the database cannot be reached, or is slower than the limits of its
 * statements, and logs each time. Other faults, such as a wrong password, are thrown at once. `step` may be done again
 * after a try of which the answer was lost.
 */
export async function untilAnswered<T>(
  log: Pick<Logger, 'warn'>,
  what: string,
  step: () => Promise<T>,
): Promise<T> {
  for (let tries = 0; ; tries++) {
    try {
      return await step();
    } catch (error) {
      if (!comesLater(error)) throw error;
      const fault = (error instanceof Error && error.message) || codeOf(error);
      log.warn({ step: what, fault }, 'the database does not answer in time: the start waits for it');
      await sleep(Math.min(longestPauseMs, firstPauseMs * 2 ** tries));
    }
  }
}

function comesLater(error: unknown): boolean {
  const code = codeOf(error);
  return code !== unknownHost && (isUnavailable(error) || isConflict(error) || code === statementTimeout);
}
