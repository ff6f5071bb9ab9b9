import { setTimeout as delay } from 'node:timers/promises';
import type { Logger } from 'pino';
import type { Database } from '../../kit/db/db.ts';
import type { Hints } from '../../kit/db/hints.ts';
import { deliveriesTopic, endpointsTopic } from '../events/outbox.ts';
import type { AttemptDelivery, AttemptDeps } from './attempt.ts';
import { createClaimer } from './claimer.ts';
import { endpointsWithDue, readDue, readHorizon } from './due.ts';
import { createLeases } from './leases.ts';
import { createLanes } from './queues.ts';
import type { Attempt } from './record.ts';
import { freedTopic, wantedTopic } from './take-over.ts';
import type { Targets } from './target.ts';

export type SessionDeps = AttemptDeps & {
  db: Database;
  hints: Hints;
  targets: Targets;
  log: Logger;
  attempt: AttemptDelivery;
  /** Records an outcome; rejects when that could not be done. */
  record: (attempt: Attempt) => Promise<unknown>;
};

/** A worker's work from its first lease to its last. */
export type Session = {
  /** Resolves when what is under way has ended and is recorded, and every endpoint is free. */
  end(): Promise<void>;
};

const pollMs = 1_000;
const maxInHand = { healthy: 4_096, failing: 1_024 };
// What could not be recorded is due at once, and would be sent again as fast as the endpoint takes it.
const restMs = 30_000;

/** Looks for whatever is due, now and from time to time, holds its endpoints and sends it. */
export async function openSession(deps: SessionDeps): Promise<Session> {
  const { db, hints, log } = deps;
  const ending = new AbortController();
  const warn = (what: string) => (error: unknown) => log.warn({ err: error }, what);

  const { targets } = deps;
  const leases = createLeases({
    db,
    onLost: () => lanes.lose(),
    onBeat: () => lanes.serve(),
    onError: warn('a webhook worker could not renew its leases'),
  });
  const lanes = createLanes({
    concurrency: 128,
    failingConcurrency: 64,
    slowConcurrency: 128,
    endpointConcurrency: 16,
    maySend: leases.maySend,
    async send(delivery, target) {
      const made = await deps.attempt(deps, delivery, target);
      return { durationMs: made.durationMs, recorded: settled(made) };
    },
    onLow: (endpoint) => claimer.low(endpoint),
  });
  const claimer = createClaimer({
    lanes,
    maxInHand,
    take: leases.take,
    letGo(endpoints) {
      targets.forget(endpoints);
      return leases.letGo(endpoints);
    },
    read: (held, rooms, inHand) =>
      Promise.all([targets.find(held, leases.worker()), readDue(db, rooms, inHand)]),
    walk: (step) => endpointsWithDue(db, leases.worker(), step),
    horizon: () => readHorizon(db),
    onError: warn('webhook deliveries could not be read'),
  });

  /** Tried twice; what is not recorded then is sent again, not lost. */
  async function settled(attempt: Attempt): Promise<void> {
    try {
      await deps.record(attempt);
    } catch {
      await deps.record(attempt).catch(async (error) => {
        warn('a webhook outcome could not be recorded')(error);
        await delay(restMs, undefined, { signal: ending.signal, ref: false }).catch(() => {});
      });
    }
  }

  await leases.begin();
  const poll = setInterval(claimer.sweep, pollMs);
  const ends = [
    hints.on(deliveriesTopic, claimer.hint),
    hints.on(endpointsTopic, claimer.changed),
    hints.on(wantedTopic, claimer.leave),
    hints.on(freedTopic, claimer.freed),
    () => clearInterval(poll),
  ];
  claimer.sweep();

  return {
    async end() {
      for (const end of ends) end();
      await claimer.stop();
      ending.abort();
      const endpoints = await lanes.drain();
      // Without the database they run out by themselves.
      await leases.letGo(endpoints).then(leases.end).catch(warn('webhook endpoints could not be given back'));
    },
  };
}
