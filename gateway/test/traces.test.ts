import { randomBytes } from 'node:crypto';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { beforeAll, expect, test } from 'vitest';
import type { DemoFile } from '../src/demo/seed.ts';
import { atFileEnd } from './suite/endings.ts';
import { type Api, type CreatedPayment, createApi } from './support/api.ts';
import { makeDataDir, removeDataDir } from './support/data-dir.ts';
import { databaseEnv, type TestDatabase, testDatabase } from './support/database.ts';
import { type GatewayProcess, spawnGateway } from './support/gateway-process.ts';
import { type Collector, openCollector, type SentSpan } from './traces/collector.ts';
import { openReceiver, type Receiver } from './webhooks/receiver.ts';

// A text that only customers and merchants of this file write.
const mark = `Mk${randomBytes(6).toString('hex')}`;
const traceId = randomBytes(16).toString('hex');
const callerSpan = randomBytes(8).toString('hex');

let database: TestDatabase;
let collector: Collector;
let receiver: Receiver;
let front: GatewayProcess;
let back: GatewayProcess;
let api: Api;

beforeAll(async () => {
  const dataDir = await makeDataDir();
  atFileEnd(() => removeDataDir(dataDir));
  const masterKeyFile = join(dataDir, 'shared.key');
  await writeFile(masterKeyFile, `${randomBytes(32).toString('base64')}\n`, { mode: 0o600 });
  database = await testDatabase();
  // The first call of each process fails.
  collector = await openCollector((call) => (call === 1 ? 400 : 200));
  receiver = await openReceiver();
  atFileEnd(() => Promise.all([collector.close(), receiver.close()]));
  const env = {
    ...{ DATA_DIR: dataDir, ...databaseEnv(database), MASTER_KEY_FILE: masterKeyFile },
    ...{ DEMO: '1', WEBHOOK_ALLOW_PRIVATE: '1', OTEL_EXPORTER_OTLP_ENDPOINT: collector.url },
    ...{ OTEL_EXPORTER_OTLP_HEADERS: 'x-tenant=one', OTEL_BSP_SCHEDULE_DELAY: '50' },
    OTEL_RESOURCE_ATTRIBUTES: 'deployment.environment.name=tests',
  };
  front = await spawnGateway(env, '--role', 'api');
  atFileEnd(() => front.end('SIGTERM'));
  await front.ready;
  const demo = JSON.parse(await readFile(join(dataDir, 'demo.json'), 'utf8')) as DemoFile;
  api = createApi(front.url, demo.secret_key);
  back = await spawnGateway({ ...env, DEMO: '0' }, '--role', 'worker');
  atFileEnd(() => back.end('SIGTERM'));
  await back.ready;
});

