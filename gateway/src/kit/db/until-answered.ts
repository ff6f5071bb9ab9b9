import { setTimeout as sleep } from 'node:timers/promises';
import type { Logger } from 'pino';
import { isConflict, isUnavailable } from './db.ts';
import { codeOf } from './system-errors.ts';

const firstPauseMs = 250;
const longestPauseMs = 10_000;
const statementTimeout = '57014';
/** An unknown name is a fault of the configuration, and not a server that starts later. */
const unknownHost = 'ENOTFOUND';

/** So many tries are usual where the machine is busy or the database starts beside the gateway. */
const usualTries = 3;

/**
 * Repeats a step of the start while the database cannot be reached or exceeds its time limits, and logs each try: as a
 * warning once there were more than usual. Other faults, such as a wrong password, are thrown at once. `step` may also be
 * repeated after a try whose answer was lost.
 */
export async function untilAnswered<T>(
  log: Pick<Logger, 'info' | 'warn'>,
  what: string,
  step: () => Promise<T>,
): Promise<T> {
  for (let tries = 0; ; tries++) {
    try {
      return await step();
    } catch (error) {
      if (!comesLater(error)) throw error;
      const fault = (error instanceof Error && error.message) || codeOf(error);
      if (tries < usualTries)
        log.info({ step: what, because: fault }, 'the database is slow: the start waits for it');
      else log.warn({ step: what, fault }, 'the database does not answer in time: the start waits for it');
      await sleep(Math.min(longestPauseMs, firstPauseMs * 2 ** tries));
    }
  }
}

/** Whether a fault of the database passes by itself. */
export function comesLater(error: unknown): boolean {
  const code = codeOf(error);
  return code !== unknownHost && (isUnavailable(error) || isConflict(error) || code === statementTimeout);
}
