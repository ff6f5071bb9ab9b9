import { setTimeout as delay } from 'node:timers/promises';
import type { Logger } from 'pino';
import type { Clock } from '../../kit/clock.ts';
import type { Database } from '../../kit/db/db.ts';
import type { Hints } from '../../kit/db/hints.ts';
import type { HttpSender } from '../../kit/net/safe-fetch.ts';
import type { Seal } from '../../kit/seal.ts';
import type { Traces } from '../../kit/trace.ts';
import type { ReachTerms } from '../endpoints/reach.ts';
import { deliveriesTopic, endpointsTopic } from '../events/outbox.ts';
import { attemptDelivery } from './attempt.ts';
import { createDueReader, type DueReader } from './due.ts';
import { createEndpointQueues } from './endpoint-queues.ts';
import { withInjectedFaults } from './injected-faults.ts';
import { createLeases } from './leases.ts';
import { byChannel, type SendNotice } from './notice-attempt.ts';
import { createRecorder, type RecorderDeps } from './recorder.ts';
import { createTakeOver, freedTopic, type TakeOver, wantedTopic } from './take-over.ts';
import { createTargets } from './target.ts';
import { traceAttempts } from './traced-attempt.ts';

export type WorkerDeps = ReachTerms &
  Pick<RecorderDeps, 'onSent'> & {
    db: Database;
    hints: Hints;
    seal: Seal;
    sender: HttpSender;
    now: Clock;
    log: Logger;
    /** Where people repair an endpoint that was disabled; ends in a slash. */
    dashboardUrl: string;
    /** Tells a person; left out: nobody is told. */
    sendNotice?: SendNotice;
    /** Numbers in [0, 1) for the jitter of retries. */
    random?: () => number;
    /** Undefined: nothing is traced. */
    traces?: Traces | undefined;
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

/** Delivers webhooks and notices: sends what is due outside any transaction, and records the outcome (contract.md#webhooks). */
export function createDeliveryWorker(deps: WorkerDeps): DeliveryWorker {
  const { db, hints, log } = deps;
  const warn = (what: string) => (error: unknown) => log.warn({ err: error }, what);
  const attemptDeps = { ...deps, random: deps.random ?? Math.random };
  const attempt = traceAttempts(byChannel(withInjectedFaults(attemptDelivery), deps.sendNotice), deps.traces);
  const isTraced = deps.traces !== undefined;
  const targets = createTargets(deps);
  const stopping = new AbortController();
  const recorder = createRecorder(deps, stopping.signal);
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
      return { durationMs: made.durationMs, recorded: recorder.recordSurely(made) };
    },
    onLow: (queue) => due.low(queue),
  });
  const due = createDueReader({
    ...{ db, leases, targets, queues, isTraced },
    maxInHand: { healthy: 4_096, failing: 1_024 },
    onError: warn('webhook deliveries could not be read'),
  });

  /** Begins to look for what is due, once the database answers; returns what ends that. */
  async function run(): Promise<() => void> {
    while (!stopping.signal.aborted) {
      try {
        await leases.begin();
        return watch(hints, due);
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
    ...{ targets, attempt, isTraced, record: recorder.record },
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
      await recorder.flush();
    },
    async takeOver(integrationId, work) {
      try {
        return await takeOver(integrationId, work);
      } finally {
        await recorder.flush();
      }
    },
  };
}

/** Looks for what is due, at every hint and every second; returns what ends that. */
function watch(hints: Hints, due: DueReader): () => void {
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
}
