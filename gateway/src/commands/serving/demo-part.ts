import { setTimeout as sleep } from 'node:timers/promises';
import type { Logger } from 'pino';

/** A program of the demo that runs beside the gateway. `open` resolves when it answers, and rejects when it ends. */
export type DemoPart = { name: string; url: string; open: Promise<void> };

/** How long a start waits for a part of the demo. */
const usualMs = 10_000;

/**
 * Waits for a part of the demo, no longer than its start usually takes. The gateway serves without a part that is late or
 * has ended, and logs that. Returns whether it is open.
 */
export async function awaitPart(
  { name, url, open }: DemoPart,
  log: Logger,
  longestMs = usualMs,
): Promise<boolean> {
  const opened = open.then(
    () => true,
    (fault: Error) => {
      log.error({ fault: fault.message }, `Florin serves without the ${name}, which ended`);
      return false;
    },
  );
  const waiting = new AbortController();
  const late = sleep(longestMs, 'late' as const, { signal: waiting.signal }).catch(() => 'late' as const);
  const first = await Promise.race([opened, late]);
  waiting.abort();
  if (first !== 'late') return first;
  log.info(`the ${name} is late: Florin serves without it until it comes`);
  void opened.then((isOpen) => {
    if (isOpen) log.info({ url }, `the ${name} has come`);
  });
  return false;
}
