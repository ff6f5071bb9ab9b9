import { expect, onTestFinished, test } from 'vitest';
import { failure, ok, serveAnswers } from '../test/server.ts';
import type { PaymentInput } from './api-payments.ts';
import { createClient } from './client.ts';
import { FlorinError } from './errors.ts';

const secretKey = 'sk_test_0123456789abcdefghijABCDEFGHIJ01';
const payment: PaymentInput = { amount: 12.5, currency: 'USDC', payment_type: 'deposit' };

async function clientOf(...answers: Parameters<typeof serveAnswers>) {
  const server = await serveAnswers(...answers);
  return { ...server, client: createClient({ secretKey, baseUrl: server.baseUrl, maxRetries: 0 }) };
}

test('create sends the body with the key and returns the data of the envelope', async () => {
  const data = { PaymentData: { payment_reference: 'PAY_1' }, PaymentURL: 'http://pay/?reference=PAY_1' };
  const { client, received } = await clientOf(ok(data));

  expect(await client.payments.create(payment, { idempotencyKey: 'order-7' })).toEqual({
    ...data,
    replayed: false,
  });
  expect(received).toHaveLength(1);
  expect(received[0]).toMatchObject({ method: 'PUT', url: '/payment/create', body: JSON.stringify(payment) });
  expect(received[0]!.headers).toMatchObject({
    authorization: `Bearer ${secretKey}`,
    'content-type': 'application/json',
    'idempotency-key': 'order-7',
  });
});

test('every write carries an idempotency key, and no read does', async () => {
  const { client, received } = await clientOf(ok({ items: [], next_cursor: null }));
  await client.payments.create(payment);
  await client.fundUser({ username: 'john_doe', amount: 5, currency: 'pi' });
  await client.webhookEndpoints.delete('we_1');
  await client.test.clock.advance(600);
  await client.payments.info('PAY_1');
  await client.balances.list();

  const keys = received.map((request) => request.headers['idempotency-key']);
  expect(new Set(keys.slice(0, 4)).size).toBe(4);
  expect(keys.slice(0, 4).every((key) => key && key.length === 36)).toBe(true);
  expect(keys.slice(4)).toEqual([undefined, undefined]);
});

test('each call goes to its own method and path', async () => {
  const { client, received } = await clientOf(ok({}));
  const { payments, events, webhookEndpoints, test: testMode } = client;
  await payments.info('order:1~a@b');
  await payments.get('a.b');
  await payments.cancel('a.b');
  await payments.list({ status: 'completed', limit: 5 });
  await client.fundUser({ username: 'x', amount: 1, currency: 'pi' });
  await client.balanceEntries.list({ asset: 'pi' });
  await events.list({ type: 'payment_failed' });
  await events.get('e1');
  await events.resend('e1');
  await webhookEndpoints.list();
  await webhookEndpoints.create({ url: 'https://shop.example/hook' });
  await webhookEndpoints.get('w1');
  await webhookEndpoints.update('w1', { status: 'paused' });
  await webhookEndpoints.rollSecret('w1', { overlap_seconds: 60 });
  await webhookEndpoints.endOverlap('w1');
  await webhookEndpoints.test('w1', { event_type: 'payment_failed' });
  await webhookEndpoints.deliveries('w1');
  await webhookEndpoints.replay('w1');
  await testMode.simulate('a.b', 'success');
  await testMode.simulate('a.b', ['underpaid', 'slow']);
  await testMode.simulate('a.b', { outcome: 'split', delay_seconds: 30 });
  await testMode.script('a.b', ['split', 'late']);
  await testMode.scenarios();
  await testMode.chaos.get('w1');
  await testMode.chaos.set('w1', { drop: 10 });
  await testMode.checks.start('w1');
  await testMode.checks.list('w1');
  await testMode.checks.get('w1', 'c1');
  await testMode.clock.get();
  await testMode.clock.reset();

  expect(received.map(({ method, url, body }) => [method, url, body].join(' ').trim())).toEqual([
    'GET /payment/info/order%3A1~a%40b',
    'GET /payments/a.b',
    'POST /payments/a.b/cancel',
    'GET /payments?status=completed&limit=5',
    'POST /payment/fund-user {"username":"x","amount":1,"currency":"pi"}',
    'GET /balance-entries?asset=pi',
    'GET /events?type=payment_failed',
    'GET /events/e1',
    'POST /events/e1/resend',
    'GET /webhook-endpoints',
    'POST /webhook-endpoints {"url":"https://shop.example/hook"}',
    'GET /webhook-endpoints/w1',
    'PATCH /webhook-endpoints/w1 {"status":"paused"}',
    'POST /webhook-endpoints/w1/roll-secret {"overlap_seconds":60}',
    'POST /webhook-endpoints/w1/end-overlap',
    'POST /webhook-endpoints/w1/test {"event_type":"payment_failed"}',
    'GET /webhook-endpoints/w1/deliveries',
    'POST /webhook-endpoints/w1/replay {}',
    'POST /test/payments/a.b/simulate {"outcome":"success"}',
    'POST /test/payments/a.b/simulate {"outcome":["underpaid","slow"]}',
    'POST /test/payments/a.b/simulate {"outcome":"split","delay_seconds":30}',
    'GET /test/payments/a.b/script?outcome=split&outcome=late',
    'GET /test/scenarios',
    'GET /test/webhook-endpoints/w1/chaos',
    'PUT /test/webhook-endpoints/w1/chaos {"drop":10}',
    'POST /test/webhook-endpoints/w1/checks',
    'GET /test/webhook-endpoints/w1/checks',
    'GET /test/webhook-endpoints/w1/checks/c1',
    'GET /test/clock',
    'POST /test/clock/reset',
  ]);
});

