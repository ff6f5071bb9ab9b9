import { setTimeout as delay } from 'node:timers/promises';
import type { Logger } from 'pino';
import type { Clock } from '../../kit/clock.ts';
import { batched } from '../../kit/db/batch.ts';
import type { Database, Tx } from '../../kit/db/db.ts';
import type { Hints } from '../../kit/db/hints.ts';
import type { HttpSender } from '../../kit/net/safe-fetch.ts';
import type { Seal } from '../../kit/seal.ts';
import { deliveriesTopic, endpointsTopic } from '../events/outbox.ts';
import { attemptDelivery } from './attempt.ts';
import { reportDisabled } from './disabled.ts';
import { createDueReader } from './due.ts';
import { createEndpointQueues } from './endpoint-queue.ts';
import { withInjectedFaults } from './injected-faults.ts';
import { createLeases } from './leases.ts';
import { type Attempt, recordAttempts } from './record.ts';
import { createTakeOver, freedTopic, type TakeOver, wantedTopic } from './take-over.ts';
import { createTally } from './tally.ts';
import { createTargets } from './target.ts';

export type WorkerDeps = {
  db: Database;
  hints: Hints;
  seal: Seal;
  sender: HttpSender;
  now: Clock;
  log: Logger;
  /** Every endpoint may lead into private networks (WEBHOOK_ALLOW_PRIVATE). */
  allowPrivate: boolean;
  /** Where people repair an endpoint that was disabled; ends in a slash. */
  dashboardUrl: string;
  /** Numbers in [0, 1) for the jitter of retries. */
  random?: () => number;
};

export type DeliveryWorker = {
  start(): void;
  /** Takes nothing more, and resolves when what is under way has ended and is recorded. */
  stop(): Promise<void>;
  /** For the test clock; works on a worker that is not started too. */
  takeOver: TakeOver;
};

const startAgainMs = 1_000;
const pollMs = 1_000;
// An attempt that could not be recorded is still due, and would be sent again as fast as the endpoint answers.
const restMs = 30_000;

/** Delivers webhooks: sends what is due outside any transaction, and records the outcome (contract.md#webhooks). */
export function createDeliveryWorker(deps: WorkerDeps): DeliveryWorker {
  const { db, hints, log } = deps;
  const warn = (what: string) => (error: unknown) => log.warn({ err: error }, what);
  const attemptDeps = { ...deps, random: deps.random ?? Math.random };
  const attempt = withInjectedFaults(attemptDelivery);
  const targets = createTargets(deps);
  const tally = createTally(db, log);
  const recordDeps = { db, onDisabled: (tx: Tx, endpoints: string[]) => reportDisabled(tx, endpoints, deps) };
  const record = batched<Attempt, boolean>(async (attempts) => {
    const recorded = await recordAttempts(recordDeps, attempts);
    attempts.forEach((each, index) => {
      const { requestHeaders, injectedFault } = each;
      if (recorded[index] && requestHeaders !== null && injectedFault === null) tally.count(each);
    });
    return recorded;
  });

  const stopping = new AbortController();
  const leases = createLeases({
    db,
    onLost: () => queues.lose(),
    onBeat: () => queues.serve(),
    onError: warn('a webhook worker could not renew its leases'),
  });
  const queues = createEndpointQueues({
    concurrency: 128,
    failingConcurrency: 64,
    slowConcurrency: 128,
    endpointConcurrency: 16,
    maySend: leases.maySend,
    async send(delivery, target) {
      const made = await attempt(attemptDeps, delivery, target);
      return { durationMs: made.durationMs, recorded: recordSurely(made) };
    },
    onLow: (queue) => due.low(queue),
  });
  const due = createDueReader({
    ...{ db, leases, targets, queues },
    maxInHand: { healthy: 4_096, failing: 1_024 },
    onError: warn('webhook deliveries could not be read'),
  });

  /** Records an attempt, in two tries. A delivery whose attempt is not recorded is sent again later. */
  async function recordSurely(made: Attempt): Promise<void> {
    try {
      await record(made);
    } catch {
      await record(made).catch(async (error) => {
        warn('a webhook outcome could not be recorded')(error);
        await delay(restMs, undefined, { signal: stopping.signal, ref: false }).catch(() => {});
      });
    }
  }

  /** Begins to look for what is due, once the database answers; returns what ends that. */
  async function run(): Promise<() => void> {
    while (!stopping.signal.aborted) {
      try {
        await leases.begin();
        const poll = setInterval(due.sweep, pollMs);
        const ends = [
          hints.on(deliveriesTopic, due.hint),
          hints.on(endpointsTopic, due.changed),
          hints.on(wantedTopic, due.leave),
          hints.on(freedTopic, due.freed),
          () => clearInterval(poll),
        ];
        due.sweep();
        return () => {
          for (const end of ends) end();
        };
      } catch (error) {
        warn('webhooks could not be started')(error);
        await delay(startAgainMs, undefined, { signal: stopping.signal }).catch(() => {});
      }
    }
    return () => {};
  }

  async function end(running: Promise<() => void>): Promise<void> {
    stopping.abort();
    (await running)();
    await due.stop();
    const endpoints = await queues.drain();
    // Without the database they run out by themselves.
    await leases
      .letGo(endpoints)
      .then(leases.end)
      .catch(warn('leases of webhook endpoints could not be released'));
  }

  const takeOver = createTakeOver({
    ...attemptDeps,
    ...{ targets, attempt, record },
    onError: warn('webhooks could not be sent for a test clock'),
  });
  let running: Promise<() => void> | undefined;
  let ending: Promise<void> | undefined;

  return {
    start() {
      running = run();
    },
    async stop() {
      if (running) ending ??= end(running);
      await ending;
      await tally.flush();
    },
    async takeOver(integrationId, work) {
      try {
        return await takeOver(integrationId, work);
      } finally {
        await tally.flush();
      }
    },
  };
}
