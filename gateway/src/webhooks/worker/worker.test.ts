import { createHmac } from 'node:crypto';
import { Webhook } from 'standardwebhooks';
import { describe, expect, test } from 'vitest';
import { createWorld, type Merchant, startReceiver } from '../../../test/webhooks/fixtures.ts';
import { transaction } from '../../kit/db/db.ts';
import { deleteEndpoint, shiftTestDeliveries, updateEndpoint } from '../endpoints/endpoints.ts';
import { rollSecret } from '../endpoints/secrets.ts';
import { resendEvents } from '../events/events.ts';

const world = await createWorld();

async function deliveryOf(eventId: string) {
  const { rows } = await world.db.query(
    `SELECT status, attempts, round(extract(epoch FROM next_attempt_at - now()))::integer AS wait,
       (SELECT array_agg(status_code ORDER BY n) FROM delivery_attempts WHERE delivery_id = id) AS codes,
       (SELECT array_agg(error ORDER BY n) FROM delivery_attempts WHERE delivery_id = id) AS errors
     FROM deliveries WHERE event_id = $1`,
    [eventId],
  );
  return rows[0];
}

const advance = ({ id }: Merchant, seconds: number) =>
  transaction(world.db, (tx) => shiftTestDeliveries(tx, id, seconds));

describe('a webhook', () => {
  test('carries the stored bytes, both signatures and its ids', async () => {
    const receiver = await startReceiver();
    const merchant = await world.merchant();
    const endpoint = await merchant.endpoint(receiver.url);
    const eventId = await merchant.emit({ sequence: 7 });
    expect(await world.runDue(merchant)).toBe(1);

    const { headers, raw } = receiver.got[0]!;
    expect(headers).toMatchObject({
      'content-type': 'application/json',
      'x-event-id': eventId,
      'webhook-id': eventId,
      'x-sequence': '7',
    });
    expect(headers['x-signature']).toBe(
      createHmac('sha256', merchant.keys.test).update(raw).digest('base64'),
    );
    const verified = new Webhook(endpoint.secret).verify(raw, headers as Record<string, string>);
    expect(verified).toMatchObject({ event_id: eventId, customer_email: 'zoë@example.com' });
    expect(await deliveryOf(eventId)).toMatchObject({ status: 'delivered', attempts: 1, codes: [200] });
  });

  test('is signed with the old and the new secret while one is being rolled', async () => {
    const receiver = await startReceiver();
    const merchant = await world.merchant();
    const { id, secret } = await merchant.endpoint(receiver.url);
    await transaction(world.db, (tx) => rollSecret(tx, world, id, { overlapSeconds: 3600, now: new Date() }));
    await merchant.emit();
    await world.runDue(merchant);
    const { headers, raw } = receiver.got[0]!;
    expect(headers['webhook-signature']!.toString().split(' ')).toHaveLength(2);
    expect(() => new Webhook(secret).verify(raw, headers as Record<string, string>)).not.toThrow();
  });

  test('that is sent again has the same id and the same bytes', async () => {
    const receiver = await startReceiver();
    const merchant = await world.merchant();
    await merchant.endpoint(receiver.url);
    const eventId = await merchant.emit();
    await world.runDue(merchant);
    await transaction(world.db, (tx) => resendEvents(tx, world.hints, [eventId], new Date()));
    await world.runDue(merchant);
    const [first, second] = receiver.got;
    expect(second!.raw.equals(first!.raw)).toBe(true);
    expect(second!.headers['webhook-id']).toBe(first!.headers['webhook-id']);
  });
});

