import { connect } from 'node:net';
import { PassThrough, Readable } from 'node:stream';
import { gzipSync } from 'node:zlib';
import type { FastifyInstance } from 'fastify';
import { pino } from 'pino';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { silentLog } from '../../../test/support/fixtures.ts';
import { kitErrors, Refusal } from '../errors.ts';
import { createServer, envelope, idempotencyKeyOf, sendAnswer, sendEnvelope } from './http.ts';

const logged: string[] = [];
const lines = new PassThrough();
lines.on('data', (chunk: Buffer) => logged.push(chunk.toString()));

let app: FastifyInstance;
beforeAll(async () => {
  app = createServer({ log: pino(lines), trustProxy: false });
  app.post('/echo', async (request, reply) =>
    sendEnvelope(reply, envelope('Echo', { kind: typeof request.body, bytes: request.rawBody?.length ?? 0 })),
  );
  app.route({
    method: ['GET', 'DELETE'],
    url: '/echo/:word',
    handler: async (request, reply) => sendEnvelope(reply, envelope('Echo', request.params as object)),
  });
  app.post('/keyed', async (request, reply) => {
    const key = idempotencyKeyOf(request, 'scope');
    return sendAnswer(reply, { body: envelope('Keyed', { key: key?.key ?? null }), replayed: true });
  });
  app.get('/refused', async () => {
    const details = [{ field: 'amount', message: 'amount is too large' }];
    throw new Refusal(kitErrors.rate_limited, 'amount is too large', {
      details,
      headers: { 'retry-after': '7' },
    });
  });
  app.get('/broken', async () => {
    throw new Error('the password of the database is hunter2');
  });
  app.get('/away', async () => {
    throw Object.assign(new Error('connect ECONNREFUSED 10.0.0.5:5432'), { code: 'ECONNREFUSED' });
  });
  await app.ready();
});
afterAll(() => app.close());

type Body = {
  message: string;
  data: unknown;
  code?: number;
  error?: string;
  request_id?: string;
  details?: unknown;
};

async function post(payload: string | Buffer, headers: Record<string, string> = {}) {
  const json = { 'content-type': 'application/json' };
  const response = await app.inject({
    method: 'POST',
    url: '/echo',
    payload,
    headers: { ...json, ...headers },
  });
  return { status: response.statusCode, body: response.json<Body>() };
}

const uuid = /^[0-9a-f]{8}-[0-9a-f-]{27}$/;
const refused = (row: { status: number; message: string; code: number; slug: string }) => ({
  status: row.status,
  body: {
    message: row.message,
    data: null,
    code: row.code,
    error: row.slug,
    request_id: expect.stringMatching(uuid),
  },
});

test('a success is an envelope of message and data', async () => {
  expect(await post('{"a":1}')).toEqual({
    status: 200,
    body: { message: 'Echo', data: { kind: 'object', bytes: 7 } },
  });
});

