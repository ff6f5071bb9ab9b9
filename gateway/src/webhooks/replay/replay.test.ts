import { describe, expect, test } from 'vitest';
import { createWorld, type Received, startReceiver } from '../../../test/webhooks/fixtures.ts';
import { replaying } from '../../../test/webhooks/replaying.ts';
import { transaction } from '../../kit/db/db.ts';
import { newId } from '../../kit/ids.ts';
import { deleteEndpoint, findEndpoint } from '../endpoints/endpoints.ts';
import { endpointDisabled, eventTypes } from '../events/event-types.ts';
import { eventsOfPayment, findEvent, resendEvents } from '../events/events.ts';
import { insertEvents, type NewEvent } from '../events/outbox.ts';
import { replayOf } from './replay.ts';
import { runReplays } from './replay-worker.ts';

const world = await createWorld();

const { replay, turn, missed, emitMany, queuedInOrder, statusOf } = replaying(() => world);

const idsOf = (got: readonly Received[]) => got.map(({ headers }) => headers['x-event-id']);

describe('an endpoint that was paused', () => {
  test('is sent what was held for it when it is activated, each event once and in their order', async () => {
    const receiver = await startReceiver();
    const merchant = await world.merchant();
    const { id } = await merchant.endpoint(receiver.url);
    const first = await merchant.emit();
    await world.runDue(merchant);
    const paused = await turn(id, 'paused');
    expect(paused.missingSince).toBeInstanceOf(Date);
    const gap = [await merchant.emit(), await merchant.emit(), await merchant.emit()];
    await merchant.emit({ type: 'payment_linked' });
    await world.runDue(merchant);
    expect(await missed(id)).toBe(3);
    expect(await turn(id, 'active')).toMatchObject({ missingSince: null, catchingUp: false });
    expect(await missed(id)).toBe(0);
    const later = await merchant.emit();
    expect(await queuedInOrder(id)).toEqual([...gap, later]);
    // Nothing is left for a second activation, or for a replay.
    await turn(id, 'active');
    expect(await replay(merchant, id)).toMatchObject({ status: 'done', count: 0, total: 0 });
    await world.runDue(merchant);
    expect(idsOf(receiver.got)).toEqual([first, ...gap, later]);
  });

  test('may be paused again: nothing of either time is lost', async () => {
    const receiver = await startReceiver();
    const merchant = await world.merchant();
    const { id } = await merchant.endpoint(receiver.url);
    await turn(id, 'paused');
    const first = await merchant.emit();
    await turn(id, 'active');
    const between = await merchant.emit();
    await turn(id, 'paused');
    const second = await merchant.emit();
    expect(await missed(id)).toBe(1);
    // A replay of a paused endpoint queues what is held for it so far; events go on being held.
    expect(await replay(merchant, id)).toMatchObject({ count: 1 });
    const third = await merchant.emit();
    expect(await missed(id)).toBe(1);
    await turn(id, 'active');
    await world.runDue(merchant);
    expect(idsOf(receiver.got)).toEqual([first, between, second, third]);
  });

  test('and has much held for it is sent all of it in order, before the events that follow', async () => {
    const merchant = await world.merchant();
    const { id } = await merchant.endpoint('http://127.0.0.1:9/hook');
    await turn(id, 'paused');
    const made = await emitMany(merchant, 6_000);
    expect(await turn(id, 'active')).toMatchObject({ catchingUp: true });
    expect(await missed(id)).toBeGreaterThan(0);
    made.push(await merchant.emit());
    expect(await statusOf(id, made.at(-1))).toBe('held');
    const rounds = async () => {
      await Promise.all([runReplays(world), runReplays(world)]);
      return await missed(id);
    };
    await expect.poll(rounds).toBe(0);
    expect(await findEndpoint(world.db, { integrationId: merchant.id, mode: 'test' }, id)).toMatchObject({
      catchingUp: false,
    });
    made.push(await merchant.emit());
    expect(await queuedInOrder(id)).toEqual(made);
  });

  test('may be paused while deliveries that were held are still being queued', async () => {
    const merchant = await world.merchant();
    const { id } = await merchant.endpoint('http://127.0.0.1:9/hook');
    await turn(id, 'paused');
    const made = await emitMany(merchant, 4_500);
    await turn(id, 'active');
    await turn(id, 'paused');
    const held = await missed(id);
    await runReplays(world);
    expect(await missed(id)).toBe(held);
    made.push(await merchant.emit());
    await turn(id, 'active');
    expect(await missed(id)).toBe(0);
    expect(await queuedInOrder(id)).toEqual(made);
  });

  test('is sent what was held also while a replay of something else is under way', async () => {
    const merchant = await world.merchant();
    const { id } = await merchant.endpoint('http://127.0.0.1:9/hook');
    const failed = [...(await emitMany(merchant, 3_000)), ...(await emitMany(merchant, 4_000))];
    await world.db.query(
      `UPDATE deliveries SET status = 'failed', next_attempt_at = NULL WHERE endpoint_id = $1`,
      [id],
    );
    await turn(id, 'paused');
    const held = await merchant.emit();
    expect(await replay(merchant, id, { since: null, only: 'failed' })).toMatchObject({ status: 'running' });
    await turn(id, 'active');
    expect(await statusOf(id, held)).toBe('pending');
    await expect
      .poll(() => runReplays(world).then(() => replayOf(world.db, id)))
      .toMatchObject({ status: 'done', count: failed.length });
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
    const since = new Date(now - 1.5 * hour);
    expect(await replay(merchant, id, { since })).toMatchObject({ count: 1, since: since.toISOString() });
    expect(await missed(id)).toBe(1);
    expect(await replay(merchant, id, { since: null, only: 'failed' })).toMatchObject({ count: 0 });
    expect(await replay(merchant, id, { since: null, only: 'missed' })).toMatchObject({ count: 1 });
    expect(await missed(id)).toBe(0);
  });

  test('is not sent again what was sent by hand meanwhile, nor an event about itself', async () => {
    const receiver = await startReceiver();
    const merchant = await world.merchant();
    const { id } = await merchant.endpoint(receiver.url, eventTypes);
    await turn(id, 'paused');
    const event = await merchant.emit();
    const ofItself: NewEvent = {
      ...{ id: newId(), integrationId: merchant.id, mode: 'test', type: endpointDisabled },
      ...{ at: new Date(), sequence: 0, body: '{}', onlyEndpointId: null },
      subject: { kind: 'endpoint', id },
    };
    await transaction(world.db, (tx) => insertEvents(tx, world.hints, [ofItself]));
    expect(await missed(id)).toBe(1);
    const owner = { integrationId: merchant.id, mode: 'test' as const };
    const { payment_reference } = await findEvent(world.db, owner, event);
    const deliveries = async () => (await eventsOfPayment(world.db, owner, payment_reference))[0]?.deliveries;
    expect(await deliveries()).toBe(0);
    await transaction(world.db, (tx) => resendEvents(tx, world.hints, [event], new Date()));
    expect(await missed(id)).toBe(0);
    expect(await deliveries()).toBe(1);
    await turn(id, 'active');
    expect(await queuedInOrder(id)).toEqual([event]);
  });
});

describe('a replay', () => {
  test('of many goes on in small commits, and says how far it came', async () => {
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