test('a request, its commit, the event and the attempt to deliver it are one trace, through two processes', async () => {
  const url = `${receiver.url}/${mark}?token=${mark}`;
  await api('POST', '/webhook-endpoints', { body: { url, events: ['payment_completed'] } });
  const created = await api<CreatedPayment>('PUT', '/payment/create', {
    body: {
      ...{ amount: 10, currency: 'USDC', payment_type: 'deposit', payment_reference: `REF-${mark}` },
      ...{ customer_email: `${mark}@customers.example`, customer_reference: mark, payment_note: mark },
      success_url: `https://shop.example/${mark}?q=${mark}`,
      meta_data: JSON.stringify({ [mark]: mark }),
      item_list: { items: [{ name: mark, price: 10, quantity: 1 }] },
    },
    headers: {
      'idempotency-key': mark,
      'user-agent': mark,
      cookie: `c=${mark}`,
      referer: `https://${mark}/`,
    },
  });
  expect(created.status).toBe(200);
  const { PaymentData, PaymentURL } = created.body.data;
  const path = `/test/payments/REF-${mark}/simulate?q=${mark}`;
  const headers = {
    traceparent: `00-${traceId}-${callerSpan}-01`,
    tracestate: `vendor=${mark}`,
    baggage: `user=${mark}`,
  };
  expect((await api('POST', path, { body: { outcome: 'success' }, headers })).status).toBe(200);
  await receiver.next(({ body }) => body.payment_reference === `REF-${mark}`, 'webhook');

  const inTrace = (name: string) =>
    collector.next(name, (span) => span.trace === traceId && span.name === name);
  const attempt = await inTrace('webhook attempt');
  const event = await inTrace('event payment_completed');
  const commit = await inTrace('commit');
  const request = await inTrace('POST /test/payments/:payment_reference/simulate');
  expect([request.parent, commit.parent, event.parent, attempt.parent]).toEqual([
    callerSpan,
    ...[request.id, commit.id, event.id],
  ]);
  expect(attempt.facts).toMatchObject({
    'server.address': '127.0.0.1',
    'florin.event_id': event.facts['florin.event_id'],
    'florin.outcome': 'delivered',
    'florin.attempt': '1',
    'http.response.status_code': '200',
  });
  expect(event.facts['florin.payment_id']).toBe(PaymentData.id);
  const { child } = back;
  expect(attempt.process).toMatchObject({ 'service.name': 'florin', 'service.version': '0.1.0' });
  expect(attempt.process['deployment.environment.name']).toBe('tests');
  expect(attempt.process['service.instance.id']).toMatch(new RegExp(`:${child.pid}$`));
  expect(request.process['service.instance.id']).toMatch(new RegExp(`:${front.child.pid}$`));

  // More places where strangers and merchants write.
  await fetch(`${PaymentURL}?${mark}=${mark}`);
  await fetch(`${front.url}/${mark}/${mark}?${mark}`);
  await api('POST', '/auth/sign-in', { key: null, body: { email: `${mark}@b.example`, password: mark } });
  await api('GET', `/payments/${mark}`, { key: mark });
  await api('PUT', '/payment/create', { raw: `{${mark}` });
  const statuses = ['404', '401', '400'];
  for (const status of statuses)
    await collector.next(`answer ${status}`, ({ facts }) => facts['http.response.status_code'] === status);
});

test('of what customers and merchants write, nothing is in what was sent', () => {
  const sent = collector.bytes().toString('latin1');
  expect(sent).toContain('/test/payments/:payment_reference/simulate');
  expect(sent.toLowerCase()).not.toContain(mark.toLowerCase());
  // Nor who they are, or which key they have.
  expect(sent).not.toMatch(/127\.0\.0\.1:|customers\.example|sk_|Bearer/);
});

test('spans say what the documentation lists, and nothing else', async () => {
  const said = new Set(collector.spans().flatMap(({ facts }: SentSpan) => Object.keys(facts)));
  const documented = await readFile(join(import.meta.dirname, '../../docs/traces.md'), 'utf8');
  const listed = new Set(
    [...documented.matchAll(/`((?:http|florin|server|error)\.[\w.]+)`/g)].map(([, name]) => name),
  );
  expect([...said].filter((name) => !listed.has(name))).toEqual([]);
});

test('the headers of the settings are sent; what asks whether a gateway is well is not traced', () => {
  expect(new Set(collector.headers().map((each) => each['x-tenant']))).toEqual(new Set(['one']));
  expect(collector.spans().filter(({ name }) => /health|ready/.test(name))).toEqual([]);
});

test('a trace that its caller does not keep leaves nothing', async () => {
  const before = await kept();
  const body = { amount: 10, currency: 'USDC', payment_type: 'deposit', payment_reference: 'UNKEPT' };
  await api('PUT', '/payment/create', { body });
  const headers = { traceparent: `00-${randomBytes(16).toString('hex')}-${callerSpan}-00` };
  await api('POST', '/test/payments/UNKEPT/simulate', { body: { outcome: 'success' }, headers });
  await receiver.next(({ body }) => body.payment_reference === 'UNKEPT', 'webhook');
  expect(await kept()).toBe(before);
});

async function kept(): Promise<number | null> {
  return (await database.db.query('SELECT FROM event_traces')).rowCount;
}

test('a gateway says once that traces cannot be sent, and sends the last ones when it ends', async () => {
  await api('GET', '/payments');
  expect(await front.end('SIGTERM')).toBe(0);
  expect(collector.spans().filter(({ name }) => name === 'GET /payments')).not.toEqual([]);
  const lines = `${front.errors()}${back.errors()}`.split('\n').filter((line) => line.includes('traces'));
  expect(lines.map((line) => JSON.parse(line).msg)).toEqual([
    'traces cannot be sent, and are dropped meanwhile',
  ]);
});
