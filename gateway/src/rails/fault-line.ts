import type { Logger } from 'pino';
import { after, type Clock } from '../kit/clock.ts';

export type FaultLineDeps = {
  log: Logger;
  /** What is read, as log lines name it. */
  name: string;
  fields: Record<string, unknown>;
  now: Clock;
};

/** An endpoint that fails now and then is no news each time. */
const quietSeconds = 60;

/** Tells of a fault once when it begins and once when it ends: called after each try, with null when all is well. */
export function createFaultLine({ log, name, fields, now }: FaultLineDeps): (fault: string | null) => void {
  let isTold = false;
  let quietUntil = new Date(0);
  return (fault) => {
    if (fault === null) {
      if (isTold) log.info(fields, `${name} is read again`);
      isTold = false;
    } else if (!isTold && now() >= quietUntil) {
      log.warn(fields, `${name} cannot be read as it should: ${fault}`);
      isTold = true;
      quietUntil = after(now(), quietSeconds);
    }
  };
}