test('a reference that would be another call’s path is refused before anything is sent', async () => {
  const { client, received } = await clientOf(ok({}));
  for (const reference of ['', '.', '..', undefined as unknown as string]) {
    await expect(client.payments.get(reference)).rejects.toThrow(/payment_reference must be a text/);
  }
  expect(received).toEqual([]);
});

test('health and readiness come without an envelope, and a gateway that is not ready is no error', async () => {
  const { client, received } = await clientOf(
    { body: { status: 'ok' } },
    { status: 503, body: { status: 'waiting', for: ['database'] } },
    { body: '<h1>It works</h1>' },
  );
  expect(await client.health()).toEqual({ status: 'ok' });
  expect(await client.ready()).toEqual({ status: 'waiting', for: ['database'] });
  await expect(client.ready()).rejects.toMatchObject({ slug: 'unexpected_response', status: 200 });
  expect(received.map(({ url }) => url)).toEqual(['/health', '/ready', '/ready']);
  expect(received[0]!.headers.authorization).toBeUndefined();
});

test('listAll walks the pages and asks for the next only when it is needed', async () => {
  const { client, received } = await clientOf(
    ok({ items: [{ payment_reference: 'c' }, { payment_reference: 'b' }], next_cursor: 'x=2' }),
    ok({ items: [{ payment_reference: 'a' }], next_cursor: null }),
  );
  const seen: string[] = [];
  for await (const { payment_reference } of client.payments.listAll({ status: 'completed', limit: 2 })) {
    seen.push(payment_reference);
    if (seen.length === 2) expect(received).toHaveLength(1);
  }
  expect(seen).toEqual(['c', 'b', 'a']);
  expect(received.map((request) => request.url)).toEqual([
    '/payments?status=completed&limit=2',
    '/payments?status=completed&limit=2&cursor=x%3D2',
  ]);
});

test('a refusal becomes an error with everything the gateway said', async () => {
  const details = [
    { field: 'amount', message: 'amount must be a positive number' },
    { field: 'currency', message: 'Currency is required' },
  ];
  const body = {
    message: details[0]!.message,
    data: null,
    code: 1001,
    error: 'amount_invalid',
    request_id: 'r-9',
  };
  const { client } = await clientOf({ status: 400, body: { ...body, details } });

  const error = await client.payments.create(payment).catch((reason: unknown) => reason);
  expect(error).toBeInstanceOf(FlorinError);
  expect(error).toMatchObject({
    name: 'FlorinError',
    message: 'amount must be a positive number',
    status: 400,
    code: 1001,
    slug: 'amount_invalid',
    requestId: 'r-9',
    retryAfterSeconds: null,
    details,
  });
});

test('an answer that is not the gateway’s is reported as such', async () => {
  const page = await clientOf({ status: 404, body: '<h1>nginx</h1>' });
  await expect(page.client.balances.list()).rejects.toMatchObject({
    slug: 'unexpected_response',
    status: 404,
  });
  const fine = await clientOf({ body: 'OK' });
  await expect(fine.client.balances.list()).rejects.toMatchObject({
    slug: 'unexpected_response',
    status: 200,
  });
});

test('a redirect is not followed, so that the key and the body stay here', async () => {
  const { client, baseUrl, received } = await clientOf({
    status: 302,
    headers: { Location: '/elsewhere' },
    body: '',
  });
  expect(baseUrl).toContain('127.0.0.1');
  await expect(client.payments.create(payment)).rejects.toMatchObject({ status: 302 });
  expect(received).toHaveLength(1);
});

test('a key or an address that cannot be right is refused at once', () => {
  expect(() => createClient({ secretKey: 'whsec_abc', baseUrl: 'http://x' })).toThrow(/sk_test_ or sk_live_/);
  expect(() => createClient({ secretKey: '', baseUrl: 'http://x' })).toThrow(TypeError);
  expect(() => createClient({ secretKey, baseUrl: 'pay.example.com' })).toThrow(/baseUrl/);
});

test('the secret key is nowhere to be found on the client or in an error', async () => {
  const { client } = await clientOf(failure(401, 'Unauthorized: Invalid secret key'));
  const error = await client.payments.create(payment).catch((reason: unknown) => reason);
  expect(JSON.stringify([client, error])).not.toContain(secretKey);
});

test('a browser is refused', () => {
  Object.assign(globalThis, { window: {}, document: {} });
  onTestFinished(() => {
    Reflect.deleteProperty(globalThis, 'window');
    Reflect.deleteProperty(globalThis, 'document');
  });
  expect(() => createClient({ secretKey, baseUrl: 'http://x' })).toThrow(/never reach a browser/);
});

test('the key may have white space around it, as where it was read from a file, and nothing in it', async () => {
  const requests: Request[] = [];
  const answer = async (request: Request | URL | string, init?: RequestInit) => {
    requests.push(new Request(request, init));
    return Response.json({ message: 'Balances', data: { items: [], next_cursor: null } });
  };
  const options = { baseUrl: 'https://pay.example.com', fetch: answer as typeof fetch };
  await createClient({ ...options, secretKey: ' sk_test_abc\r\n' }).balances.list();
  expect(requests[0]?.headers.get('authorization')).toBe('Bearer sk_test_abc');
  expect(() => createClient({ ...options, secretKey: 'sk_test_a\nbc' })).toThrow('secretKey must be a key');
});
