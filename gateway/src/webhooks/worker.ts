import type { Logger } from 'pino';
import type { IntegrationId } from '../identity/service.ts';
import { batched } from '../kit/batch.ts';
import type { Clock } from '../kit/clock.ts';
import type { Database, Tx } from '../kit/db.ts';
import type { Hints } from '../kit/hints.ts';
import type { Sender } from '../kit/safe-fetch.ts';
import type { Seal } from '../kit/seal.ts';
import { attemptDelivery } from './attempt.ts';
import {
  type ClaimedDelivery,
  type ClaimSource,
  claimDue,
  leaseSeconds,
  type Rooms,
  releaseLeases,
} from './claim.ts';
import { createClaimer } from './claimer.ts';
import { tellOfDisabled } from './disabled.ts';
import { createLanes, type Job } from './lanes.ts';
import { deliveriesTopic } from './outbox.ts';
import { type Attempt, recordAttempts } from './record.ts';
import { settleTestDeliveries } from './service.ts';
import { createTally } from './tally.ts';
import { targetsOf } from './target.ts';

export type WorkerDeps = {
  db: Database;
  hints: Hints;
  seal: Seal;
  sender: Sender;
  now: Clock;
  log: Logger;
  /** Every endpoint may lead into private networks (WEBHOOK_ALLOW_PRIVATE). */
  allowPrivate: boolean;
  /** Where people mend an endpoint that was disabled; ends in a slash. */
  dashboardUrl: string;
  /** Numbers in [0, 1) for the jitter of retries. */
  random?: () => number;
};

export type DeliveryWorker = {
  start(): void;
  /** Takes nothing more, and resolves when what is under way has ended and is recorded. */
  stop(): Promise<void>;
  /**
   * Tries everything that is due at this moment for an integration's test mode once, and resolves when the
   * outcomes are recorded, with how many there were. Works on a stopped worker too.
   */
  runDue(scope: { integrationId: IntegrationId; mode: 'test' }): Promise<number>;
};

const pollMs = 1_000;
const maxInHand = 4_096;
const testBatch = 128;
// The last send must end before the lease does: the exchange takes up to 5 s, and recording it some more.
const sendWithinMs = (leaseSeconds - 10) * 1000;

/** Claims deliveries for sending, and sends and records one of them: what the loop and `runDue` share. */
function createTries(deps: WorkerDeps) {
  const { db, log } = deps;
  const tally = createTally(db, log);
  const recording = {
    db,
    onDisabled: (tx: Tx, endpoints: string[]) => tellOfDisabled(tx, endpoints, deps),
  };
  const record = batched<Attempt, boolean>((attempts) => recordAttempts(recording, attempts));
  const release = batched<ClaimedDelivery, boolean>((deliveries) => releaseLeases(db, deliveries));
  const attempting = { sender: deps.sender, now: deps.now, random: deps.random ?? Math.random };

  // Tried twice; what is not recorded or released then comes back when its lease runs out: sent again, not lost.
  const settled = (write: () => Promise<unknown>): Promise<void> =>
    write()
      .catch(write)
      .then(
        () => {},
        (error) => log.warn({ err: error }, 'a webhook outcome could not be recorded'),
      );

  async function recordAndCount(attempt: Attempt): Promise<void> {
    const recorded = await record(attempt);
    if (recorded && attempt.requestHeaders !== null && attempt.chaos === null) tally.count(attempt);
  }

  return {
    flush: tally.flush,
    async send({ delivery, target }: Job) {
      const attempt = await attemptDelivery(attempting, delivery, target);
      return { durationMs: attempt.durationMs, recorded: settled(() => recordAndCount(attempt)) };
    },
    release: (delivery: ClaimedDelivery) => settled(() => release(delivery)),
    async claim(source: ClaimSource, limit: number, rooms?: Rooms): Promise<Job[]> {
      // By the time of the claim's beginning, which is before its lease began.
      const sendBy = performance.now() + sendWithinMs;
      const deliveries = await claimDue(db, source, limit, rooms);
      const targets = await targetsOf(deps, deliveries);
      return deliveries.map((delivery) => ({
        delivery,
        target: targets.get(delivery.endpoint_id)!,
        sendBy,
      }));
    },
  };
}

/** Delivers webhooks: claims what is due, sends it outside any transaction, records the outcome (contract.md 4). */
export function createDeliveryWorker(deps: WorkerDeps): DeliveryWorker {
  const { db, hints, log } = deps;
  const { claim, send, release, flush } = createTries(deps);
  const lanes = createLanes({
    concurrency: 128,
    failingConcurrency: 64,
    endpointConcurrency: 16,
    send,
    release,
    onLow: () => claimer.refill(),
  });
  const claimer = createClaimer({
    lanes,
    maxInHand,
    claim,
    onError: (error) => log.warn({ err: error }, 'webhook deliveries could not be claimed'),
  });
  let poll: NodeJS.Timeout | undefined;
  let unsubscribe = (): void => {};

  return {
    start() {
      unsubscribe = hints.on(deliveriesTopic, claimer.hint);
      poll = setInterval(claimer.sweep, pollMs);
      claimer.sweep();
    },
    async stop() {
      unsubscribe();
      clearInterval(poll);
      await claimer.stop();
      await lanes.drain();
      await flush();
    },
    async runDue({ integrationId }) {
      const { rows } = await db.query<{ now: string }>('SELECT now()::text AS now');
      const source = { testOf: integrationId, dueAt: rows[0]!.now };
      let tried = 0;
      let waited = false;
      for (;;) {
        const jobs = await claim(source, testBatch);
        await Promise.all(jobs.map(async (job) => (await send(job)).recorded));
        tried += jobs.length;
        if (jobs.length === 0 && waited) break;
        // What other workers hold is tried by them, or comes back.
        if (jobs.length === 0) await settleTestDeliveries(db, integrationId);
        waited = jobs.length === 0;
      }
      await flush();
      return tried;
    },
  };
}
