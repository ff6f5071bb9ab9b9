import { describe, expect, test } from 'vitest';
import { createWorld, startReceiver } from '../../../test/webhooks/fixtures.ts';
import { transaction } from '../../kit/db/db.ts';
import { shiftTestDeliveries } from './endpoints.ts';
import { hasVerifiedWebhook, healthOf } from './health.ts';
import { sendTestEvent } from './test-event.ts';

const world = await createWorld();

async function receiving(status: () => number) {
  const receiver = await startReceiver((response) => void response.writeHead(status()).end());
  const merchant = await world.merchant();
  const endpoint = await merchant.endpoint(receiver.url);
  return { receiver, merchant, endpoint };
}

describe("an endpoint's health", () => {
  test('counts attempts and what still waits, and shows latencies and the last success', async () => {
    let status = 200;
    const { merchant, endpoint } = await receiving(() => status);
    await merchant.emit();
    await merchant.emit();
    await world.runDue(merchant);
    status = 500;
    await merchant.emit();
    await world.runDue(merchant);

    const health = (await healthOf(world.db, [endpoint.id])).get(endpoint.id)!;
    expect(health.last_day).toMatchObject({ delivered: 2, failed: 1 });
    expect(health.last_week).toEqual(health.last_day);
    expect(health.last_day.p95_ms).toBeGreaterThanOrEqual(health.last_day.p50_ms!);
    const total = health.hours.reduce((sum, hour) => sum + hour.delivered + hour.failed, 0);
    expect(total).toBe(3);
    expect(health.queued).toBe(1);
    const wait = Date.parse(health.next_attempt_at!) - Date.now();
    expect(wait).toBeGreaterThan(50_000);
    expect(Date.now() - Date.parse(health.last_success_at!)).toBeLessThan(60_000);
  });

  test('adds up what several processes count', async () => {
    const { merchant, endpoint } = await receiving(() => 200);
    for (let n = 0; n < 3; n++) {
      await merchant.emit();
      await world.runDue(merchant);
    }
    const health = (await healthOf(world.db, [endpoint.id])).get(endpoint.id)!;
    expect(health.last_day.delivered).toBe(3);
  });

  test('of an endpoint that was never called is empty', async () => {
    const { endpoint } = await receiving(() => 200);
    expect((await healthOf(world.db, [endpoint.id])).get(endpoint.id)).toEqual({
      last_day: { delivered: 0, failed: 0, p50_ms: null, p95_ms: null },
      last_week: { delivered: 0, failed: 0, p50_ms: null, p95_ms: null },
      hours: [],
      last_success_at: null,
      queued: 0,
      next_attempt_at: null,
    });
  });
});

test("a webhook is verified by a real payment's event that was taken, not by a test button's", async () => {
  let status = 500;
  const { merchant, endpoint } = await receiving(() => status);
  const verified = () => hasVerifiedWebhook(world.db, merchant.id, 'test');
  await merchant.emit();
  await world.runDue(merchant);
  expect(await verified()).toBe(false);

  status = 200;
  const to = { integrationId: merchant.id, mode: 'test' as const, endpointId: endpoint.id };
  await transaction(world.db, (tx) =>
    sendTestEvent(tx, world.hints, to, { type: 'payment_completed', at: new Date() }),
  );
  await world.runDue(merchant);
  expect(await verified()).toBe(false);

  await transaction(world.db, (tx) => shiftTestDeliveries(tx, merchant.id, 90));
  expect(await world.runDue(merchant)).toBe(1);
  expect(await verified()).toBe(true);
  expect(await hasVerifiedWebhook(world.db, merchant.id, 'live')).toBe(false);
});
