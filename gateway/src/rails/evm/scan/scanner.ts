import { randomUUID } from 'node:crypto';
import type { Logger } from 'pino';
import type { Clock } from '../../../kit/clock.ts';
import type { Database } from '../../../kit/db/db.ts';
import { LeaseLost } from '../../../kit/db/lease.ts';
import { createFaultLine } from '../../fault-line.ts';
import type { RailHealth } from '../../health.ts';
import { createReporter, type TakeReports } from '../../report.ts';
import type { ChainConfig } from '../config/chains.ts';
import type { Endpoints } from '../rpc/endpoints.ts';
import { createAgreement } from './blocks/agreement.ts';
import { type Held, leaveChain, takeChain } from './blocks/held-chain.ts';
import { createSecondReading } from './final/second-reading.ts';
import { chainHealth } from './health.ts';
import { createJournal } from './journal.ts';
import { transferOutbox } from './outbox.ts';
import { createRound } from './round.ts';

export type ScannerDeps = {
  db: Database;
  chain: ChainConfig;
  endpoints: Endpoints;
  /** How payments take what is reported. */
  take: TakeReports;
  now: Clock;
  log: Logger;
};

/**
 * Reads one chain and reports its transfers. Any number of processes may have a scanner; the one with the lease
 * works.
 */
export type Scanner = {
  /**
   * One round: reads up to the head of the chain, or for a few seconds of a long way, and reports what changed. It
   * never throws for faults of endpoints; the next round continues where this one ended.
   */
  tick(): Promise<void>;
  /**
   * Reads a part of what is due to be read a second time, if the last round had the lease. It may run beside a round,
   * and never throws for faults of endpoints either.
   */
  readAgain(): Promise<void>;
  /** The health of the scan, whichever process scans. */
  health(): Promise<RailHealth>;
  /** Ends the lease, so that another process goes on at once. */
  release(): Promise<void>;
};

/** What is left to report after this long is reported in the next round. */
const reportMs = 4_000;

/** Makes the scanner of a chain; nothing is asked before its first tick. */
export function createScanner(deps: ScannerDeps): Scanner {
  const { db, chain, endpoints, now, log } = deps;
  const id = randomUUID();
  const journal = createJournal(deps);
  const { reportDue } = createReporter({ ...deps, outbox: transferOutbox(chain) });
  const readSecond = createSecondReading(deps);
  const logSecond = createFaultLine({
    log,
    name: `The second reading of ${chain.name}`,
    fields: { chain: chain.id },
    now,
  });
  let lastHeld: Held | null = null;
  const round = createRound({ ...deps, agreement: createAgreement(endpoints, now, log) });

  async function work(held: Held): Promise<void> {
    const startedMs = performance.now();
    const outcome = await round(held);
    await journal.note(held, outcome, performance.now() - startedMs);
    const until = performance.now() + reportMs;
    while ((await reportDue()) && performance.now() < until);
  }

  async function whileHeld(work: () => Promise<void>): Promise<void> {
    try {
      await work();
    } catch (error) {
      if (!(error instanceof LeaseLost)) throw error;
      lastHeld = null;
      log.info({ chain: chain.id }, 'another process scans this chain now');
    }
  }

  return {
    async tick() {
      const held = await takeChain(db, chain, id);
      lastHeld = held;
      if (held) await whileHeld(() => work(held));
    },
    async readAgain() {
      const held = lastHeld;
      if (held) await whileHeld(async () => logSecond(await readSecond(held)));
    },
    health: () => chainHealth(db, chain, now()),
    release: () => leaveChain(db, chain.id, id),
  };
}
