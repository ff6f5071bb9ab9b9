import type { Logger } from 'pino';
import type { Clock } from '../kit/clock.ts';
import type { Database } from '../kit/db/db.ts';
import { createHttpSender } from '../kit/net/safe-fetch.ts';
import type { Horizons } from '../rails/pi/horizon/horizons.ts';
import { type PiConfig, piCodeOf } from '../rails/pi/horizon/network.ts';
import type { Platform } from '../rails/pi/platform/client.ts';
import { createOrderSender } from '../rails/pi/send/sender.ts';
import { createSigner } from '../rails/pi/send/signer.ts';
import { type NetworkSender, senderMs, signMs } from './network.ts';
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

/** Sends from the custody account what was ordered; null where the configuration names no key, and the gateway only receives. */
export function openPiSending({ pi, sends, ...deps }: PiSendingDeps): NetworkSender | null {
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
    loop: { name: `${piCodeOf(pi)} sending`, everyMs: senderMs, work: sender.tick },
    async disconnect() {
      sender.stop();
      await http.close();
    },
  };
}
