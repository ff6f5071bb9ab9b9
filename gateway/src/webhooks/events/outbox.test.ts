import { Registry } from 'prom-client';
import { describe, expect, test } from 'vitest';
import { createWorld, eventOf } from '../../../test/webhooks/fixtures.ts';
import { transaction } from '../../kit/db/db.ts';
import { newId } from '../../kit/ids.ts';
import { searchDeliveries } from '../deliveries/delivery-list.ts';
import { deleteEndpoint, setChaos, updateEndpoint } from '../endpoints/endpoints.ts';
import { endOverlap, rollSecret } from '../endpoints/secrets.ts';
import { findEvent } from './events.ts';
import { createEventMetrics } from './metrics.ts';
import { endpointsTopic, recordEvents, recordPayoutEvents } from './outbox.ts';

const world = await createWorld();

const nowhere = 'http://127.0.0.1:9/';

async function deliveriesOf(eventId: string, status = 'pending'): Promise<string[]> {
  const { rows } = await world.db.query<{ endpoint_id: string }>(
    'SELECT endpoint_id FROM deliveries WHERE event_id = $1 AND status = $2 ORDER BY endpoint_id',
    [eventId, status],
  );
  return rows.map((row) => row.endpoint_id);
}

describe('an event', () => {
  test('goes to every active endpoint of its integration and mode that subscribed to its type, and is held for those that are off', async () => {
    const merchant = await world.merchant();
    const other = await world.merchant();
    const wanted = [
      await merchant.endpoint(nowhere),
      await merchant.endpoint(nowhere, ['payment_completed']),
    ];
    await merchant.endpoint(nowhere, ['payment_failed']);
    await other.endpoint(nowhere);
    const paused = await merchant.endpoint(nowhere);
    const deleted = await merchant.endpoint(nowhere);
    await transaction(world.db, async (tx) => {
      await updateEndpoint(tx, world.hints, paused.id, { status: 'paused', now: new Date() });
      await deleteEndpoint(tx, world.hints, deleted.id, new Date());
    });
    const eventId = await merchant.emit();
    expect(await deliveriesOf(eventId)).toEqual(wanted.map(({ id }) => id).sort());
    expect(await deliveriesOf(eventId, 'held')).toEqual([paused.id]);
    expect(await deliveriesOf(await merchant.emit({ mode: 'live' }))).toEqual([]);
  });

  test('is held behind what an endpoint still catches up with', async () => {
    const merchant = await world.merchant();
    const { id } = await merchant.endpoint(nowhere);
    await world.db.query('UPDATE webhook_endpoints SET catching_up = true WHERE id = $1', [id]);
    const eventId = await merchant.emit();
    expect([await deliveriesOf(eventId), await deliveriesOf(eventId, 'held')]).toEqual([[], [id]]);
  });

  test('is kept when there is no endpoint at all', async () => {
    const merchant = await world.merchant();
    const eventId = await merchant.emit();
    const { rowCount } = await world.db.query('SELECT FROM events WHERE id = $1', [eventId]);
    expect(rowCount).toBe(1);
  });

  test('has the fields of the specification in their order, with absent ones empty', async () => {
    const merchant = await world.merchant();
    const at = new Date('2026-03-01T10:00:00.900Z');
    const input = eventOf(merchant.id, { at, type: 'payment_failed' });
    const eventId = await merchant.emit(input);
    const { rows } = await world.db.query<{ body: string }>('SELECT body FROM events WHERE id = $1', [
      eventId,
    ]);
    const { id, reference } = input.payment;
    expect(rows[0]!.body).toBe(
      `{"event_id":"${eventId}","payment_id":"${id}","currency":"USDC","amount":12.5,` +
        `"payment_reference":"${reference}","payment_status":"completed","service_fee":0.13,` +
        `"customer_email":"zoë@example.com","customer_reference":"","integration_id":"${merchant.id}",` +
        `"event_type":"payment_failed","timestamp":1772359200}`,
    );
  });

  test('vanishes with its deliveries when the transaction rolls back, and wakes no worker', async () => {
    const merchant = await world.merchant();
    const { id } = await merchant.endpoint(nowhere);
    const woken: string[] = [];
    const unsubscribe = world.hints.on('deliveries', (key) => woken.push(key));
    const rolledBack = transaction(world.db, async (tx) => {
      await recordEvents(tx, world.hints, [eventOf(merchant.id)]);
      throw new Error('the payment changed its mind');
    });
    await expect(rolledBack).rejects.toThrow('changed its mind');
    unsubscribe();
    const { rows } = await world.db.query(
      'SELECT id FROM events WHERE integration_id = $1 UNION SELECT id FROM deliveries WHERE endpoint_id = $2',
      [merchant.id, id],
    );
    expect(rows).toEqual([]);
    expect(woken).toEqual([]);
  });

  test('wakes the workers at its endpoint once it is committed', async () => {
    const merchant = await world.merchant();
    const { id } = await merchant.endpoint(nowhere);
    const woken = new Promise((resolve) => world.hints.on('deliveries', resolve));
    await merchant.emit();
    expect(await woken).toBe(id);
  });
});

