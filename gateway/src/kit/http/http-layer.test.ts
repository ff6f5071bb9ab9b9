import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import type { FastifyInstance } from 'fastify';
import { afterEach, describe, expect, test } from 'vitest';
import { silentLog } from '../../../test/support/fixtures.ts';
import { type ErrorRow, kitErrors } from '../errors.ts';
import { answerHeaders } from './answer-headers.ts';
import { createServer, envelope, sendEnvelope } from './http.ts';
import { type Patience, patience } from './http-layer.ts';

let app: FastifyInstance;
const opened: Socket[] = [];

afterEach(async () => {
  for (const socket of opened.splice(0)) socket.destroy();
  await app.close();
});

async function serve(more: Partial<Patience> = {}): Promise<void> {
  app = createServer({ log: silentLog, trustProxy: false, patience: { ...patience, ...more } });
  app.get('/', async (_request, reply) => sendEnvelope(reply, envelope('ok', null)));
  app.post('/', async (request, reply) => sendEnvelope(reply, envelope('ok', request.body)));
  app.get('/half', (_request, reply) => {
    reply.hijack();
    reply.raw.writeHead(200, { 'content-type': 'text/plain' });
    reply.raw.write('first');
  });
  app.get('/never', () => new Promise(() => {}));
  await app.listen({ host: '127.0.0.1', port: 0 });
}

/** Everything that comes back for these bytes until the server ends the connection. */
async function exchange(...sent: string[]): Promise<string> {
  const { port } = app.server.address() as { port: number };
  const socket = connect({ port, host: '127.0.0.1', allowHalfOpen: true });
  opened.push(socket);
  socket.on('error', () => {});
  const chunks: Buffer[] = [];
  socket.on('data', (chunk: Buffer) => chunks.push(chunk));
  for (const bytes of sent) socket.write(bytes);
  await Promise.race([once(socket, 'end'), once(socket, 'close')]);
  return Buffer.concat(chunks).toString();
}

function read(text: string) {
  const [head = '', body = ''] = text.split('\r\n\r\n');
  const [line = '', ...lines] = head.split('\r\n');
  const headers = Object.fromEntries(lines.map((each) => each.toLowerCase().split(/: (.*)/, 2)));
  return { status: Number(line.split(' ')[1]), headers, body: body && JSON.parse(body) };
}

const refusal = ({ status, message, code, slug }: ErrorRow) => ({
  status,
  headers: expect.objectContaining({
    ...Object.fromEntries(
      Object.entries(answerHeaders(false)).map(([name, value]) => [name, value.toLowerCase()]),
    ),
    'content-type': 'application/json; charset=utf-8',
    connection: 'close',
  }),
  body: { message, data: null, code, error: slug, request_id: expect.stringMatching(/^[0-9a-f-]{36}$/) },
});

const host = 'host: a\r\n';
const chunked = `POST / HTTP/1.1\r\n${host}content-type: application/json\r\ntransfer-encoding: chunked\r\n\r\n`;

describe('what reaches no route is refused like everything else:', () => {
  const cases: Record<string, [bytes: string, row: ErrorRow]> = {
    'bytes that are no request': ['nonsense\r\n\r\n', kitErrors.bad_request],
    'an unknown method': [`FOO / HTTP/1.1\r\n${host}\r\n`, kitErrors.bad_request],
    'a header without a name': [`GET / HTTP/1.1\r\n${host}: x\r\n\r\n`, kitErrors.bad_request],
    'a header that goes on in the next line': [
      `GET / HTTP/1.1\r\n${host}a: b\r\n c\r\n\r\n`,
      kitErrors.bad_request,
    ],
    'headers of 100 KB': [
      `GET / HTTP/1.1\r\n${host}a: ${'x'.repeat(100_000)}\r\n\r\n`,
      kitErrors.headers_too_large,
    ],
    'no host': ['GET / HTTP/1.1\r\n\r\n', kitErrors.bad_request],
    'two hosts': [`GET / HTTP/1.1\r\n${host}Host: b\r\n\r\n`, kitErrors.bad_request],
    'the same host twice': [`GET / HTTP/1.1\r\n${host}${host}\r\n`, kitErrors.bad_request],
    'two lengths': [
      `POST / HTTP/1.1\r\n${host}content-length: 2\r\ncontent-length: 3\r\n\r\n{} `,
      kitErrors.bad_request,
    ],
    'a length beside chunks': [
      chunked.replace('\r\n\r\n', '\r\ncontent-length: 2\r\n\r\n'),
      kitErrors.bad_request,
    ],
    'a coding that only ends like chunks': [
      chunked.replace(': chunked', ': xchunked'),
      kitErrors.bad_request,
    ],
    'a chunk without a length': [`${chunked}x\r\n`, kitErrors.bad_request],
    'a tunnel': [`CONNECT a:1 HTTP/1.1\r\n${host}\r\n`, kitErrors.bad_request],
    'another version of HTTP': ['PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n', kitErrors.bad_request],
  };

  test.each(Object.entries(cases))('%s', async (_name, [bytes, row]) => {
    await serve();
    expect(read(await exchange(bytes))).toEqual(refusal(row));
  });

  test('a request whose headers do not end in time', async () => {
    await serve({ headersMs: 20, checkMs: 10 });
    expect(read(await exchange(`GET / HTTP/1.1\r\n${host}`))).toEqual(refusal(kitErrors.request_timeout));
  });

  test('a request whose body does not end in time', async () => {
    await serve({ headersMs: 20, requestMs: 20, checkMs: 10 });
    expect(read(await exchange(`${chunked}2\r\n{`))).toEqual(refusal(kitErrors.request_timeout));
  });
});

test('headers have to come within ten seconds', async () => {
  await serve();
  expect(app.server.headersTimeout).toBe(patience.headersMs);
  expect(patience.headersMs + patience.checkMs).toBeLessThanOrEqual(10_000);
});

test('what follows an answer is refused by another one', async () => {
  await serve();
  const text = await exchange(`GET / HTTP/1.1\r\n${host}\r\n`, 'nonsense\r\n\r\n');
  expect(text.match(/HTTP\/1\.1 \d+/g)?.at(-1)).not.toBe(undefined);
  expect(text.indexOf('"ok"')).toBeLessThan(text.indexOf('Bad request') >>> 0);
});

test('nothing is written into an answer that has begun, nor in the place of one that is awaited', async () => {
  await serve();
  const begun = await exchange(`GET /half HTTP/1.1\r\n${host}\r\nnonsense\r\n\r\n`);
  expect(begun).not.toContain('Bad request');
  expect(await exchange(`GET /never HTTP/1.1\r\n${host}\r\nnonsense\r\n\r\n`)).toBe('');
});

test('a request of HTTP/1.0 needs no host, and an unknown expectation is no fault', async () => {
  await serve();
  expect(read(await exchange('GET / HTTP/1.0\r\n\r\n')).status).toBe(200);
  const text = await exchange(`GET / HTTP/1.1\r\n${host}expect: tea\r\nconnection: close\r\n\r\n`);
  expect(read(text).status).toBe(200);
});
