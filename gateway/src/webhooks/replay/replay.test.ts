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
import { endpointDisabled, eventTypes } from '../events/event-types.ts';
import { eventsOfPayment, findEvent, resendEvent } from '../events/events.ts';
import { insertEvents, type NewEvent, recordEvents } from '../events/outbox.ts';
import { countReplay, countUnsent, type ReplayWish, replayOf, startReplay } from './replay.ts';
import { runReplays } from './replay-worker.ts';

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
    return await startReplay(tx, world.hints, endpoint, { ...wish, counted });
  });
}

const turn = (id: EndpointId, status: 'active' | 'paused') =>
  transaction(world.db, (tx) => updateEndpoint(tx, world.hints, id, { status }, new Date()));

const missed = async (id: EndpointId) => (await countUnsent(world.db, [id], 'held', 100)).get(id) ?? 0;

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
    const ofItself: NewEvent = {
      ...{ id: newId(), integrationId: merchant.id, mode: 'test', type: endpointDisabled },
      ...{ at: new Date(), reference: '', sequence: 0, body: '{}' },
      ...{ paymentId: null, aboutEndpointId: id, onlyEndpointId: null },
    };
    await transaction(world.db, (tx) => insertEvents(tx, world.hints, [ofItself]));
    expect(await missed(id)).toBe(1);
    const owner = { integrationId: merchant.id, mode: 'test' as const };
    const { payment_reference } = await findEvent(world.db, owner, event);
    const deliveries = async () => (await eventsOfPayment(world.db, owner, payment_reference))[0]?.deliveries;
    expect(await deliveries()).toBe(0);
    await transaction(world.db, (tx) => resendEvent(tx, world.hints, event, new Date()));
    expect(await missed(id)).toBe(0);
    expect(await deliveries()).toBe(1);
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

describe('an event that is being written for an endpoint that is paused', () => {
  /** Does `act` while an event of the paused endpoint's is being written, and commits it then. */
  async function actBeside<T>(act: (id: EndpointId) => Promise<T>) {
    const merchant = await world.merchant();
    const { id } = await merchant.endpoint('http://127.0.0.1:9/hook');
    await turn(id, 'paused');
    const written = Promise.withResolvers<void>();
    const over = Promise.withResolvers<void>();
    const writing = transaction(world.db, async (tx) => {
      await recordEvents(tx, world.hints, [eventOf(merchant.id)]);
      written.resolve();
      await over.promise;
    });
    await written.promise;
    const acted = act(id);
    return {
      merchant,
      id,
      acted,
      async commit() {
        over.resolve();
        await writing;
      },
    };
  }

  test('is waited for by whoever activates it, and was missed', async () => {
    let isActive = false;
    const { merchant, id, acted, commit } = await actBeside((id) =>
      turn(id, 'active').then(() => {
        isActive = true;
      }),
    );
    await expect
      .poll(async () => (await world.db.query('SELECT FROM pg_locks WHERE NOT granted')).rowCount)
      .toBeGreaterThan(0);
    expect(isActive).toBe(false);
    await commit();
    await acted;
    expect(await missed(id)).toBe(1);
    expect(await replay(merchant, id)).toMatchObject({ status: 'done', count: 1 });
  });

  test('is still missed after a replay that was asked for meanwhile', async () => {
    const { merchant, id, acted, commit } = await actBeside(async () => {});
    await acted;
    expect(await replay(merchant, id)).toMatchObject({ status: 'done', count: 0 });
    await commit();
    expect(await missed(id)).toBe(1);
    expect(await replay(merchant, id)).toMatchObject({ count: 1 });
  });
});

test('an event that was read as one of a paused endpoint is not held when that was activated meanwhile', async () => {
  const merchant = await world.merchant();
  const { id } = await merchant.endpoint('http://127.0.0.1:9/hook');
  await turn(id, 'paused');
  const activated = Promise.withResolvers<void>();
  const over = Promise.withResolvers<void>();
  const activating = transaction(world.db, async (tx) => {
    await updateEndpoint(tx, world.hints, id, { status: 'active' }, new Date());
    activated.resolve();
    await over.promise;
  });
  await activated.promise;
  const emitting = merchant.emit();
  await expect
    .poll(async () => (await world.db.query('SELECT FROM pg_locks WHERE NOT granted')).rowCount)
    .toBeGreaterThan(0);
  over.resolve();
  await activating;
  const event = await emitting;
  expect(await missed(id)).toBe(0);
  expect(await eventsQueuedFor(id)).toEqual([event]);
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
    if (n % 7 === 0) await runReplays(world);
  }
  // It is active: nothing is held any more that was not when it became so.
  const held = await missed(id);
  isOver = true;
  await Promise.all(writers);
  expect(await missed(id)).toBe(held);
  const done = () =>
    expect.poll(() => runReplays(world).then(() => replayOf(world.db, id))).toMatchObject({ status: 'done' });
  await done();
  await replay(merchant, id);
  await done();
  expect(await missed(id)).toBe(0);
  expect(await eventsQueuedFor(id)).toEqual(made.sort());
});

async function eventsQueuedFor(id: EndpointId): Promise<string[]> {
  const { rows } = await world.db.query<{ event_id: string }>(
    'SELECT event_id FROM deliveries WHERE endpoint_id = $1',
    [id],
  );
  return rows.map((row) => row.event_id).sort();
}
