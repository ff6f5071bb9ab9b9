import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import {
  createWorld,
  eventOf,
  type Merchant,
  type Received,
  startReceiver,
  type World,
} from '../../../test/webhooks/fixtures.ts';
import { transaction } from '../../kit/db/db.ts';
import { newId } from '../../kit/ids.ts';
import { deleteEndpoint, type EndpointId, findEndpoint, updateEndpoint } from '../endpoints/endpoints.ts';
import { missedCounts } from '../endpoints/missed.ts';
import { endpointDisabled, eventTypes } from '../events/event-types.ts';
import { resendEvent } from '../events/events.ts';
import { recordEvents } from '../events/outbox.ts';
import { countReplay, type ReplayWish, replayOf, startReplay } from './replay.ts';
import { runReplays, settleActivated } from './replay-worker.ts';

let world: World;
beforeAll(async () => {
  world = await createWorld();
});
afterAll(() => world.close());

const all: ReplayWish = { since: null };

async function replay(merchant: Merchant, id: EndpointId, wish: ReplayWish = all) {
  const endpoint = await findEndpoint(world.db, { integrationId: merchant.id, mode: 'test' }, id);
  return await transaction(world.db, async (tx) => {
    const counted = await countReplay(tx, id, wish);
    return await startReplay(tx, world.hints, endpoint, { ...wish, counted, now: new Date() });
  });
}

const turn = (id: EndpointId, status: 'active' | 'paused') =>
  transaction(world.db, (tx) => updateEndpoint(tx, world.hints, id, { status }, new Date()));

const missed = async (id: EndpointId) => (await missedCounts(world.db, [id], 100)).get(id) ?? 0;

const idsOf = (got: readonly Received[]) => got.map(({ headers }) => headers['x-event-id']);

async function emitMany(merchant: Merchant, count: number): Promise<string[]> {
  const events = Array.from({ length: count }, () => eventOf(merchant.id));
  return await transaction(world.db, (tx) => recordEvents(tx, world.hints, events));
}

