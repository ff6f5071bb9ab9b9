import { once } from 'node:events';
import { createServer, type RequestListener } from 'node:http';
import { type AddressInfo, createServer as createTcpServer } from 'node:net';
import { Worker } from 'node:worker_threads';
import { afterAll, afterEach, describe, expect, test } from 'vitest';
import {
  createHttpSender,
  type HttpSender,
  type HttpSenderOptions,
  type Reach,
  type Resolve,
} from './safe-fetch.ts';

let answer: RequestListener = () => {};
let requests = 0;
const senders: HttpSender[] = [];

const server = createServer((request, response) => {
  requests += 1;
  answer(request, response);
});
server.listen(0, '127.0.0.1');
await once(server, 'listening');
const port = (server.address() as AddressInfo).port;
afterEach(async () => {
  await Promise.all(senders.splice(0).map((sender) => sender.close()));
});
afterAll(() => {
  server.closeAllConnections();
  server.close();
});

const fixed =
  (...addresses: string[]): Resolve =>
  async () =>
    addresses.map((address) => ({ address, family: address.includes(':') ? 6 : 4 }));

function makeSender(options: HttpSenderOptions = {}): HttpSender {
  const sender = createHttpSender(options);
  senders.push(sender);
  return sender;
}

const post = (sender: HttpSender, url: string, reach: Reach = 'public') =>
  sender.send({ url: new URL(url), headers: { 'X-Test': '1' }, body: Buffer.from('{}'), reach });

// Posts its port and then each request; it answers while the process that reads this is suspended, and then sets the flag.
const promptReceiver = `
  const { parentPort, workerData } = require('node:worker_threads');
  const server = require('node:http').createServer((_, response) => {
    parentPort.postMessage('asked');
    response.on('finish', () => {
      Atomics.store(workerData, 0, 1);
      Atomics.notify(workerData, 0);
    });
    setTimeout(() => response.end('ok'), 50);
  });
  server.listen(0, '127.0.0.1', () => parentPort.postMessage(server.address().port));`;

const notPublic = /not on the public internet/;

describe('an exchange', () => {
  test('gives status, headers, body and how long it took', async () => {
    answer = (request, response) => {
      response.setHeader('X-Seen', `${request.method} ${request.url} ${request.headers['x-test']}`);
      response.writeHead(201).end('made');
    };
    const result = await post(makeSender(), `http://127.0.0.1:${port}/a?b=c`, 'any');
    expect(result).toMatchObject({
      statusCode: 201,
      headers: { 'x-seen': 'POST /a?b=c 1' },
      body: Buffer.from('made'),
      durationMs: expect.any(Number),
    });
  });

  test('over TLS with a server that has none fails with that reason', async () => {
    expect(await post(makeSender(), `https://127.0.0.1:${port}/`, 'any')).toMatchObject({
      error: 'No TLS connection could be made: wrong version number',
    });
  });

  test('does not follow redirects', async () => {
    answer = (_, response) => response.writeHead(302, { Location: `http://127.0.0.1:${port}/other` }).end();
    requests = 0;
    expect(await post(makeSender(), `http://127.0.0.1:${port}/`, 'any')).toMatchObject({ statusCode: 302 });
    expect(requests).toBe(1);
  });

  test('ends when its time is over, before the answer or in the middle of it', async () => {
    const sender = makeSender({ timeoutMs: 60 });
    answer = () => {};
    expect(await post(sender, `http://127.0.0.1:${port}/`, 'any')).toMatchObject({
      error: 'No complete answer within 0.06 s',
    });
    answer = (_, response) => void response.writeHead(200).write('begun');
    expect(await post(sender, `http://127.0.0.1:${port}/`, 'any')).toHaveProperty('error');
  });

  test('counts what came in time, also when this process was suspended meanwhile', async () => {
    // Another thread answers, since this one is blocked.
    const answered = new Int32Array(new SharedArrayBuffer(4));
    const receiver = new Worker(promptReceiver, { eval: true, workerData: answered });
    const [port] = await once(receiver, 'message');
    const until = performance.now() + 1_500;
    const exchange = post(makeSender({ timeoutMs: 1_400 }), `http://127.0.0.1:${port}/`, 'any');
    await once(receiver, 'message');
    // However long that thread has to wait for a processor.
    Atomics.wait(answered, 0, 0);
    while (performance.now() < until);
    const result = await exchange;
    await receiver.terminate();
    expect(result).toMatchObject({ statusCode: 200 });
  });

  test('ends in time when the name is never resolved', async () => {
    const sender = makeSender({ timeoutMs: 60, resolve: () => new Promise(() => {}) });
    expect(await post(sender, 'http://shop.example/')).toMatchObject({
      error: expect.stringMatching(/No complete answer/),
    });
  });

  test('keeps the first 64 KiB of the answer and reads no further', async () => {
    answer = (_, response) => {
      const chunk = Buffer.alloc(32 * 1024, 'x');
      const more = (): void => {
        while (!response.destroyed && response.write(chunk));
      };
      response.on('drain', more);
      more();
    };
    const result = await post(makeSender(), `http://127.0.0.1:${port}/`, 'any');
    expect('body' in result && result.body.length).toBe(64 * 1024);
  });

  test('has a reason when no server listens or the connection breaks', async () => {
    const broken = createTcpServer((socket) => socket.destroy());
    broken.listen(0, '127.0.0.1');
    await once(broken, 'listening');
    const { port: brokenPort } = broken.address() as AddressInfo;
    expect(await post(makeSender(), `http://127.0.0.1:${brokenPort}/`, 'any')).toHaveProperty('error');
    broken.close();
    await once(broken, 'close');
    expect(await post(makeSender(), `http://127.0.0.1:${brokenPort}/`, 'any')).toMatchObject({
      error: expect.stringMatching(/ECONNREFUSED/),
    });
  });
});

