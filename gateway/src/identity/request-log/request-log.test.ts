import type { FastifyInstance } from 'fastify';
import { pino } from 'pino';
import { beforeEach, describe, expect, test } from 'vitest';
import { testDatabase } from '../../../test/support/database.ts';
import { seedIntegration, silentLog, testClock } from '../../../test/support/fixtures.ts';
import type { Database } from '../../kit/db/db.ts';
import { refuse } from '../../kit/errors.ts';
import { createServer, envelope, sendEnvelope } from '../../kit/http/http.ts';
import { identityErrors } from '../errors.ts';
import { createGuards } from '../keys/guards.ts';
import { createKeyLookup, type KeyOwner } from '../keys/keys.ts';
import { unpackBodies } from './request-bodies.ts';
import { createRequestLog, type RequestLog } from './request-log.ts';
import {
  countDropped,
  findRequest,
  forgetRequests,
  listRequests,
  requestsOfPayment,
} from './request-reads.ts';

const clock = testClock();
let db: Database;
let app: FastifyInstance;
let log: RequestLog;
let owner: KeyOwner;
let secretKey: string;

beforeEach(async () => {
  db ??= (await testDatabase()).db;
  const seeded = await seedIntegration(db);
  owner = { integrationId: seeded.integrationId, mode: 'test' };
  secretKey = seeded.secretKey;
  log = createRequestLog({ db, now: clock.now, log: silentLog });
  app = serve(db, log);
});

function serve(database: Database, requestLog: RequestLog): FastifyInstance {
  const server = createServer({ log: silentLog, trustProxy: false });
  const findKey = createKeyLookup(database, clock.now);
  const guards = createGuards({ findKey, now: clock.now, rateLimit: false });
  const onRequest = guards.key('read payments');
  requestLog.observe(server);
  server.put('/payment/create', { onRequest }, (_request, reply) =>
    sendEnvelope(reply, envelope('Payment created', { PaymentData: { payment_reference: 'MADE-1' } })),
  );
  server.get('/payments/:payment_reference', { onRequest }, async () => {
    throw refuse(identityErrors.not_approved);
  });
  server.get('/big', { onRequest }, (_request, reply) =>
    sendEnvelope(reply, envelope('é'.repeat(8_000), null)),
  );
  return server;
}

const call = (method: 'GET' | 'PUT', url: string, payload?: string, key = secretKey) =>
  app.inject({
    method,
    url,
    headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
    ...(payload === undefined ? {} : { payload }),
  });

async function logged(filter: object = {}) {
  await log.flush();
  return (await listRequests(db, owner, filter, { before: null, limit: 100 })).items;
}