describe('an endpoint that was paused', () => {
  test('is sent what it missed by a replay, each event once and in their order', async () => {
    const receiver = await startReceiver();
    const merchant = await world.merchant();
    const { id } = await merchant.endpoint(receiver.url);
    await merchant.emit();
    await world.runDue(merchant);
    const paused = await turn(id, 'paused');
    expect(paused.missingSince).toBeInstanceOf(Date);
    const gap = [await merchant.emit(), await merchant.emit(), await merchant.emit()];
    await merchant.emit({ type: 'payment_linked' });
    expect(await missed(id)).toBe(3);
    await turn(id, 'active');
    const later = await merchant.emit();
    expect(await missed(id)).toBe(3);

    expect(await replay(merchant, id)).toMatchObject({ status: 'done', count: 3, total: 3 });
    expect(await missed(id)).toBe(0);
    expect(await replay(merchant, id)).toMatchObject({ status: 'done', count: 0, total: 0 });
    const { rows } = await world.db.query<{ event_id: string }>(
      `SELECT event_id FROM deliveries WHERE endpoint_id = $1 AND status = 'pending' ORDER BY next_attempt_at`,
      [id],
    );
    expect(rows.map((row) => row.event_id)).toEqual([later, ...gap]);
    await world.runDue(merchant);
    await receiver.close();
    expect(new Set(idsOf(receiver.got.slice(1)))).toEqual(new Set([later, ...gap]));
    expect(receiver.got).toHaveLength(5);
  });

  test('may be paused again before the replay: nothing of either time is lost', async () => {
    const receiver = await startReceiver();
    const merchant = await world.merchant();
    const { id } = await merchant.endpoint(receiver.url);
    await turn(id, 'paused');
    const first = await merchant.emit();
    await turn(id, 'active');
    const between = await merchant.emit();
    await turn(id, 'paused');
    const second = await merchant.emit();
    expect(await missed(id)).toBe(2);
    // Asked for while it is paused it queues what was missed so far, and the gap goes on.
    expect(await replay(merchant, id)).toMatchObject({ count: 2 });
    const third = await merchant.emit();
    expect(await missed(id)).toBe(1);
    await turn(id, 'active');
    expect(await replay(merchant, id)).toMatchObject({ count: 1 });
    await world.runDue(merchant);
    await receiver.close();
    expect([...idsOf(receiver.got)].sort()).toEqual([first, between, second, third].sort());
  });

  test('keeps what a replay of a part leaves', async () => {
    const receiver = await startReceiver();
    const merchant = await world.merchant();
    const { id } = await merchant.endpoint(receiver.url);
    await turn(id, 'paused');
    const hour = 3_600_000;
    const now = Date.now();
    await merchant.emit({ at: new Date(now - 2 * hour) });
    await merchant.emit({ at: new Date(now - hour) });
    await turn(id, 'active');
    const since = new Date(now - 1.5 * hour);
    // The times of the events lie before the gap's own here: it began this moment.
    await world.db.query('UPDATE webhook_endpoints SET missing_since = $2 WHERE id = $1', [
      id,
      new Date(now - 3 * hour),
    ]);
    expect(await replay(merchant, id, { since })).toMatchObject({ count: 1, since: since.toISOString() });
    expect(await missed(id)).toBe(1);
    expect(await replay(merchant, id, { since: null, only: 'failed' })).toMatchObject({ count: 0 });
    expect(await replay(merchant, id, { since: null, only: 'missed' })).toMatchObject({ count: 1 });
    expect(await missed(id)).toBe(0);
    await receiver.close();
  });

  test('is not sent again what was sent by hand meanwhile, nor what tells of itself', async () => {
    const receiver = await startReceiver();
    const merchant = await world.merchant();
    const { id } = await merchant.endpoint(receiver.url, eventTypes);
    await turn(id, 'paused');
    const event = await merchant.emit();
    await world.db.query(
      `INSERT INTO events (id, integration_id, mode, type, about_endpoint_id, payment_reference, sequence, body)
       VALUES ($1, $2, 'test', $3, $4, '', 0, '{}')`,
      [newId(), merchant.id, endpointDisabled, id],
    );
    expect(await missed(id)).toBe(1);
    await transaction(world.db, (tx) => resendEvent(tx, world.hints, event, new Date()));
    expect(await missed(id)).toBe(0);
    await turn(id, 'active');
    expect(await replay(merchant, id)).toMatchObject({ count: 0 });
    await receiver.close();
  });
});

describe('a replay', () => {
  test('of many goes on in small commits, and tells how far it came', async () => {
    const merchant = await world.merchant();
    const { id } = await merchant.endpoint('http://127.0.0.1:9/hook');
    await emitMany(merchant, 1_500);
    await world.db.query(
      `UPDATE deliveries SET status = 'failed', next_attempt_at = NULL WHERE endpoint_id = $1`,
      [id],
    );
    await turn(id, 'paused');
    const gap = await emitMany(merchant, 4_500);
    const begun = await replay(merchant, id);
    expect(begun).toMatchObject({ status: 'running', total: 6_000 });
    expect(begun.count).toBeGreaterThan(0);
    expect(begun.count).toBeLessThan(6_000);
    await expect(replay(merchant, id)).rejects.toMatchObject({ row: { slug: 'replay_running' } });
    await Promise.all([runReplays(world), runReplays(world)]);
    await expect
      .poll(() => runReplays(world).then(() => replayOf(world.db, id)))
      .toMatchObject({
        status: 'done',
        count: 6_000,
      });
    const { rows } = await world.db.query<{ event_id: string; copies: number }>(
      `SELECT event_id, count(*)::integer AS copies FROM deliveries
       WHERE endpoint_id = $1 AND status = 'pending' GROUP BY event_id`,
      [id],
    );
    expect(rows).toHaveLength(6_000);
    expect(rows.every(({ copies }) => copies === 1)).toBe(true);
    const order = await world.db.query<{ event_id: string }>(
      `SELECT event_id FROM deliveries WHERE endpoint_id = $1 ORDER BY next_attempt_at DESC LIMIT 4500`,
      [id],
    );
    expect(order.rows.map((row) => row.event_id).reverse()).toEqual(gap);
    await transaction(world.db, (tx) => deleteEndpoint(tx, world.hints, id, new Date()));
    expect(await replayOf(world.db, id)).toBeNull();
  });
});