describe('a body', () => {
  test.each([
    ['broken JSON', '{"a":'],
    ['nothing but blanks', ' \n'],
    ['text after the JSON', '{}x'],
    ['a byte that is not UTF-8', Buffer.from([0x7b, 0x22, 0xff, 0x22, 0x3a, 0x31, 0x7d])],
    ['an overlong form of a slash', Buffer.from([0x22, 0xc0, 0xaf, 0x22])],
    ['the key __proto__', '{"__proto__":{"admin":true}}'],
    ['the key __proto__ deep inside', '{"a":[{"b":{"__proto__":1}}]}'],
    ['the key __proto__ in escapes', '{"\\u005f_proto__":1}'],
  ])('with %s is not valid JSON', async (_, payload) => {
    expect(await post(payload)).toEqual(refused(kitErrors.body_not_json));
  });

  test('may begin with a byte order mark', async () => {
    expect((await post(Buffer.from('\ufeff{}'))).status).toBe(200);
  });

  test('may mention prototypes in its values', async () => {
    expect((await post('{"constructor":"__proto__"}')).status).toBe(200);
  });

  test('may be nested 20,000 levels deep', async () => {
    expect((await post('['.repeat(20_000) + ']'.repeat(20_000))).status).toBe(200);
    const deep = '{"a":'.repeat(10_000);
    expect(await post(`${deep}{"__proto__":1}${'}'.repeat(10_000)}`)).toEqual(
      refused(kitErrors.body_not_json),
    );
  });

  test('may have 64 KiB and no byte more', async () => {
    const text = (bytes: number) => JSON.stringify('x'.repeat(bytes - 2));
    expect((await post(text(65_536))).status).toBe(200);
    expect(await post(text(65_537))).toEqual(refused(kitErrors.body_too_large));
  });

  test.each([
    'text/plain',
    'application/x-www-form-urlencoded',
    'application/jsonp',
    'application/json5',
    'x',
  ])('of type %s is refused', async (type) => {
    expect(await post('{}', { 'content-type': type })).toEqual(refused(kitErrors.content_type));
  });

  test('without a type is refused', async () => {
    const response = await app.inject({ method: 'POST', url: '/echo', payload: Buffer.from('{}') });
    expect(response.json()).toEqual(refused(kitErrors.content_type).body);
  });

  test.each(['application/json', 'application/json; charset=utf-8'])(
    'without a byte is no body, also where its type is %s',
    async (type) => {
      const answer = { status: 200, body: { message: 'Echo', data: { kind: 'undefined', bytes: 0 } } };
      expect(await post('', { 'content-type': type })).toEqual(answer);
      expect(await post('', { 'content-type': type, 'content-length': '0' })).toEqual(answer);
      for (const method of ['GET', 'DELETE'] as const) {
        const headers = { 'content-type': type };
        expect((await app.inject({ method, url: '/echo/word', headers })).statusCode).toBe(200);
      }
    },
  );

  test('without a byte is no body, also where it comes in chunks', async () => {
    const payload = Readable.from([]);
    const headers = { 'content-type': 'application/json', 'transfer-encoding': 'chunked' };
    const response = await app.inject({ method: 'POST', url: '/echo', payload, headers });
    expect(response.json()).toEqual({ message: 'Echo', data: { kind: 'undefined', bytes: 0 } });
  });

  test('that is compressed is refused as such, before it is read and whatever its size', async () => {
    for (const bytes of [20, 100_000]) {
      const packed = Buffer.alloc(bytes, 1);
      expect(await post(packed, { 'content-encoding': 'gzip' })).toEqual(refused(kitErrors.content_encoding));
    }
    const headers = { 'content-encoding': 'gzip', 'content-type': 'application/json' };
    const response = await app.inject({ method: 'POST', url: '/echo', payload: gzipSync('{}'), headers });
    expect(response.headers['accept-encoding']).toBe('identity');
    expect((await post('{}', { 'content-encoding': 'identity' })).status).toBe(200);
    const nowhere = await app.inject({ method: 'POST', url: '/nowhere', payload: '{}', headers });
    expect(nowhere.statusCode).toBe(404);
    expect((await app.inject({ method: 'GET', url: '/echo/word', headers })).statusCode).toBe(200);
  });

  test('may name its character set', async () => {
    expect((await post('{}', { 'content-type': 'Application/JSON; charset=UTF-8' })).status).toBe(200);
  });
});

describe('an address', () => {
  test('that is unknown is not found, whatever the method', async () => {
    for (const method of ['GET', 'PUT', 'DELETE'] as const) {
      const response = await app.inject({ method, url: '/nothing/here' });
      expect({ status: response.statusCode, body: response.json() }).toEqual(refused(kitErrors.not_found));
    }
  });

  test.each(['/echo/%zz', '/%', '/echo/%c0%af'])(
    'of broken escapes (%s) gets an envelope too',
    async (url) => {
      const response = await app.inject({ method: 'GET', url });
      expect({ status: response.statusCode, body: response.json() }).toEqual(refused(kitErrors.bad_request));
    },
  );

  test('with a part that is too long is not found', async () => {
    const response = await app.inject({ method: 'GET', url: `/echo/${'a'.repeat(301)}` });
    expect(response.json()).toEqual(refused(kitErrors.not_found).body);
  });
});