test('many events of many integrations are written together, each to its own endpoints', async () => {
  const merchants = await Promise.all([world.merchant(), world.merchant()]);
  const endpoints = await Promise.all(merchants.map((merchant) => merchant.endpoint(nowhere)));
  const events = Array.from({ length: 40 }, (_, index) => eventOf(merchants[index % 2]!.id));
  const ids = await transaction(world.db, (tx) => recordEvents(tx, world.hints, events));
  expect(new Set(ids).size).toBe(40);
  const found = await Promise.all(ids.map((id) => deliveriesOf(id)));
  expect(found).toEqual(ids.map((_, index) => [endpoints[index % 2]!.id]));
});

test('the worker that holds an endpoint gets a hint of each change, so that its queue goes to the right address', async () => {
  const merchant = await world.merchant();
  const { id } = await merchant.endpoint(nowhere);
  const told: string[] = [];
  const end = world.hints.on(endpointsTopic, (endpoint) => told.push(endpoint));
  const now = new Date();
  await transaction(world.db, (tx) => updateEndpoint(tx, world.hints, id, { url: `${nowhere}new`, now }));
  await transaction(world.db, (tx) => updateEndpoint(tx, world.hints, id, { status: 'paused', now }));
  await transaction(world.db, (tx) => rollSecret(tx, world, id, { overlapSeconds: 0, now }));
  await transaction(world.db, (tx) => endOverlap(tx, world.hints, id, now));
  await transaction(world.db, (tx) => setChaos(tx, world.hints, id, { chaos: null, now }));
  await transaction(world.db, (tx) => deleteEndpoint(tx, world.hints, id, now));
  end();
  expect(told).toEqual(Array(6).fill(id));
});

test('events of payouts go to those who subscribed, have their fields in order, and are found by the payout', async () => {
  const merchant = await world.merchant();
  const { id: endpoint } = await merchant.endpoint(nowhere, ['payout_completed']);
  const payout = {
    id: newId(),
    reference: 'payroll-17',
    purpose: 'merchant_payout',
    asset: 'pi',
    amount: '1.5000000',
    fee: '0.0000000',
    to: 'G1',
    memo: null,
    status: 'completed',
    transaction: 'ab',
  };
  const at = new Date('2026-03-01T10:00:00.900Z');
  const event = { integrationId: merchant.id, mode: 'test', sequence: 2, at, payout } as const;
  const [eventId] = await transaction(world.db, (tx) =>
    recordPayoutEvents(tx, world.hints, [{ ...event, type: 'payout_completed' }]),
  );
  expect(await deliveriesOf(eventId!)).toEqual([endpoint]);
  const owner = { integrationId: merchant.id, mode: 'test' } as const;
  expect(await findEvent(world.db, owner, eventId)).toMatchObject({
    ...{ event_type: 'payout_completed', payment_reference: '', payout_reference: 'payroll-17', sequence: 2 },
    body:
      `{"event_id":"${eventId}","payout_id":"${payout.id}","payout_reference":"payroll-17",` +
      `"purpose":"merchant_payout","asset":"pi","amount":"1.5000000","fee":"0.0000000","to":"G1","memo":"",` +
      `"payout_status":"completed","transaction":"ab","integration_id":"${merchant.id}",` +
      `"event_type":"payout_completed","timestamp":1772359200}`,
  });
  for (const reference of ['payroll-17', payout.id]) {
    const { items } = await searchDeliveries(world.db, owner, { reference }, { limit: 5 });
    expect(items.map((item) => [item.event.id, item.event.payout_reference])).toEqual([
      [eventId, 'payroll-17'],
    ]);
  }
});

test('an event of a refund has the refund behind the fields of its payment', async () => {
  const merchant = await world.merchant();
  const refund = { id: newId(), asset: 'usdc-base', amount: '2.500000' };
  const eventId = await merchant.emit({ type: 'payment_refunded', refund });
  const { rows } = await world.db.query<{ body: string }>('SELECT body FROM events WHERE id = $1', [eventId]);
  expect(rows[0]!.body).toMatch(
    new RegExp(
      `"timestamp":\\d+,"refund_id":"${refund.id}","refund_asset":"usdc-base","refund_amount":"2.500000"}$`,
    ),
  );
});

test('events of payments are counted once they are committed', async () => {
  const registry = new Registry();
  createEventMetrics(registry);
  const count = async () =>
    Number(/type="payment_completed",mode="test"} (\d+)/.exec(await registry.metrics())?.[1] ?? 0);
  const merchant = await world.merchant();
  await merchant.emit({ type: 'payment_completed' });
  const before = await count();
  expect(before).toBeGreaterThan(0);
  const undone = transaction(world.db, async (tx) => {
    await recordEvents(tx, world.hints, [eventOf(merchant.id, { type: 'payment_completed' })]);
    throw new Error('undone');
  });
  await expect(undone).rejects.toThrow('undone');
  expect(await count()).toBe(before);
});