describe('a request that a key made', () => {
  test('is logged with its body and its answer, without the key', async () => {
    await call('PUT', '/payment/create?x=1', `{"note":"${secretKey}"}`);
    const [line] = await logged();
    expect(line).toMatchObject({
      method: 'PUT',
      route: '/payment/create',
      path: '/payment/create?x=1',
      status: 200,
      error: null,
      payment_reference: 'MADE-1',
      key: { hint: secretKey.slice(-4) },
    });
    expect(await findRequest(db, owner, line!.id)).toMatchObject({
      request_body: '{"note":"sk_test_[redacted]"}',
      response_body: expect.stringContaining('Payment created'),
      request_cut: false,
      response_cut: false,
    });
    const { rows } = await db.query<{ row: string; content: Buffer }>(
      'SELECT r::text AS row, b.content FROM api_requests r JOIN api_request_bodies b ON b.id = r.bodies_id',
    );
    const stored = rows.flatMap(({ row, content }) => [row, JSON.stringify(unpackBodies(content, 0))]);
    expect(stored).toHaveLength(2);
    expect(stored.filter((text) => text.includes(secretKey))).toEqual([]);
  });

  test('is found by its payment, which the path or the answer names', async () => {
    await call('PUT', '/payment/create', '{}');
    await call('GET', '/payments/MADE-1');
    await call('GET', '/payments/OTHER');
    await log.flush();
    const found = await requestsOfPayment(db, owner, 'MADE-1', 10);
    expect(found.map(({ status, error }) => [status, error])).toEqual(
      expect.arrayContaining([
        [403, 'not_approved'],
        [200, null],
      ]),
    );
    expect(found).toHaveLength(2);
  });

  test('is cut at 8 KiB between two characters, and marked as cut', async () => {
    await call('GET', '/big');
    const [line] = await logged();
    const { response_body: body, response_cut: wasCut } = await findRequest(db, owner, line!.id);
    expect(wasCut).toBe(true);
    expect(Buffer.byteLength(body!)).toBeLessThanOrEqual(8_192);
    expect(body!.endsWith('é')).toBe(true);
  });

  test('may have bytes that are not text', async () => {
    await app.inject({
      method: 'PUT',
      url: '/payment/create',
      headers: { authorization: `Bearer ${secretKey}`, 'content-type': 'application/json' },
      payload: Buffer.from([0x7b, 0x00, 0xff, 0x7d]),
    });
    const [line] = await logged();
    expect((await findRequest(db, owner, line!.id)).request_body).toBe('{\ufffd\ufffd}');
  });

  test('can only be read by its owner', async () => {
    await call('GET', '/payments/MADE-1');
    const [line] = await logged();
    const stranger = { integrationId: (await seedIntegration(db)).integrationId, mode: 'test' } as const;
    await expect(findRequest(db, stranger, line!.id)).rejects.toThrow('Not found');
    await expect(findRequest(db, { ...owner, mode: 'live' }, line!.id)).rejects.toThrow('Not found');
  });
});

test('a request that was stored before bodies were packed is still shown whole', async () => {
  await call('PUT', '/payment/create?x=1', '{"amount":5}');
  const [line] = await logged();
  const now = await findRequest(db, owner, line!.id);
  await db.query(
    `UPDATE api_requests SET bodies_id = NULL, bodies_place = NULL, request_body = $2, request_cut = false,
       response_body = $3, response_cut = false WHERE id = $1`,
    [line!.id, now.request_body, now.response_body],
  );
  expect(await findRequest(db, owner, line!.id)).toEqual(now);
});

test('the path of a request is shown as it was called, though most are not stored', async () => {
  const asked = ['/payments/MADE-1', '/payments/MADE-2?expand=x', '/payments/$&', '/big'];
  for (const path of asked) await call('GET', path);
  const lines = await logged();
  expect(lines.map(({ path }) => path).sort()).toEqual(asked.toSorted());
  for (const { id, path } of lines) expect(await findRequest(db, owner, id)).toMatchObject({ path });
  const { rows } = await db.query('SELECT path FROM api_requests WHERE path IS NOT NULL');
  expect(rows).toContainEqual({ path: '/payments/MADE-2?expand=x' });
  expect(rows).not.toContainEqual({ path: '/payments/MADE-1' });
});

test('a request without a valid key is not logged', async () => {
  await call('GET', '/payments/MADE-1', undefined, `sk_test_${'x'.repeat(32)}`);
  await app.inject('/payments/MADE-1');
  expect(await logged()).toEqual([]);
});

test('the list is filtered by status, method, path, key and a search', async () => {
  await call('PUT', '/payment/create', '{}');
  await call('GET', '/payments/R-1');
  await call('GET', '/big');
  const paths = async (filter: object) => (await logged(filter)).map(({ path }) => path).sort();
  expect(await paths({ statusClass: 4 })).toEqual(['/payments/R-1']);
  expect(await paths({ method: 'PUT' })).toEqual(['/payment/create']);
  expect(await paths({ path: '/payments' })).toEqual(['/payments/R-1']);
  expect(await paths({ q: 'R-1' })).toEqual(['/payments/R-1']);
  expect(await paths({ q: 'not_approved' })).toEqual(['/payments/R-1']);
  expect(await paths({ q: 'MADE-1' })).toEqual(['/payment/create']);
  expect(await paths({ keyId: owner.integrationId })).toEqual([]);
  expect(await paths({ to: clock.now() })).toHaveLength(3 - (await paths({ from: clock.now() })).length);
});

