import type { Logger } from 'pino';
import { after, type Clock } from '../kit/clock.ts';

export type FaultLineDeps = {
  log: Logger;
  /** What is read, as the subject of a log line: `The Pi account`. */
  name: string;
  fields: Record<string, unknown>;
  now: Clock;
};

/** After a fault has ended, no other one is logged for this long. */
const quietSeconds = 60;

/**
 * Returns a function that logs a fault once when it begins and once when it ends. It must be called after each try, with
 * null after a success.
 */
export function createFaultLine({ log, name, fields, now }: FaultLineDeps): (fault: string | null) => void {
  let isLogged = false;
  let quietUntil = new Date(0);
  return (fault) => {
    if (fault === null) {
      if (isLogged) log.info(fields, `${name} can be read again`);
      isLogged = false;
    } else if (!isLogged && now() >= quietUntil) {
      log.warn(fields, `${name} cannot be read: ${fault}`);
      isLogged = true;
      quietUntil = after(now(), quietSeconds);
    }
  };
}
