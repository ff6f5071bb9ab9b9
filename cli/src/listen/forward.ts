import { setTimeout as sleep } from 'node:timers/promises';
import type { StoredEvent } from '@florin/sdk';
import { now } from '../clock.ts';
import { note } from '../output/print.ts';
import { type Outcome, refused, send } from './send.ts';
import { webhookHeaders } from './sign.ts';

/** Forwards an event; null when listening ended before an answer came. */
export type Forward = (event: StoredEvent) => Promise<Outcome | null>;

/** A development server does not answer for seconds while it restarts. */
const waitsMs = [500, 1_000, 2_000, 4_000];
/** How long the current exchange may take when listening ends. */
const graceMs = 5_000;

/**
 * Forwards events one after the other. A server that accepts no connection is tried again for some seconds. After that
 * each event is tried once, until one arrives. Any answer ends an event's forwarding, whatever its status.
 */
export function createForward(target: URL, secretKey: string, ending: AbortSignal): Forward {
  let isAway = false;

  const hardEnd = new AbortController();
  ending.addEventListener('abort', () => setTimeout(() => hardEnd.abort(), graceMs).unref());

  const once = async (event: StoredEvent): Promise<Outcome> => {
    const headers = webhookHeaders(event, secretKey, now());
    return await send(target, headers, Buffer.from(event.body), hardEnd.signal);
  };

  return async (event) => {
    try {
      let outcome = await once(event);
      for (const wait of isAway ? [] : waitsMs) {
        if (outcome.error !== refused) break;
        if (wait === waitsMs[0])
          note(`${target.href} accepts no connection: is your server running? Trying again ...`);
        await sleep(wait, undefined, { signal: ending });
        outcome = await once(event);
      }
      isAway = outcome.error === refused;
      return outcome;
    } catch (error) {
      if (ending.aborted) return null;
      throw error;
    }
  };
}