test('an event that was being written while its endpoint was activated is sent a minute later', async () => {
  const receiver = await startReceiver();
  const merchant = await world.merchant();
  const { id } = await merchant.endpoint(receiver.url);
  await turn(id, 'paused');
  const gap = await merchant.emit();
  await turn(id, 'active');
  const late = await merchant.emit();
  const settled = await merchant.emit();
  // A statement that read the status before the activation was committed made its event after it, and no delivery.
  await world.db.query('DELETE FROM deliveries WHERE event_id = $1', [late]);
  await settleActivated(world);
  expect(await eventsQueuedFor(id)).toEqual([settled]);
  await settleNow(id);
  expect(await eventsQueuedFor(id)).toEqual([late, settled].sort());
  // What was missed before waits for a replay.
  expect(await missed(id)).toBe(1);
  expect(await replay(merchant, id)).toMatchObject({ count: 1 });
  expect(await eventsQueuedFor(id)).toEqual([gap, late, settled].sort());
  await receiver.close();
});

describe('an event that is not committed yet when a replay is asked for', () => {
  /** Asks for a replay while an event of the paused endpoint's is being written, and commits it then. */
  async function replayBeside(before: (id: EndpointId) => Promise<unknown>) {
    const merchant = await world.merchant();
    const { id } = await merchant.endpoint('http://127.0.0.1:9/hook');
    await turn(id, 'paused');
    const written = Promise.withResolvers<void>();
    const replayed = Promise.withResolvers<void>();
    const writing = transaction(world.db, async (tx) => {
      await recordEvents(tx, world.hints, [eventOf(merchant.id)]);
      written.resolve();
      await replayed.promise;
    });
    await written.promise;
    await before(id);
    expect(await replay(merchant, id)).toMatchObject({ status: 'done', count: 0 });
    replayed.resolve();
    await writing;
    return { merchant, id };
  }

  test('is sent a minute later to an endpoint that is active', async () => {
    const { id } = await replayBeside((id) => turn(id, 'active'));
    await settleNow(id);
    expect(await eventsQueuedFor(id)).toHaveLength(1);
  });

  test('is still missed by an endpoint that is paused', async () => {
    const { merchant, id } = await replayBeside(async () => {});
    expect(await missed(id)).toBe(1);
    expect(await replay(merchant, id)).toMatchObject({ count: 1 });
  });
});

test('whoever turns an endpoint off and on and replays while events are written, each gets exactly one delivery', async () => {
  const merchant = await world.merchant();
  const { id } = await merchant.endpoint('http://127.0.0.1:9/hook');
  const made: string[] = [];
  let isOver = false;
  const writer = async () => {
    while (!isOver) made.push(...(await emitMany(merchant, 3)));
  };
  const writers = [writer(), writer()];
  for (let n = 0; n < 30; n++) {
    await turn(id, n % 2 === 0 ? 'paused' : 'active');
    if (n % 3 === 0) await replay(merchant, id).catch(() => 'one is under way');
    if (n % 7 === 0) await Promise.all([runReplays(world), settleNow(id)]);
  }
  isOver = true;
  await Promise.all(writers);
  await expect
    .poll(() => runReplays(world).then(() => replayOf(world.db, id)))
    .toMatchObject({ status: 'done' });
  await replay(merchant, id);
  await expect
    .poll(() => runReplays(world).then(() => replayOf(world.db, id)))
    .toMatchObject({ status: 'done' });
  await settleNow(id);
  expect(await eventsQueuedFor(id)).toEqual(made.sort());
});

/** As if the minute were over. */
async function settleNow(id: EndpointId): Promise<void> {
  await world.db.query(
    'UPDATE webhook_endpoints SET settle_at = now() WHERE id = $1 AND settle_at IS NOT NULL',
    [id],
  );
  await settleActivated(world);
}

async function eventsQueuedFor(id: EndpointId): Promise<string[]> {
  const { rows } = await world.db.query<{ event_id: string }>(
    'SELECT event_id FROM deliveries WHERE endpoint_id = $1',
    [id],
  );
  return rows.map((row) => row.event_id).sort();
}
