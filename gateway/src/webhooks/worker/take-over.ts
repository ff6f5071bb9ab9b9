import { setTimeout as delay } from 'node:timers/promises';
import type { IntegrationId } from '../../identity/integration.ts';
import type { Database } from '../../kit/db/db.ts';
import type { Hints } from '../../kit/db/hints.ts';
import { oneRow } from '../../kit/db/one-row.ts';
import type { AttemptDelivery, AttemptDeps } from './attempt.ts';
import { createLeases, type HeldEndpoint, type Leases } from './leases.ts';
import type { Attempt } from './record.ts';
import { readDue } from './sql.ts';
import type { Targets } from './target.ts';

/** The hint that another holder waits for an endpoint; its key is the endpoint. */
export const wantedTopic = 'endpoint-wanted';

/** The hint that such a holder has let go of an endpoint; its key is the endpoint. */
export const freedTopic = 'endpoint-freed';

/**
 * Keeps every worker from an integration's test endpoints while `work` runs. `sendDue`, which `work` gets, makes one
 * attempt at each delivery that is due there and returns how many it made. When many are due at endpoints that hang,
 * it returns after `withinMs`, a minute by default; workers send the rest.
 */
export type TakeOver = <T>(
  integrationId: IntegrationId,
  work: (sendDue: (withinMs?: number) => Promise<number>) => Promise<T>,
) => Promise<T>;

export type TakeOverDeps = AttemptDeps & {
  db: Database;
  hints: Hints;
  targets: Targets;
  attempt: AttemptDelivery;
  isTraced: boolean;
  record: (attempt: Attempt) => Promise<unknown>;
  onError: (error: unknown) => void;
};

// An exchange ends within 5 s, and the endpoints of a worker that was killed are free after 10 s.
const maxWaitMs = 12_000;
const limitMs = 60_000;
const pauseMs = { first: 2, longest: 100 };
const batchSize = 64;

/** Sends for the test clock: to each endpoint one delivery after the other. */
export function createTakeOver(deps: TakeOverDeps): TakeOver {
  const { db, hints, onError } = deps;
  return async (integrationId, work) => {
    const endpoints = await testEndpoints(db, integrationId);
    if (endpoints.length === 0) return await work(async () => 0);
    const leases = createLeases({ db, onLost: () => {}, onBeat: () => {}, onError });
    const letGo = async (ids: string[]): Promise<void> => {
      await leases.letGo(ids);
      for (const id of ids) hints.send(freedTopic, id);
    };
    await leases.begin();
    try {
      const held = await takeAll(leases, hints, endpoints);
      return await work(async (withinMs = limitMs) => {
        const until = { due: await nowMs(db), end: performance.now() + withinMs };
        const counts = await Promise.all(
          held.map(async (endpoint) => {
            const count = await sendTo(deps, leases, endpoint, until);
            await letGo([endpoint.endpoint_id]);
            return count;
          }),
        );
        return counts.reduce((sum, count) => sum + count, 0);
      });
    } finally {
      // Without the database the leases run out by themselves.
      await letGo(endpoints).then(leases.end).catch(onError);
      deps.targets.forget(endpoints);
    }
  };
}

async function testEndpoints(db: Database, integrationId: IntegrationId): Promise<string[]> {
  const { rows } = await db.query<{ id: string }>(
    `SELECT w.id FROM webhook_endpoints w WHERE w.integration_id = $1 AND w.mode = 'test' AND w.channel = 'webhook'
       AND (w.deleted_at IS NULL
         OR EXISTS (SELECT FROM deliveries d WHERE d.endpoint_id = w.id AND d.status = 'pending'))`,
    [integrationId],
  );
  return rows.map(({ id }) => id);
}

/** Takes the endpoints, and asks their holders to let go, for 12 s at most. Returns those that were taken. */
async function takeAll(leases: Leases, hints: Hints, endpoints: string[]): Promise<HeldEndpoint[]> {
  const giveUpAt = performance.now() + maxWaitMs;
  const taken = new Map<string, HeldEndpoint>();
  for (let pause = pauseMs.first; ; pause = Math.min(pause * 2, pauseMs.longest)) {
    const wanted = endpoints.filter((id) => !taken.has(id));
    for (const each of await leases.take(wanted)) taken.set(each.endpoint_id, each);
    if (taken.size === endpoints.length || performance.now() > giveUpAt) return [...taken.values()];
    for (const id of wanted) if (!taken.has(id)) hints.send(wantedTopic, id);
    await delay(pause);
  }
}

async function nowMs(db: Database): Promise<number> {
  return oneRow(await db.query<{ ms: number }>(`SELECT date_part('epoch', now()) * 1000 AS ms`), 'now').ms;
}

/** Makes one attempt at each delivery of an endpoint that was due by `until.due`; returns how many were recorded. */
async function sendTo(
  deps: TakeOverDeps,
  leases: Leases,
  endpoint: HeldEndpoint,
  until: { due: number; end: number },
): Promise<number> {
  let count = 0;
  for (;;) {
    const room = { endpointId: endpoint.endpoint_id, room: batchSize, fromMs: 0 };
    const due = (await readDue(deps.db, [room], [], deps.isTraced)).filter(
      ({ due_ms }) => due_ms <= until.due,
    );
    const target = (await deps.targets.find([endpoint], leases.worker())).get(endpoint.endpoint_id);
    if (!target || due.length === 0) return count;
    const recorded: Promise<boolean>[] = [];
    for (const delivery of due) {
      while (!leases.maySend() && performance.now() < until.end) await delay(pauseMs.longest);
      if (performance.now() > until.end) break;
      const attempt = await deps.attempt(deps, delivery, target);
      recorded.push(
        deps.record(attempt).then(
          () => true,
          (error) => {
            deps.onError(error);
            return false;
          },
        ),
      );
    }
    const good = (await Promise.all(recorded)).filter((isRecorded) => isRecorded).length;
    count += good;
    // What could not be recorded is still due, and is left to the workers.
    if (good < due.length) return count;
  }
}
