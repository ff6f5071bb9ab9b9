import { randomUUID } from 'node:crypto';
import type { Logger } from 'pino';
import type { Clock } from '../../../kit/clock.ts';
import type { Database } from '../../../kit/db/db.ts';
import { LeaseLost } from '../../../kit/db/lease.ts';
import { createFaultLine } from '../../fault-line.ts';
import { createReporter, type TakeReports } from '../../report.ts';
import type { Horizons } from '../horizon/horizons.ts';
import type { PiConfig } from '../horizon/network.ts';
import { recordOutbox, type SendOf } from '../movements/outbox.ts';
import { leaveAccount, noteRound, takeAccount } from './account.ts';
import { createHint } from './hint.ts';
import { createRound } from './round.ts';

export type ReaderDeps = {
  db: Database;
  pi: PiConfig;
  horizons: Horizons;
  /** How payments take what is reported. */
  take: TakeReports;
  sendOf: SendOf;
  now: Clock;
  log: Logger;
  /** Milliseconds of a clock that never goes back. */
  nowMs?: () => number;
};

/** Reads the custody account. Any number of processes may have a reader; the one with the lease works. */
export type PiReader = {
  /**
   * Reads the account to its end, and reports what came. It never throws for faults of Horizons; the next call
   * continues.
   */
  tick(): Promise<void>;
  /** Calls `tick` when it is due: every few seconds, or after `wake`. */
  round(): Promise<void>;
  wake(): void;
  /** Reports what is due of a payment. */
  report(paymentId: string): Promise<void>;
  /** Ends what is under way; to be called before the last round is waited for. */
  disconnect(): Promise<void>;
  /** Ends the lease, so that another process continues at once. */
  release(): Promise<void>;
};

// A round costs two requests, and a third every 15 s for the balance; an open stream costs one for each ledger. That is
// at most 1,680 of the 3,600 requests of an hour.
const pollMs = 5_000;
const pollWithStreamMs = 15_000;

/** What is left to report after this long is reported in the next round. */
const reportMs = 4_000;

/** Makes the reader of the custody account; nothing is asked before its first tick. */
export function createPiReader(deps: ReaderDeps): PiReader {
  const { db, pi, horizons, log, now, nowMs = () => performance.now() } = deps;
  const id = randomUUID();
  let isClosing = false;
  let dueMs = 0;
  const wake = () => {
    dueMs = 0;
  };
  const logFault = createFaultLine({ log, name: 'The Pi account', fields: { account: pi.account }, now });
  const reporter = createReporter({ ...deps, outbox: recordOutbox(pi, deps.sendOf) });
  const hint = createHint({ account: pi.account, wake, nowMs, log });
  const read = createRound({
    db,
    log,
    report: () => reporter.reportDue(),
    horizons,
    isFromStart: pi.walletUrl !== null,
    now,
    nowMs,
    isClosing: () => isClosing,
    note: (outcome) => noteRound(db, pi, outcome, now()),
  });

  async function tick(): Promise<void> {
    const account = await takeAccount(db, pi, id);
    if (!account) return await hint.close();
    try {
      const { outcome, horizon, cursor } = await read(account);
      logFault(outcome.fault?.message ?? null);
      await noteRound(db, pi, outcome, now());
      if (horizon && cursor !== null && !isClosing) hint.listen(horizon, cursor);
    } catch (error) {
      if (!(error instanceof LeaseLost)) throw error;
      log.info({ account: pi.account }, 'another process reads the Pi account now');
    }
    const until = performance.now() + reportMs;
    while ((await reporter.reportDue()) && performance.now() < until);
  }

  return {
    tick,
    async round() {
      if (nowMs() < dueMs) return;
      dueMs = nowMs() + (hint.isOpen() ? pollWithStreamMs : pollMs);
      await tick();
    },
    wake,
    report: reporter.reportGroup,
    async disconnect() {
      isClosing = true;
      await Promise.all([hint.close(), horizons.close()]);
    },
    release: () => leaveAccount(db, pi, id),
  };
}
