import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import type { FastifyInstance } from 'fastify';
import { afterEach, expect, test } from 'vitest';
import { silentLog } from '../../../test/support/fixtures.ts';
import { createConnections } from './connections.ts';
import { createServer, envelope, sendEnvelope } from './http.ts';
import { type Patience, patience } from './http-layer.ts';

let app: FastifyInstance;
const opened: Socket[] = [];

afterEach(async () => {
  for (const socket of opened.splice(0)) socket.destroy();
  await app?.close();
});

async function serve(terms: { most?: number; trustProxy?: boolean } & Partial<Patience>): Promise<void> {
  const { most, trustProxy = false, ...more } = terms;
  app = createServer({
    ...{ log: silentLog, trustProxy, mostConnections: most },
    patience: { ...patience, ...more },
  });
  app.get('/', async (_request, reply) => sendEnvelope(reply, envelope('ok', null)));
  app.post('/', async (request, reply) => sendEnvelope(reply, envelope('ok', request.body)));
  app.get('/never', () => new Promise(() => {}));
  await app.listen({ host: '127.0.0.1', port: 0 });
}

async function open(): Promise<Socket> {
  const { port } = app.server.address() as { port: number };
  const isHeard = once(app.server, 'connection');
  const socket = connect({ port, host: '127.0.0.1' });
  socket.on('error', () => {});
  opened.push(socket);
  await isHeard;
  return socket;
}

/** Everything that comes back until the connection is closed. */
async function whole(socket: Socket): Promise<string> {
  let text = '';
  socket.on('data', (chunk: Buffer) => {
    text += chunk;
  });
  await once(socket, 'close');
  return text;
}

const request = 'GET / HTTP/1.1\r\nhost: a\r\nconnection: close\r\n\r\n';

async function ask(): Promise<string> {
  const socket = await open();
  const text = whole(socket);
  socket.write(request);
  return await text;
}

test('one client holds a number of connections; one more is told so, and many more get no word', async () => {
  await serve({ most: 3 });
  const half = [await open(), await open(), await open()];
  for (const socket of half) socket.write('GET / HTTP/1.1\r\nhost: a\r\n');
  const refused = await ask();
  expect(refused).toMatch(/^HTTP\/1\.1 429 Too Many Requests\r\n/);
  expect(refused.toLowerCase()).toContain('retry-after: 1\r\n');
  expect(JSON.parse(refused.split('\r\n\r\n')[1] ?? '')).toMatchObject({
    message: 'Too many requests',
    data: null,
    error: 'rate_limited',
  });
  for (let more = 0; more < 50; more++) await open();
  expect(await whole(await open())).toBe('');
});

test('requests that never end make room again when their time is over', async () => {
  await serve({ most: 3, headersMs: 30, checkMs: 10 });
  const half = [await open(), await open(), await open()];
  const ends = half.map(whole);
  for (const socket of half) socket.write('GET / HTTP/1.1\r\nhost: a\r\n');
  for (const answer of await Promise.all(ends)) expect(answer).toContain(' 408 ');
  // The server notices a moment later that a connection has ended.
  await expect.poll(ask, { interval: 5 }).toContain(' 200 ');
});

test('behind a proxy all connections are its own, and none is refused', async () => {
  await serve({ most: 1, trustProxy: true });
  await open();
  expect(await ask()).toContain(' 200 ');
});

test('addresses of one IPv6 network share their connections, and others do not', () => {
  const connections = createConnections(1);
  const from = (remoteAddress: string) =>
    connections.enter({ remoteAddress, once: () => {} } as unknown as Socket);
  expect(['2001:db8::1', '2001:db8::2', '2001:db8:0:1::1'].map(from)).toEqual([
    'accepted',
    'crowded',
    'accepted',
  ]);
});

test('an honest client that sends byte by byte is answered', async () => {
  await serve({ most: 1 });
  const socket = await open();
  socket.setNoDelay(true);
  const text = whole(socket);
  const body = '{"a":1}';
  const sent = `POST / HTTP/1.1\r\nhost: a\r\nconnection: close\r\ncontent-type: application/json\r\ncontent-length: ${body.length}\r\n\r\n${body}`;
  for (const byte of sent) await new Promise((resolve) => socket.write(byte, resolve));
  expect(await text).toContain('"data":{"a":1}');
});

test('a connection that carries nothing while its answer is made is closed in the end', async () => {
  await serve({ silentMs: 30 });
  const socket = await open();
  const text = whole(socket);
  socket.write('GET /never HTTP/1.1\r\nhost: a\r\n\r\n');
  expect(await text).toBe('');
});

test('a connection that answers its last request while the server closes does not keep it', async () => {
  await serve({});
  const socket = await open();
  const text = whole(socket);
  const isAsked = once(app.server, 'request');
  // The rest of the body comes when the server closes already.
  socket.write('POST / HTTP/1.1\r\nhost: a\r\ncontent-type: application/json\r\ncontent-length: 2\r\n\r\n{');
  await isAsked;
  const closing = app.close();
  socket.write('}');
  await closing;
  expect(await text).toMatch(/^HTTP\/1\.1 200 /);
}, 30_000);
