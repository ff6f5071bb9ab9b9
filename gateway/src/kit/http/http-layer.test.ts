import { execFile } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { connect, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type ConnectionOptions, connect as connectTls } from 'node:tls';
import { promisify } from 'node:util';
import type { FastifyInstance } from 'fastify';
import { afterEach, describe, expect, test } from 'vitest';
import { silentLog } from '../../../test/support/fixtures.ts';
import { isThere } from '../../../test/webhooks/verifiers.ts';
import { type ErrorRow, kitErrors } from '../errors.ts';
import { answerHeaders } from './answer-headers.ts';
import { createServer, envelope, sendEnvelope } from './http.ts';
import { type Patience, patience } from './http-layer.ts';
import type { ServerTls } from './tls.ts';

let app: FastifyInstance;
const opened: Socket[] = [];

afterEach(async () => {
  for (const socket of opened.splice(0)) socket.destroy();
  await app.close();
});

async function serve(
  more: Partial<Patience> = {},
  https?: ServerTls,
  mostConnections?: number,
): Promise<void> {
  app = createServer({
    log: silentLog,
    trustProxy: false,
    mostConnections,
    patience: { ...patience, ...more },
    ...(https && { https }),
  });
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

function open(): Socket {
  const { port } = app.server.address() as { port: number };
  const socket = connect({ port, host: '127.0.0.1', allowHalfOpen: true });
  socket.on('error', () => {});
  opened.push(socket);
  return socket;
}

/** Everything that comes back until the server ends the connection. */
async function whole(socket: Socket): Promise<string> {
  const chunks: Buffer[] = [];
  socket.on('data', (chunk: Buffer) => chunks.push(chunk));
  await Promise.race([once(socket, 'end'), once(socket, 'close')]);
  socket.end();
  return Buffer.concat(chunks).toString();
}

async function exchange(sent = ''): Promise<string> {
  const socket = open();
  const text = whole(socket);
  if (sent !== '') socket.write(sent);
  return await text;
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
    'content-disposition': 'attachment; filename="api.json"',
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
    'a line that ends without a return': [`GET / HTTP/1.1\n${host}\r\n`, kitErrors.bad_request],
    'a header that ends without a return': [`GET / HTTP/1.1\r\nhost: a\na: b\r\n\r\n`, kitErrors.bad_request],
    'headers that end without a return': [`GET / HTTP/1.1\r\nhost: a\n\n`, kitErrors.bad_request],
    'a header with a return inside': [`GET / HTTP/1.1\r\n${host}a: b\rc: d\r\n\r\n`, kitErrors.bad_request],
    'a space before the colon': [`GET / HTTP/1.1\r\n${host}a : b\r\n\r\n`, kitErrors.bad_request],
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
    'a length that is no number': [
      `POST / HTTP/1.1\r\n${host}content-length: +2\r\n\r\n{}`,
      kitErrors.bad_request,
    ],
    'chunks that are not the last coding': [
      chunked.replace(': chunked', ': chunked, gzip'),
      kitErrors.bad_request,
    ],
    'a chunk that ends without a return': [`${chunked}2\r\n{}\n0\r\n\r\n`, kitErrors.bad_request],
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
  const socket = open();
  const text = whole(socket);
  socket.write(`GET / HTTP/1.1\r\n${host}\r\n`);
  await once(socket, 'data');
  socket.write('nonsense\r\n\r\n');
  const [first = '', second = ''] = (await text).split(/(?=HTTP\/1\.1)/);
  expect([read(first).status, read(second)]).toEqual([200, refusal(kitErrors.bad_request)]);
});

test('a connection on which nothing was sent is closed without a word', async () => {
  await serve({ headersMs: 20, checkMs: 10 });
  expect(await exchange()).toBe('');
});

test('a request that comes while the server ends is refused like one that is too much', async () => {
  await serve();
  const socket = open();
  const text = whole(socket);
  const isHeard = once(app.server, 'connection');
  socket.write(`GET / HTTP/1.1\r\n${host}`);
  await isHeard;
  // Another connection is answered later than the bytes above are read.
  await exchange('nonsense\r\n\r\n');
  const closing = app.close();
  socket.write('\r\n');
  expect(read(await text)).toEqual(refusal(kitErrors.unavailable));
  await closing;
});

test.skipIf(!isThere('openssl'))(
  'with a certificate of its own every answer asks for https, and only strong TLS is spoken',
  async () => {
    const directory = await mkdtemp(join(tmpdir(), 'florin-tls-'));
    const [key, cert] = [join(directory, 'key.pem'), join(directory, 'cert.pem')];
    const wanted = 'req -x509 -newkey ec -pkeyopt ec_paramgen_curve:P-256 -nodes -subj /CN=localhost -days 2';
    await promisify(execFile)('openssl', [...wanted.split(' '), '-keyout', key, '-out', cert]);
    const ocsp = async () => Buffer.from('not revoked');
    await serve({}, { cert: await readFile(cert), key: await readFile(key), ocsp });
    await rm(directory, { recursive: true });
    for (const [sent, status] of [
      [`GET / HTTP/1.1\r\n${host}connection: close\r\n\r\n`, 200],
      ['nonsense\r\n\r\n', 400],
    ] as const) {
      const { port } = app.server.address() as { port: number };
      const socket = connectTls({ port, host: '127.0.0.1', rejectUnauthorized: false });
      opened.push(socket);
      socket.write(sent);
      const answer = read(await whole(socket));
      expect([answer.status, answer.headers['strict-transport-security']]).toEqual([
        status,
        'max-age=31536000; includesubdomains',
      ]);
    }
    const { port } = app.server.address() as { port: number };
    const knock = (terms: ConnectionOptions) =>
      new Promise<unknown>((resolve, reject) => {
        const socket = connectTls({ port, host: '127.0.0.1', rejectUnauthorized: false, ...terms }, () =>
          resolve([socket.getProtocol(), socket.getCipher().name]),
        );
        opened.push(socket);
        socket.on('OCSPResponse', resolve).on('error', reject);
      });
    expect(await knock({ requestOCSP: true })).toEqual(Buffer.from('not revoked'));
    expect(await knock({})).toEqual(['TLSv1.3', 'TLS_AES_256_GCM_SHA384']);
    const old = { maxVersion: 'TLSv1.2', ciphers: 'AES128-SHA:ECDHE-ECDSA-AES128-GCM-SHA256' } as const;
    expect(await knock(old)).toEqual(['TLSv1.2', 'ECDHE-ECDSA-AES128-GCM-SHA256']);
    await expect(knock({ ...old, ciphers: 'ECDHE-ECDSA-AES128-SHA' })).rejects.toThrow();
    await expect(knock({ minVersion: 'TLSv1.1', maxVersion: 'TLSv1.1' })).rejects.toThrow();
  },
);

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
