import { once } from 'node:events';
import { createServer, type RequestListener, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, describe, expect, test } from 'vitest';
import { walletErrors } from './errors.ts';
import { createRemoteWallets, type RemoteCredit, type RemoteWallets } from './remote-wallets.ts';

let server: Server | undefined;
let remote: RemoteWallets;
afterEach(async () => {
  server?.closeAllConnections();
  server?.close();
  await remote.close();
});

async function answering(listener: RequestListener, timeoutMs = 5_000): Promise<RemoteWallets> {
  server = createServer(listener).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  remote = createRemoteWallets({ url: `http://127.0.0.1:${port}/api/`, token: 'secret', timeoutMs });
  return remote;
}

const answer =
  (status: number, body: string): RequestListener =>
  (_, response) =>
    response.writeHead(status).end(body);

const credit: RemoteCredit = {
  id: '019ca9a1-0000-7000-8000-000000000000',
  username: 'jane',
  asset: 'pi',
  amount: '1.5',
  mode: 'test',
};

test('a call carries the token, its method, and the names in the path', async () => {
  const seen: string[] = [];
  const wallets = await answering((request, response) => {
    seen.push(`${request.method} ${request.url} ${request.headers.authorization}`);
    response.end('{}');
  });
  await wallets.hasUser('a/../b?c#d é');
  await wallets.credit(credit);
  await wallets.cancel(credit.id);
  expect(seen).toEqual([
    'GET /api/users/a%2F..%2Fb%3Fc%23d%20%C3%A9 Bearer secret',
    `PUT /api/credits/${credit.id} Bearer secret`,
    `POST /api/credits/${credit.id}/cancel Bearer secret`,
  ]);
});

test('a credit is sent as the contract of the backend has it', async () => {
  let sent = '';
  const wallets = await answering(async (request, response) => {
    for await (const chunk of request) sent += chunk;
    response.end('{"status":"applied"}');
  });
  expect(await wallets.credit(credit)).toBe('applied');
  expect(JSON.parse(sent)).toEqual({ username: 'jane', asset: 'pi', amount: '1.5', mode: 'test' });
});

describe('a credit', () => {
  test.each([
    [200, '{"status":"applied"}', 'applied'],
    [404, '{"status":"user_not_found"}', 'user_not_found'],
    [200, '{"status":"user_not_found"}', 'unknown'],
    [404, '{"status":"applied"}', 'unknown'],
    [404, '<h1>no such page</h1>', 'unknown'],
    [200, '', 'unknown'],
    [200, 'null', 'unknown'],
    [200, '{"status":"appl', 'unknown'],
    [202, '{"status":"applied"}', 'unknown'],
    [302, '{"status":"applied"}', 'unknown'],
    [500, '{"status":"applied"}', 'unknown'],
    [200, `{"status":"applied","more":"${'x'.repeat(70_000)}"}`, 'unknown'],
  ])('answered %i %.40s is %s', async (status, body, outcome) => {
    expect(await (await answering(answer(status, body))).credit(credit)).toBe(outcome);
  });

  test('that gets no answer in time is unknown', async () => {
    const wallets = await answering(() => {}, 50);
    expect(await wallets.credit(credit)).toBe('unknown');
  });

  test('whose answer never ends is unknown', async () => {
    const wallets = await answering((_, response) => response.write('{"status":'), 50);
    expect(await wallets.credit(credit)).toBe('unknown');
  });

  test('whose connection breaks is unknown', async () => {
    expect(await (await answering((request) => request.socket.destroy())).credit(credit)).toBe('unknown');
  });

  test('that no connection would take was not sent', async () => {
    const wallets = await answering(answer(200, '{}'));
    server!.close();
    await once(server!, 'close');
    expect(await wallets.credit(credit)).toBe('not_sent');
  });
});

describe('a cancellation', () => {
  test.each([
    [200, '{"status":"cancelled"}', 'cancelled'],
    [409, '{"status":"irreversible"}', 'irreversible'],
    [200, '{"status":"irreversible"}', 'unknown'],
    [409, '{"status":"cancelled"}', 'unknown'],
    [404, '{"status":"cancelled"}', 'unknown'],
    [500, '', 'unknown'],
  ])('answered %i %s is %s', async (status, body, outcome) => {
    expect(await (await answering(answer(status, body))).cancel(credit.id)).toBe(outcome);
  });
});

describe('a user', () => {
  test('is there or not', async () => {
    const wallets = await answering((request, response) => {
      response.writeHead(request.url === '/api/users/jane' ? 200 : 404).end();
    });
    expect(await wallets.hasUser('jane')).toBe(true);
    expect(await wallets.hasUser('john')).toBe(false);
  });

  test.each([204, 301, 401, 500, 503])(
    'answered %i leaves it open: the backend was not reached',
    async (status) => {
      const asked = (await answering(answer(status, ''))).hasUser('jane');
      await expect(asked).rejects.toMatchObject({ row: walletErrors.backend_unreachable });
    },
  );
});