describe('a delivery that fails', () => {
  test('is retried on the schedule by the test clock, and has failed after ten retries', async () => {
    const receiver = await startReceiver((response) => void response.writeHead(500).end('down'));
    const merchant = await world.merchant();
    await merchant.endpoint(receiver.url);
    const eventId = await merchant.emit();
    const waits: number[] = [];
    for (let attempt = 1; attempt <= 11; attempt++) {
      expect(await world.runDue(merchant)).toBe(1);
      const { wait } = await deliveryOf(eventId);
      if (wait === null) break;
      waits.push(wait);
      await advance(merchant, wait - 5);
      expect(await world.runDue(merchant)).toBe(0);
      await advance(merchant, 6);
    }
    expect(waits).toEqual([60, 300, 1800, 7200, ...Array(6).fill(86_400)]);
    expect(receiver.got).toHaveLength(11);
    expect(await deliveryOf(eventId)).toMatchObject({ status: 'failed', attempts: 11 });
    expect(new Set(receiver.got.map(({ raw }) => raw.toString())).size).toBe(1);
  });

  test('because of a redirect says that those are not followed', async () => {
    const elsewhere = { location: 'https://shop.example/webhook/' };
    const receiver = await startReceiver((response) => void response.writeHead(308, elsewhere).end());
    const merchant = await world.merchant();
    await merchant.endpoint(receiver.url);
    const eventId = await merchant.emit();
    await world.runDue(merchant);
    expect(await deliveryOf(eventId)).toMatchObject({
      status: 'pending',
      errors: ['Answered 308: redirects are not followed'],
    });
  });

  test('ends at once with 410', async () => {
    const receiver = await startReceiver((response) => void response.writeHead(410).end());
    const merchant = await world.merchant();
    await merchant.endpoint(receiver.url);
    const eventId = await merchant.emit();
    await world.runDue(merchant);
    expect(await deliveryOf(eventId)).toMatchObject({
      status: 'failed',
      codes: [410],
      errors: ['Answered 410'],
    });
  });

  test('waits as long as Retry-After asks', async () => {
    const receiver = await startReceiver(
      (response) => void response.writeHead(429, { 'Retry-After': '900' }).end(),
    );
    const merchant = await world.merchant();
    await merchant.endpoint(receiver.url);
    const eventId = await merchant.emit();
    await world.runDue(merchant);
    expect((await deliveryOf(eventId)).wait).toBeCloseTo(945, -1);
  });

  test('says so when its target is not allowed any more', async () => {
    const receiver = await startReceiver();
    const merchant = await world.merchant();
    await merchant.endpoint(receiver.url);
    await world.db.query('UPDATE integrations SET allow_private_webhooks = false WHERE id = $1', [
      merchant.id,
    ]);
    const eventId = await merchant.emit();
    await world.runDue(merchant);
    expect(receiver.got).toHaveLength(0);
    expect(await deliveryOf(eventId)).toMatchObject({
      status: 'pending',
      errors: ['127.0.0.1 leads to an address that is not on the public internet'],
    });
  });

  test('keeps an answer with NUL and broken UTF-8 as far as text goes', async () => {
    const receiver = await startReceiver((response) => void response.end(Buffer.from([0x61, 0, 0xff, 0x62])));
    const merchant = await world.merchant();
    await merchant.endpoint(receiver.url);
    await merchant.emit();
    await world.runDue(merchant);
    const { rows } = await world.db.query(
      `SELECT response FROM delivery_attempts a JOIN deliveries d ON d.id = a.delivery_id WHERE d.integration_id = $1`,
      [merchant.id],
    );
    expect(rows).toEqual([{ response: 'a\uFFFD\uFFFDb' }]);
  });
});

describe('an endpoint', () => {
  test('that is paused keeps what waits for it until it is active again', async () => {
    const receiver = await startReceiver();
    const merchant = await world.merchant();
    const { id } = await merchant.endpoint(receiver.url);
    await merchant.emit();
    const turn = (status: 'active' | 'paused') =>
      transaction(world.db, (tx) => updateEndpoint(tx, world.hints, id, { status, now: new Date() }));
    await turn('paused');
    expect(await world.runDue(merchant)).toBe(0);
    await turn('active');
    expect(await world.runDue(merchant)).toBe(1);
  });

  test('that is deleted touches nothing that waits for it; workers end it before its time, and say why', async () => {
    const receiver = await startReceiver((response) => void response.writeHead(500).end());
    const merchant = await world.merchant();
    const { id } = await merchant.endpoint(receiver.url);
    const events = [await merchant.emit(), await merchant.emit()];
    await world.runDue(merchant);
    const rows = async () =>
      (await world.db.query('SELECT xmin::text, status FROM deliveries WHERE endpoint_id = $1', [id])).rows;
    const before = await rows();
    await transaction(world.db, (tx) => deleteEndpoint(tx, world.hints, id, new Date()));
    expect(await rows()).toEqual(before);
    const worker = world.worker();
    worker.start();
    await expect.poll(async () => (await rows()).map(({ status }) => status)).toEqual(['failed', 'failed']);
    await worker.stop();
    expect(receiver.got).toHaveLength(2);
    expect((await deliveryOf(events[0]!)).errors).toEqual(['Answered 500', 'The endpoint was deleted']);
  });
});