test('pages follow each other without a gap or a repeat', async () => {
  for (let n = 0; n < 7; n += 1) await call('GET', `/payments/R-${n}`);
  await log.flush();
  const seen: string[] = [];
  let before: string | null = null;
  do {
    const page = await listRequests(db, owner, {}, { before, limit: 3 });
    seen.push(...page.items.map(({ id }) => id));
    before = page.next;
  } while (before !== null);
  expect(seen).toEqual((await logged()).map(({ id }) => id));
  expect(seen).toHaveLength(7);
});

describe('when requests come too fast', () => {
  test('requests that do not fit are counted, and the count is shown', async () => {
    const exchanges = Array.from({ length: 5_003 }, () => call('GET', '/payments/R'));
    await Promise.all(exchanges);
    expect(log.dropped()).toBe(3);
    await log.flush();
    expect(await countDropped(db, owner, {})).toBe(3);
    expect(await countDropped(db, { ...owner, mode: 'live' }, {})).toBe(0);
  });

  test('the program says so at once, and then once a minute', async () => {
    const lines: string[] = [];
    const stream = { write: (line: string) => void lines.push(line) };
    log = createRequestLog({ db, now: clock.now, log: pino({ base: null }, stream), maxWaiting: 1 });
    app = serve(db, log);
    for (const seconds of [0, 30, 30]) {
      clock.advance(seconds);
      await Promise.all([call('GET', '/big'), call('GET', '/big')]);
      await log.flush();
    }
    expect(lines.map((line) => JSON.parse(line).dropped)).toEqual([1, 3]);
  });
});

test('requests wait until the database is back', async () => {
  await call('GET', '/payments/R');
  await db.query('ALTER TABLE api_requests RENAME TO away');
  await expect(log.flush()).rejects.toThrow();
  await db.query('ALTER TABLE away RENAME TO api_requests');
  expect(await logged()).toHaveLength(1);
});

test('stopping writes the rest', async () => {
  log.start();
  await call('GET', '/payments/R');
  await log.stop();
  expect(await requestsOfPayment(db, owner, 'R', 10)).toHaveLength(1);
});

test('requests are deleted after 30 days, and no sooner', async () => {
  const days = testClock();
  log = createRequestLog({ db, now: days.now, log: silentLog });
  app = serve(db, log);
  await call('GET', '/payments/OLD');
  await log.flush();
  days.advance(29 * 24 * 3600);
  await forgetRequests(db, days.now());
  expect(await requestsOfPayment(db, owner, 'OLD', 10)).toHaveLength(1);
  days.advance(25 * 3600);
  await forgetRequests(db, days.now());
  expect(await requestsOfPayment(db, owner, 'OLD', 10)).toEqual([]);
  const left =
    'SELECT FROM api_request_bodies b WHERE NOT EXISTS (SELECT FROM api_requests WHERE bodies_id = b.id)';
  expect((await db.query(left)).rowCount).toBe(0);
});

test('bodies are kept as long as one of the requests that share a pack', async () => {
  const days = testClock();
  log = createRequestLog({ db, now: days.now, log: silentLog });
  app = serve(db, log);
  await call('GET', '/payments/FIRST');
  days.advance(24 * 3600);
  await call('GET', '/payments/SECOND');
  await log.flush();
  days.advance(29.5 * 24 * 3600);
  await forgetRequests(db, days.now());
  expect(await requestsOfPayment(db, owner, 'FIRST', 10)).toEqual([]);
  const [second] = await requestsOfPayment(db, owner, 'SECOND', 10);
  expect((await findRequest(db, owner, second!.id)).response_body).toContain('not_approved');
});
