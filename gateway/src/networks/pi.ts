import type { Logger } from 'pino';
import type { Database } from '../kit/db/db.ts';
import { withWaits } from '../payments/settlement/await-rails.ts';
import { piHealth } from '../rails/pi/health.ts';
import { customerHorizons } from '../rails/pi/horizon/customer-horizons.ts';
import { createHorizons, type Horizons } from '../rails/pi/horizon/horizons.ts';
import { type PiConfig, piCodeOf } from '../rails/pi/horizon/network.ts';
import { createPiLookUp } from '../rails/pi/look-up.ts';
import { createPiBrowser, type PiBrowser } from '../rails/pi/platform/browser.ts';
import { createPlatform, type Platform } from '../rails/pi/platform/client.ts';
import type { PlatformDeps } from '../rails/pi/platform/deps.ts';
import { platformFaults } from '../rails/pi/platform/health.ts';
import { recoverDue } from '../rails/pi/platform/recover.ts';
import { createPiReader, type PiReader } from '../rails/pi/read/reader.ts';
import { sendFaults } from '../rails/pi/send/health.ts';
import { sendOf } from '../rails/pi/send/sent.ts';
import type { Network } from './network.ts';
import { hasReference, openToPay } from './payable.ts';
import { openPiSending } from './pi-sending.ts';
import { createTakeReports, type TakeDeps } from './take-reports.ts';

export type PiDeps = TakeDeps & {
  db: Database;
  pi: PiConfig;
  log: Logger;
  /** By default those of the configuration. */
  horizons?: Horizons;
  /** Milliseconds of a clock that never goes back. */
  nowMs?: () => number;
};

/** A Pi network of the installation as the rest of the gateway knows it. */
export type Pi = Network & {
  horizons: Horizons;
  /** Reports what is due of a payment. For code that learns of a movement before the reader does. */
  report: PiReader['report'];
  /** Makes the reader read at once. */
  wake(): void;
  /** The Pi platform, and payments in its browser; null: only plain transfers are taken. */
  platform: Platform | null;
  browser: PiBrowser | null;
};

/** How often the reader is asked whether it is due. It decides when it is, and a hint makes it due at once. */
const lookMs = 250;
/** How often payments in the Pi Browser that are due are looked for. */
const recoverMs = 1_000;

/** Reads the custody account, and reports what arrives there to payments. */
export function createPi(deps: PiDeps): Pi {
  const { db, pi, assets, now, log } = deps;
  const code = piCodeOf(pi);
  const horizons = deps.horizons ?? createHorizons({ pi });
  const { nowMs = () => performance.now() } = deps;
  const reader = createPiReader({
    db,
    pi,
    horizons,
    take: createTakeReports(deps),
    sendOf: (tx, hash) => sendOf(tx, hash, now()),
    now,
    log,
    nowMs,
  });
  const forCustomers = customerHorizons(horizons, nowMs);
  const lookUp = createPiLookUp({
    db,
    account: pi.account,
    horizons: forCustomers,
    wake: reader.wake,
    log,
  });
  const platform = pi.platform && createPlatform(pi.platform);
  const flow: PlatformDeps | null = platform && {
    db,
    pi,
    platform,
    horizons,
    report: reader.report,
    open: (tx, paymentId) => openToPay(tx, deps, paymentId, code),
    isOurs: (reader, reference) => hasReference(reader, assets.modeOf(code), reference),
    wake: reader.wake,
    now,
    log,
  };
  const sender = openPiSending({ db, pi, horizons, platform, sends: deps.sends, now, log });
  /** Faults of the platform and of sending. */
  const faults = async () => [
    ...(platform
      ? await platformFaults(db, { keyFault: platform.keyFault, isTest: pi.isTest ?? false }, now())
      : []),
    ...(sender ? await sendFaults(db, pi) : []),
  ];
  // A public network is known by its passphrase; that of a demo network is random.
  const chain = pi.walletUrl === null ? pi.passphrase : assets.get(code).network;
  return {
    lookUp,
    horizons,
    report: reader.report,
    wake: reader.wake,
    platform,
    browser: flow && createPiBrowser({ ...flow, horizons: forCustomers }),
    probes: [withWaits(db, now, async () => ({ ...(await piHealth(db, pi, now(), await faults())), chain }))],
    loops: [
      { name: code, everyMs: lookMs, work: reader.round },
      ...(flow ? [{ name: `${code} platform`, everyMs: recoverMs, work: () => recoverDue(flow) }] : []),
      ...(sender ? [sender.loop] : []),
    ],
    async disconnect() {
      await Promise.all([sender?.disconnect(), reader.disconnect(), platform?.close()]);
    },
    release: reader.release,
  };
}