describe('an address that is not public', () => {
  test.each([
    '127.0.0.1',
    '127.1',
    '2130706433',
    '0x7f000001',
    '0177.0.0.1',
    '0',
    '10.0.0.1',
    '169.254.169.254',
    '[::1]',
    '[::]',
    '[::ffff:127.0.0.1]',
    '[::127.0.0.1]',
    '[64:ff9b::7f00:1]',
    '[fd00::1]',
    '[fe80::1]',
  ])('is refused when the URL names %s', async (host) => {
    requests = 0;
    expect(await post(makeSender(), `http://${host}:${port}/`)).toMatchObject({
      error: expect.stringMatching(notPublic),
    });
    expect(requests).toBe(0);
  });

  test.each([
    ['one', ['127.0.0.1']],
    ['one of several', ['93.184.215.14', '10.0.0.1']],
    ['the last of several', ['93.184.215.14', '2606:2800:21f:cb07::1', '::1']],
    ['an IPv4-mapped one', ['::ffff:169.254.169.254']],
  ])('is refused when a name has %s', async (_, addresses) => {
    const sender = makeSender({ resolve: fixed(...addresses) });
    expect(await post(sender, `http://shop.example:${port}/`)).toMatchObject({
      error: 'shop.example leads to an address that is not on the public internet',
    });
  });

  test('is refused at a port of another service, wherever it leads', async () => {
    const sender = makeSender({ resolve: fixed('93.184.215.14') });
    expect(await post(sender, 'http://shop.example:25/')).toMatchObject({ error: 'Port 25 is not called' });
    expect(await post(sender, 'https://93.184.215.14:22/')).toMatchObject({ error: 'Port 22 is not called' });
  });

  test('is refused at each connect, though the name had a public address before', async () => {
    const resolve: Resolve = async () => fixed('127.0.0.1')('');
    const sender = makeSender({ resolve });
    answer = (_, response) => void response.writeHead(200, { Connection: 'close' }).end();
    expect(await post(sender, `http://shop.example:${port}/`, 'any')).toHaveProperty('statusCode', 200);
    expect(await post(sender, `http://shop.example:${port}/`)).toHaveProperty('error');
  });

  test('is connected to under a wider reach, by the name of the URL', async () => {
    answer = (request, response) => void response.end(request.headers.host);
    const sender = makeSender({ resolve: fixed('127.0.0.1') });
    expect(await post(sender, `http://shop.example:${port}/`, 'loopback')).toMatchObject({
      body: Buffer.from(`shop.example:${port}`),
    });
  });

  test('stays out of reach when this machine is in reach', async () => {
    const sender = makeSender({ resolve: fixed('127.0.0.1', '10.0.0.1') });
    expect(await post(sender, `http://shop.example:${port}/`, 'loopback')).toMatchObject({
      error: expect.stringMatching(notPublic),
    });
  });

  test('is not reached over a connection that another caller was allowed to open', async () => {
    answer = (_, response) => void response.end('ok');
    const sender = makeSender();
    expect(await post(sender, `http://127.0.0.1:${port}/`, 'any')).toHaveProperty('statusCode', 200);
    expect(await post(sender, `http://127.0.0.1:${port}/`, 'public')).toMatchObject({
      error: expect.stringMatching(notPublic),
    });
  });
});
