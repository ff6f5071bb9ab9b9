import { type Logger, pino } from 'pino';
import { Killed } from '../support/mortal.ts';

/** Collects what payments or payouts could not take; nothing but the end of a process is a reason for it. */
export function faultLog(faults: string[]): Logger {
  const write = (line: string) => {
    const { err, msg } = JSON.parse(line) as { err?: { type: string; message: string }; msg: string };
    if (/could not be taken/.test(msg) && err?.type !== Killed.name) faults.push(`${msg}: ${err?.message}`);
  };
  return pino({ level: 'error' }, { write });
}
