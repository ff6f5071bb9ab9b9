import { afterEach, describe, expect, test, vi } from 'vitest';
import { createWorld, type Merchant } from '../../../test/webhooks/fixtures.ts';
import type { Database } from '../../kit/db/db.ts';
import { firstId } from '../../kit/ids.ts';
import { createLeases, type Leases } from './leases.ts';
import { type Attempt, recordAttempts } from './record.ts';
import { type DueDelivery, endpointsWithDue, readDue } from './sql.ts';

const workers: Leases[] = [];

const world = await createWorld();
afterEach(async () => {
  for (const leases of workers.splice(0)) await leases.end();
});

async function worker(onLost = () => {}): Promise<Leases> {
  const leases = createLeases({ db: world.db, onLost, onBeat: () => {}, onError: () => {} });
  await leases.begin();
  workers.push(leases);
  return leases;
}

const fallSilent = (leases: Leases) =>
  world.db.query(`UPDATE webhook_workers SET until = now() - interval '1 second' WHERE id = $1`, [
    leases.worker(),
  ]);

async function oneDue(): Promise<{ merchant: Merchant; id: string; due: () => Promise<DueDelivery[]> }> {
  const merchant = await world.merchant();
  const { id } = await merchant.endpoint('http://127.0.0.1:9/');
  await merchant.emit();
  return { merchant, id, due: () => readDue(world.db, [{ endpointId: id, room: 10, fromMs: 0 }], []) };
}

test('a worker that could not begin asks for nothing afterwards', async () => {
  vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] });
  const asked: string[] = [];
  const away = {
    query: async ({ name }: { name: string }) => {
      asked.push(name);
      throw new Error('The database is away');
    },
  } as unknown as Database;
  const leases = createLeases({ db: away, onLost: () => {}, onBeat: () => {}, onError: () => {} });
  await expect(leases.begin()).rejects.toThrow('The database is away');
  await vi.advanceTimersByTimeAsync(60_000);
  vi.useRealTimers();
  expect(asked).toEqual(['begin-worker']);
});

test('a worker begins again after a try of which the answer was lost', async () => {
  let isLost = true;
  const lossy = {
    query: async (...asked: Parameters<Database['query']>) => {
      const answer = await world.db.query(...asked);
      if (!isLost) return answer;
      isLost = false;
      throw new Error('Connection terminated unexpectedly');
    },
  } as unknown as Database;
  const leases = createLeases({ db: lossy, onLost: () => {}, onBeat: () => {}, onError: () => {} });
  await expect(leases.begin()).rejects.toThrow('Connection terminated');
  await leases.begin();
  workers.push(leases);
  expect(leases.maySend()).toBe(true);
});

describe('an endpoint', () => {
  test('is held by one worker, who may ask for it again', async () => {
    const { merchant, id } = await oneDue();
    const [first, second] = [await worker(), await worker()];
    expect(await first.take([id])).toEqual([{ endpoint_id: id, integration_id: merchant.id, mode: 'test' }]);
    expect(await second.take([id])).toEqual([]);
    expect(await first.take([id])).toHaveLength(1);
    await first.letGo([id]);
    expect(await second.take([id])).toHaveLength(1);
  });

  test('goes to one of several workers who ask at the same moment', async () => {
    const { id } = await oneDue();
    const all = [await worker(), await worker(), await worker()];
    const taken = await Promise.all(all.map((leases) => leases.take([id])));
    expect(taken.flat()).toHaveLength(1);
  });

  test('is free when its holder no longer renews it, and the holder notices that it lost everything', async () => {
    const { id } = await oneDue();
    let lost = 0;
    const late = await worker(() => {
      lost += 1;
    });
    const name = late.worker();
    await late.take([id]);
    await fallSilent(late);
    expect(await (await worker()).take([id])).toHaveLength(1);
    await late.beat();
    expect(lost).toBe(1);
    expect(late.worker()).not.toBe(name);
    expect(await late.take([id])).toEqual([]);
  });

  test('with something due is found by the walk of whoever may take it', async () => {
    const { id } = await oneDue();
    const [holder, other] = [await worker(), await worker()];
    await holder.take([id]);
    const walk = (leases: Leases) =>
      endpointsWithDue(world.db, leases.worker(), { after: firstId, limit: 100, failing: false });
    expect(await walk(holder)).toContain(id);
    expect(await walk(other)).not.toContain(id);
    await fallSilent(holder);
    expect(await walk(other)).toContain(id);
  });
});

const recording = () => ({ db: world.db, onDisabled: async () => {} });

function attemptOf({ endpoint_id, id, attempts, due_ms }: DueDelivery, status: Attempt['status']): Attempt {
  return {
    endpointId: endpoint_id,
    deliveryId: id,
    attempts,
    dueMs: due_ms,
    status,
    waitSeconds: status === 'pending' ? 60 : null,
    at: new Date(),
    durationMs: 1,
    statusCode: 200,
    error: null,
    requestHeaders: null,
    responseHeaders: null,
    response: null,
    healthy: null,
    verifies: false,
    injectedFault: null,
  };
}

async function rowOf({ id }: DueDelivery) {
  const { rows } = await world.db.query(
    `SELECT status, attempts, (SELECT count(*)::integer FROM delivery_attempts WHERE delivery_id = id) AS recorded
     FROM deliveries WHERE id = $1`,
    [id],
  );
  return rows[0];
}

describe('an outcome', () => {
  test('that is recorded twice counts once', async () => {
    const { due } = await oneDue();
    const [delivery] = await due();
    const attempt = attemptOf(delivery!, 'delivered');
    expect(await recordAttempts(recording(), [attempt])).toEqual([true]);
    expect(await recordAttempts(recording(), [attempt])).toEqual([false]);
    expect(await rowOf(delivery!)).toEqual({ status: 'delivered', attempts: 1, recorded: 1 });
  });

  test('is recorded though the row of another one in its batch is locked for long', async () => {
    const [one, other] = [await oneDue(), await oneDue()];
    const [[locked], [free]] = [await one.due(), await other.due()];
    const locker = await world.db.connect();
    await locker.query('BEGIN');
    await locker.query('SELECT FROM deliveries WHERE id = $1 FOR UPDATE', [locked!.id]);
    const attempts = [locked!, free!].map((delivery) => attemptOf(delivery, 'delivered'));
    const recorded = await recordAttempts(recording(), attempts).finally(async () => {
      await locker.query('ROLLBACK');
      locker.release();
    });
    expect(recorded).toEqual([expect.any(Error), true]);
    expect(await rowOf(free!)).toMatchObject({ status: 'delivered', recorded: 1 });
    expect(await rowOf(locked!)).toMatchObject({ status: 'pending', recorded: 0 });
  });

  test('of a holder who came too late leaves no trace', async () => {
    const { due } = await oneDue();
    const [read] = await due();
    expect(await recordAttempts(recording(), [attemptOf(read!, 'pending')])).toEqual([true]);
    expect(await recordAttempts(recording(), [attemptOf(read!, 'delivered')])).toEqual([false]);
    expect(await rowOf(read!)).toEqual({ status: 'pending', attempts: 1, recorded: 1 });
  });
});

test('what is in hand is not read again', async () => {
  const { merchant, id } = await oneDue();
  await merchant.emit();
  const rooms = [{ endpointId: id, room: 1, fromMs: 0 }];
  const [first] = await readDue(world.db, rooms, []);
  const [second] = await readDue(world.db, rooms, [first!.id]);
  expect(second!.id).not.toBe(first!.id);
  expect(await readDue(world.db, rooms, [first!.id, second!.id])).toEqual([]);
});
