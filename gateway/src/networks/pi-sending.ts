import type { Logger } from 'pino';
import type { Clock } from '../kit/clock.ts';
import type { Database } from '../kit/db/db.ts';
import { createHttpSender } from '../kit/net/safe-fetch.ts';
import type { Horizons } from '../rails/pi/horizon/horizons.ts';
import type { PiConfig } from '../rails/pi/horizon/network.ts';
import type { Platform } from '../rails/pi/platform/client.ts';
import { createOrderSender } from '../rails/pi/send/sender.ts';
import { createSigner } from '../rails/pi/send/signer.ts';
import type { Sends } from './take-reports.ts';

export type PiSendingDeps = {
  db: Database;
  pi: PiConfig;
  horizons: Horizons;
  platform: Platform | null;
  now: Clock;
  sends: Sends;
  log: Logger;
};

/** Sending from the custody account, as the rest of the gateway knows it. */
export type PiSending = {
  loop: { name: string; everyMs: number; work: () => Promise<void> };
  /** Ends what is under way. */
  disconnect(): Promise<void>;
};

/** How often it is looked for what is to be sent, and what became of what was. */
const lookMs = 2_000;
/** A program that signs may ask somebody else. */
const signMs = 15_000;

/** Sends what was ordered; null where the configuration names no key, and the gateway only receives. */
export function openPiSending({ pi, sends, ...deps }: PiSendingDeps): PiSending | null {
  if (!pi.signer) return null;
  const http = createHttpSender({ timeoutMs: signMs });
  const sender = createOrderSender({
    ...deps,
    pi,
    signer: createSigner(pi.signer, http),
    isStopped: sends.isStopped,
    async report(tx, report) {
      await sends.take(tx, [report]);
    },
  });
  return {
    loop: { name: 'pi sending', everyMs: lookMs, work: sender.tick },
    async disconnect() {
      sender.stop();
      await http.close();
    },
  };
}
