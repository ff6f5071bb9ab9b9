import type { Logger } from 'pino';
import type { Clock } from '../../kit/clock.ts';
import { batched } from '../../kit/db/batch.ts';
import type { Database, Tx } from '../../kit/db/db.ts';
import type { Hints } from '../../kit/db/hints.ts';
import type { HttpSender } from '../../kit/net/safe-fetch.ts';
import type { Seal } from '../../kit/seal.ts';
import { attemptDelivery } from './attempt.ts';
import { reportDisabled } from './disabled.ts';
import { withInjectedFaults } from './injected-faults.ts';
import { type Attempt, recordAttempts } from './record.ts';
import { openSession, type Session } from './session.ts';
import { createTakeOver, type TakeOver } from './take-over.ts';
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
  /** Where people mend an endpoint that was disabled; ends in a slash. */
  dashboardUrl: string;
  /** Numbers in [0, 1) for the jitter of retries. */
  random?: () => number;
};

export type DeliveryWorker = {
  start(): void;
  /** Takes nothing more, and resolves when what is under way has ended and is recorded. */
  stop(): Promise<void>;
  /** For the test clock; works on a stopped worker too. */
  takeOver: TakeOver;
};

const startAgainMs = 1_000;

/** Delivers webhooks: sends what is due outside any transaction, and records the outcome (contract.md 4). */
export function createDeliveryWorker(deps: WorkerDeps): DeliveryWorker {
  const { db, log } = deps;
  const tally = createTally(db, log);
  const recording = {
    db,
    onDisabled: (tx: Tx, endpoints: string[]) => reportDisabled(tx, endpoints, deps),
  };
  const record = batched<Attempt, boolean>(async (attempts) => {
    const recorded = await recordAttempts(recording, attempts);
    attempts.forEach((attempt, index) => {
      const { requestHeaders, injectedFault } = attempt;
      if (recorded[index] && requestHeaders !== null && injectedFault === null) tally.count(attempt);
    });
    return recorded;
  });
  const { random = Math.random } = deps;
  const attempt = withInjectedFaults(attemptDelivery);
  const session = { ...deps, random, targets: createTargets(deps), attempt, record };
  const takeOver = createTakeOver({
    ...session,
    onError: (error) => log.warn({ err: error }, 'webhooks could not be sent for a test clock'),
  });

  let stopped = false;
  let running: Promise<Session | undefined> | undefined;

  async function run(): Promise<Session | undefined> {
    while (!stopped) {
      try {
        return await openSession(session);
      } catch (error) {
        log.warn({ err: error }, 'webhooks could not be started');
        await new Promise((resolve) => setTimeout(resolve, startAgainMs));
      }
    }
    return undefined;
  }

  return {
    start() {
      stopped = false;
      running = run();
    },
    async stop() {
      stopped = true;
      const opened = await running;
      running = undefined;
      await opened?.end();
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
