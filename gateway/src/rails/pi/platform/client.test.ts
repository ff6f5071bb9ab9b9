import { once } from 'node:events';
import { writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { afterAll, beforeEach, describe, expect, test } from 'vitest';
import { testFolder } from '../../../../test/support/data-dir.ts';
import { createPlatform } from './client.ts';
import { PlatformFault } from './fault.ts';

const key = 'k3y-of-the-app';
const hash = 'ab'.repeat(32);

const dto = {
  identifier: 'one',
  user_uid: 'someone',
  amount: 3.14,
  memo: 'words',
  metadata: { reference: 'order-1' },
  from_address: 'GA',
  to_address: 'GB',
  direction: 'user_to_app',
  created_at: '2026-03-01T12:00:00Z',
  network: 'Pi Testnet',
  status: {
    developer_approved: true,
    transaction_verified: false,
    developer_completed: false,
    cancelled: false,
    user_cancelled: false,
  },
  transaction: null,
};

type Asked = { method: string; url: string; authorization: string | undefined; body: string };
let asked: Asked[] = [];
let reply: { status: number; body: string; headers?: Record<string, string> };

const server = createServer(async (request, response) => {
  let body = '';
  for await (const chunk of request) body += chunk;
  const { method = '', url = '', headers } = request;
  asked.push({ method, url, authorization: headers.authorization, body });
  response.writeHead(reply.status, reply.headers).end(reply.body);
});

const directory = await testFolder();
const keyFile = join(directory, 'key');
server.listen(0, '127.0.0.1');
await once(server, 'listening');
const { port } = server.address() as AddressInfo;
const url = `http://127.0.0.1:${port}/v2`;
const platform = createPlatform({ url, keyFile, sdkUrl: '', sandbox: false });
afterAll(async () => {
  await platform.close();
  server.close();
});
beforeEach(async () => {
  asked = [];
  reply = { status: 200, body: JSON.stringify(dto) };
  await writeFile(keyFile, `${key}\n`);
});

async function faultOf(call: Promise<unknown>): Promise<PlatformFault> {
  const fault = await call.then(
    () => null,
    (error: unknown) => error,
  );
  if (!(fault instanceof PlatformFault)) throw new Error(`not a fault of the platform: ${fault}`);
  return fault;
}

test('each call is one of version 2, with the server key', async () => {
  await platform.payment('one');
  await platform.approve('one');
  await platform.complete('one', hash);
  await platform.cancel('one');
  await platform.create({ amount: 1, memo: 'm', metadata: {}, uid: 'someone' });
  expect(asked.map(({ method, url, body }) => `${method} ${url} ${body}`)).toEqual([
    'GET /v2/payments/one ',
    'POST /v2/payments/one/approve {}',
    `POST /v2/payments/one/complete {"txid":"${hash}"}`,
    'POST /v2/payments/one/cancel {}',
    'POST /v2/payments {"payment":{"amount":1,"memo":"m","metadata":{},"uid":"someone"}}',
  ]);
  expect(new Set(asked.map(({ authorization }) => authorization))).toEqual(new Set([`Key ${key}`]));
});

test('a payment is read with exact units, and cancelled whoever cancelled it', async () => {
  expect(await platform.payment('one')).toMatchObject({
    identifier: 'one',
    units: 31_400_000n,
    approved: true,
    completed: false,
    cancelled: false,
    txid: null,
  });
  const status = { ...dto.status, user_cancelled: true };
  const transaction = { txid: hash.toUpperCase(), verified: true, _link: '' };
  reply.body = JSON.stringify({ ...dto, amount: 0.00000001, status, transaction });
  expect(await platform.payment('one')).toMatchObject({ units: null, cancelled: true, txid: hash });
});

test.each(['incomplete_server_payments', null])(
  'a list is read in both of its shapes: %s',
  async (wrapper) => {
    reply.body = JSON.stringify(wrapper === null ? [dto] : { [wrapper]: [dto] });
    expect((await platform.incomplete()).map(({ identifier }) => identifier)).toEqual(['one']);
  },
);

test.each([
  ['nothing', ''],
  ['a page', '<h1>Welcome</h1>'],
  ['half a payment', JSON.stringify(dto).slice(0, 200)],
  ['another payment', JSON.stringify({ ...dto, identifier: 'two' })],
  ['one without a status', JSON.stringify({ ...dto, status: null })],
  ['one with a status of words', JSON.stringify({ ...dto, status: { ...dto.status, cancelled: 'no' } })],
  ['one with a transaction of no name', JSON.stringify({ ...dto, transaction: {} })],
  ['one of a direction that is none', JSON.stringify({ ...dto, direction: 'up' })],
  ['null', 'null'],
  ['a list', '[]'],
])('%s is no answer', async (_, body) => {
  reply.body = body;
  expect((await faultOf(platform.payment('one'))).kind).toBe('nonsense');
});

describe('what an answer means:', () => {
  const refusal = JSON.stringify({ error: 'payment_not_found', error_message: 'No such payment' });

  test.each([
    [400, 'refused'],
    [404, 'refused'],
    [401, 'unreachable'],
    [403, 'unreachable'],
    [408, 'unreachable'],
    [409, 'unreachable'],
    [429, 'rate_limited'],
    [500, 'unreachable'],
    [503, 'unreachable'],
    [301, 'unreachable'],
  ])('%i with an error of the platform', async (status, kind) => {
    reply = { status, body: refusal, headers: { 'retry-after': '7' } };
    const fault = await faultOf(platform.approve('one'));
    expect(fault).toMatchObject({ kind, status, code: 'payment_not_found', retryAfterMs: 7_000 });
    expect(fault.message).toMatch(
      new RegExp(`^127\\.0\\.0\\.1:\\d+: answered ${status} with payment_not_found: No such payment$`),
    );
  });

  test('of something that stands before the platform is no word of it', async () => {
    reply = { status: 404, body: '<h1>Not found</h1>' };
    expect((await faultOf(platform.payment('one'))).kind).toBe('unreachable');
  });
});

describe('the server key', () => {
  test('counts at once when its file changes', async () => {
    await platform.payment('one');
    await writeFile(keyFile, 'another');
    await platform.payment('one');
    expect(asked.map(({ authorization }) => authorization)).toEqual([`Key ${key}`, 'Key another']);
  });

  test('that is refused is a fault until it is taken', async () => {
    reply = { status: 401, body: '{"error":"unauthorized"}' };
    await faultOf(platform.payment('one'));
    expect(platform.keyFault()).toMatch(/^127\.0\.0\.1:\d+ does not take the server key \(401\)\.$/);
    reply = { status: 200, body: JSON.stringify(dto) };
    await platform.payment('one');
    expect(platform.keyFault()).toBeNull();
  });

  test.each(['', 'two words', 'a\u0000b'])(
    'that is none is sent nowhere, and shown nowhere: %j',
    async (text) => {
      await writeFile(keyFile, text);
      const { message } = await faultOf(platform.payment('one'));
      expect(message).toContain('must hold its server key alone');
      expect(text === '' || !message.includes(text)).toBe(true);
      expect(platform.keyFault()).toBe(message);
      expect(asked).toEqual([]);
    },
  );

  test('is in no fault, though the platform repeats it', async () => {
    reply = { status: 400, body: JSON.stringify({ error: `bad key ${key}` }) };
    const fault = await faultOf(platform.payment('one'));
    expect(JSON.stringify([fault.message, fault.code, fault.stack])).not.toContain(key);
  });
});