describe('a refusal', () => {
  test('keeps its row, message, details and headers', async () => {
    const response = await app.inject({ method: 'GET', url: '/refused' });
    expect(response.statusCode).toBe(429);
    expect(response.headers['retry-after']).toBe('7');
    expect(response.headers['content-type']).toBe('application/json; charset=utf-8');
    expect(response.json()).toEqual({
      message: 'amount is too large',
      data: null,
      code: 1005,
      error: 'rate_limited',
      request_id: expect.stringMatching(uuid),
      details: [{ field: 'amount', message: 'amount is too large' }],
    });
  });

  test('for a fault of the gateway does not show its cause, and the log does', async () => {
    const response = await app.inject({ method: 'GET', url: '/broken' });
    expect({ status: response.statusCode, body: response.json() }).toEqual(refused(kitErrors.internal));
    expect(response.payload).not.toContain('hunter2');
    const line = logged.find((text) => text.includes('hunter2'))!;
    expect(JSON.parse(line)).toMatchObject({ reqId: response.json<Body>().request_id });
  });

  test('for a database that cannot be reached is temporary', async () => {
    const response = await app.inject({ method: 'GET', url: '/away' });
    expect({ status: response.statusCode, body: response.json() }).toEqual(refused(kitErrors.unavailable));
    expect(response.payload).not.toContain('10.0.0.5');
  });

  test('has an id of its own, which no client chooses', async () => {
    const ids = await Promise.all(
      [1, 2].map(async () => {
        const headers = { 'x-request-id': 'mine', 'request-id': 'mine' };
        return (await app.inject({ method: 'GET', url: '/nothing', headers })).json<Body>().request_id;
      }),
    );
    expect(new Set(ids).size).toBe(2);
    for (const id of ids) expect(id).toMatch(uuid);
  });
});

describe('a keyed request', () => {
  const keyed = (key?: string) =>
    app.inject({
      method: 'POST',
      url: '/keyed',
      payload: {},
      headers: key === undefined ? {} : { 'idempotency-key': key },
    });

  test('is read from its header, and a replay says so', async () => {
    const response = await keyed('"order-1"');
    expect(response.json()).toEqual({ message: 'Keyed', data: { key: 'order-1' } });
    expect(response.headers['idempotent-replayed']).toBe('true');
    expect((await keyed()).json()).toEqual({ message: 'Keyed', data: { key: null } });
  });

  test('with an over-long key is refused', async () => {
    expect((await keyed('k'.repeat(256))).json()).toMatchObject({ error: 'field_invalid' });
  });
});

describe('behind a proxy', () => {
  async function addressSeen(trustProxy: boolean, forwarded: string): Promise<string> {
    const server = createServer({ log: silentLog, trustProxy });
    server.get('/ip', async (request, reply) => sendEnvelope(reply, envelope(request.ip, null)));
    const headers = { 'x-forwarded-for': forwarded };
    const response = await server.inject({ url: '/ip', remoteAddress: '192.0.2.1', headers });
    await server.close();
    return response.json<Body>().message;
  }

  test('the address is the one that the proxy saw, not one that the client claims', async () => {
    expect(await addressSeen(true, '203.0.113.9')).toBe('203.0.113.9');
    expect(await addressSeen(true, '10.0.0.1, 203.0.113.9')).toBe('203.0.113.9');
  });

  test('the header is ignored when no proxy is trusted', async () => {
    expect(await addressSeen(false, '203.0.113.9')).toBe('192.0.2.1');
  });
});

test('a body that its sender cuts short does no harm', async () => {
  await app.listen({ host: '127.0.0.1', port: 0 });
  const { port } = app.server.address() as { port: number };
  const socket = connect(port, '127.0.0.1');
  socket.on('error', () => {});
  const head =
    'POST /echo HTTP/1.1\r\nhost: a\r\ncontent-type: application/json\r\ncontent-length: 99\r\n\r\n{"a":';
  await new Promise<void>((resolve) => socket.end(head, () => resolve()));
  expect((await post('{}')).status).toBe(200);
});
