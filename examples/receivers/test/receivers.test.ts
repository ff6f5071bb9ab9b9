import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest';
import { orders } from '../src/memory-store.ts';
import { frameworks, type RunningReceiver, serveReceiver } from '../src/serve.ts';
import { deliver, endpointSecret, eventOf, secretKey, signed } from './deliver.ts';

const otherKey = 'sk_test_zzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzz';
const otherSecret = `whsec_${Buffer.alloc(32).toString('base64')}`;

beforeEach(() => {
  vi.stubEnv('FLORIN_SECRET_KEY', secretKey);
  vi.stubEnv('FLORIN_WEBHOOK_SECRET', endpointSecret);
});

/** An open order whose payment has this reference. */
function placeOrder(): string {
  const paymentReference = `ORDER_${randomUUID()}`;
  orders.add({ paymentReference, amount: 18.5, currency: 'USDC', status: 'open' });
  return paymentReference;
}

const statusOf = (reference: string) => orders.find(reference)?.status;

describe.each(frameworks)('the receiver in %s', (framework) => {
  let receiver: RunningReceiver;
  beforeAll(async () => {
    receiver = await serveReceiver(framework);
  });
  afterAll(() => receiver.close());
  const send = (request: RequestInit) => deliver(receiver.url, request);

  test('marks the order paid once its payment is completed', async () => {
    const reference = placeOrder();
    expect(await send(signed(eventOf(reference)))).toEqual({ status: 200, text: 'applied' });
    expect(statusOf(reference)).toBe('paid');
  });

  test('processes an event once, though it comes many times at the same moment', async () => {
    const reference = placeOrder();
    const request = signed(eventOf(reference));
    const answers = await Promise.all(Array.from({ length: 20 }, () => send(request)));
    expect(answers.map(({ status }) => status)).toEqual(Array.from({ length: 20 }, () => 200));
    expect(answers.filter(({ text }) => text === 'applied')).toHaveLength(1);
    expect(answers.filter(({ text }) => text === 'repeated')).toHaveLength(19);
    expect((await send(signed(JSON.parse(request.body as string)))).text).toBe('repeated');
  });

  test.each([
    ['payment_failed', 'failed'],
    ['payment_abandoned', 'open'],
  ])('after %s the order is %s', async (type, status) => {
    const reference = placeOrder();
    expect((await send(signed(eventOf(reference, type)))).status).toBe(200);
    expect(statusOf(reference)).toBe(status);
  });

  test('leaves a paid order paid when an earlier event comes late', async () => {
    const reference = placeOrder();
    await send(signed(eventOf(reference)));
    await send(signed(eventOf(reference, 'payment_pending')));
    await send(signed(eventOf(reference, 'payment_failed')));
    expect(statusOf(reference)).toBe('paid');
  });

  test('does not take another amount for the price', async () => {
    const reference = placeOrder();
    await send(signed(eventOf(reference, 'payment_completed', { amount: 1.85 })));
    expect(statusOf(reference)).toBe('to be looked at');
  });

  test('answers 200 to what is not its business', async () => {
    const disabled = { event_id: randomUUID(), event_type: 'webhook_endpoint_disabled', endpoint_id: 'e' };
    const events = [eventOf('NOT_OURS'), eventOf(placeOrder(), 'payment_delighted'), disabled];
    for (const event of events) expect(await send(signed(event))).toEqual({ status: 200, text: 'ignored' });
  });

  test('refuses what the gateway did not send, says why, and goes on', async () => {
    const reference = placeOrder();
    const event = eventOf(reference);
    const genuine = signed(event);
    const unsigned = { ...genuine, headers: { 'Content-Type': 'application/json' } };
    const refused: [RequestInit, RegExp][] = [
      [signed(event, { secretKey: otherKey }), /secretKey is an old one/],
      [signed(event, { endpointSecret: otherSecret }), /endpointSecret is an old one/],
      [signed(event, { secretKey: otherKey, endpointSecret: otherSecret }), /does not fit the body/],
      [{ ...genuine, body: JSON.stringify({ ...event, amount: 0.01 }) }, /does not fit the body/],
      [unsigned, /x-signature is missing/],
      [signed(event, { at: new Date(Date.now() - 3_600_000) }), /sent 360\d s ago/],
      [{ ...genuine, body: '' }, /body is (?:empty|missing)|parsed/],
      [{ ...genuine, body: 'not json' }, /does not fit the body/],
    ];
    for (const [request, words] of refused) {
      expect(await send(request)).toEqual({ status: 400, text: expect.stringMatching(words) });
    }
    expect(statusOf(reference)).toBe('open');
    expect(await send(genuine)).toEqual({ status: 200, text: 'applied' });
  });

  test('takes either of two secrets while one is being rolled', async () => {
    vi.stubEnv('FLORIN_SECRET_KEY', `${otherKey},${secretKey}`);
    vi.stubEnv('FLORIN_WEBHOOK_SECRET', `${endpointSecret},${otherSecret}`);
    const [first, second] = [placeOrder(), placeOrder()];
    const rolled = { secretKey: otherKey, endpointSecret: otherSecret };
    expect((await send(signed(eventOf(first)))).status).toBe(200);
    expect((await send(signed(eventOf(second), rolled))).status).toBe(200);
  });

  test('believes nothing while a secret is not set, and asks for the webhook again', async () => {
    vi.spyOn(console, 'error').mockImplementation(() => {});
    vi.stubEnv('FLORIN_WEBHOOK_SECRET', '');
    const reference = placeOrder();
    expect((await send(signed(eventOf(reference)))).status).toBe(500);
    expect(statusOf(reference)).toBe('open');
  });
});
