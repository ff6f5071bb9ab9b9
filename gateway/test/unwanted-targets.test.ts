// No webhook reaches what is not on the public internet, however it is spelled, named, or led there (contract.md#calls).
import { spawn } from 'node:child_process';
import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import { once } from 'node:events';
import { type AddressInfo, createServer as createTcpServer } from 'node:net';
import { join } from 'node:path';
import { afterAll, afterEach, beforeEach, describe, expect, test } from 'vitest';
import {
  createHttpSender,
  type ExchangeResult,
  type HttpSender,
  type Reach,
  type Resolve,
} from '../src/kit/net/safe-fetch.ts';
import { resolveBy, startDnsServer } from './support/dns-server.ts';
import { privateHosts } from './webhooks/private-addresses.ts';
import { openTrap } from './webhooks/trap.ts';

let sender: HttpSender;
let sockets = 0;
const countSocket = () => void sockets++;
const senders: HttpSender[] = [];

const trap = await openTrap();
const dns = await startDnsServer();
afterAll(async () => {
  trap.close();
  await dns.close();
});
beforeEach(() => {
  trap.connections = 0;
  trap.answer = (_, response) => void response.end('reached');
  sockets = 0;
  dns.asked.length = 0;
  sender = makeSender();
  subscribe('net.client.socket', countSocket);
});
afterEach(async () => {
  unsubscribe('net.client.socket', countSocket);
  await Promise.all(senders.splice(0).map((each) => each.close()));
});

function makeSender(resolve?: Resolve): HttpSender {
  const made = createHttpSender({ timeoutMs: 3_000, ...(resolve && { resolve }) });
  senders.push(made);
  return made;
}

async function post(by: HttpSender, url: string, reach: Reach = 'public'): Promise<ExchangeResult> {
  const result = await by.send({ url: new URL(url), headers: {}, body: Buffer.from('{}'), reach });
  // A connection can be used again one turn of the event loop after its answer.
  for (let turn = 0; turn < 2; turn++) await new Promise(setImmediate);
  return result;
}

const notPublic = {
  error: expect.stringContaining('leads to an address that is not on the public internet'),
};
const groups = Object.entries(privateHosts).map(([of, hosts]) => ({ of, hosts }));
const isAddress = (url: string) => /^[\d.]+$|^\[/.test(new URL(url).hostname);

describe('the sender', () => {
  test.each(groups)('opens no connection to $of, however it is spelled', async ({ hosts }) => {
    for (const host of hosts) {
      for (const scheme of ['http', 'https']) {
        const url = `${scheme}://${host}:${trap.port}/`;
        const before = sockets;
        const result = await post(sender, url);
        // Some systems do not know names below `localhost`.
        if (isAddress(url)) expect({ url, result }).toMatchObject({ url, result: notPublic });
        else expect(result).toHaveProperty('error');
        if (isAddress(url)) expect({ url, sockets }).toEqual({ url, sockets: before });
      }
    }
    expect(trap.connections).toBe(0);
  });

  test('that may reach this machine reaches no other address beside it', async () => {
    const { 'this machine': own, ...others } = privateHosts;
    expect(own).not.toHaveLength(0);
    for (const host of Object.values(others).flat()) {
      const result = await post(sender, `http://${host}:${trap.port}/`, 'loopback');
      expect({ host, result }).toMatchObject({ host, result: notPublic });
    }
    expect([trap.connections, sockets]).toEqual([0, 0]);
  });

  test('reaches the trap where it may, so that the traps of these tests are good', async () => {
    for (const host of ['127.0.0.1', '2130706433', 'localhost']) {
      expect(await post(sender, `http://${host}:${trap.port}/`, 'loopback')).toMatchObject({
        statusCode: 200,
      });
    }
    expect(trap.connections).toBeGreaterThan(0);
  });
});

describe('a name', () => {
  let byDns: HttpSender;
  beforeEach(() => {
    byDns = makeSender(resolveBy(dns));
  });
  const resolvesTo = (name: string, ...answers: string[][]) => dns.addresses.set(name, answers);
  // Nobody's: the block was never given out, and no router has a way to it.
  const nowhere = '2e00::1';

  test.each([
    ['metadata.google.internal', ['169.254.169.254']],
    ['loopback.example', ['127.0.0.1']],
    ['loopback6.example', ['::1']],
    ['mapped.example', ['::ffff:127.0.0.1']],
    ['nat64.example', ['64:ff9b::7f00:1']],
    ['unspecified.example', ['0.0.0.0']],
    ['two.example', ['93.184.215.14', '127.0.0.1']],
    ['two-orders.example', ['127.0.0.1', '93.184.215.14']],
    ['both-kinds.example', ['93.184.215.14', '::1']],
    ['many.example', ['93.184.215.14', '93.184.215.15', '93.184.215.16', '10.0.0.1']],
  ])('%s that resolves to %j is not connected to', async (name, addresses) => {
    resolvesTo(name, addresses);
    expect(await post(byDns, `http://${name}:${trap.port}/`)).toMatchObject(notPublic);
    expect(await post(byDns, `https://${name}:${trap.port}/`)).toMatchObject(notPublic);
    expect(trap.connections).toBe(0);
  });

  test('that leads over others to a private one is not connected to', async () => {
    dns.aliases.set('shop.example', 'cdn.example').set('cdn.example', 'edge.example');
    resolvesTo('edge.example', ['127.0.0.1']);
    expect(await post(byDns, `http://shop.example:${trap.port}/`)).toMatchObject(notPublic);
    expect(trap.connections).toBe(0);
  });

  test('whose answer changes between the check and the connection is asked for once alone', async () => {
    resolvesTo('rebind.example', [nowhere], ['127.0.0.1'], ['127.0.0.1', '::1']);
    const by = createHttpSender({ timeoutMs: 300, resolve: resolveBy(dns) });
    senders.push(by);
    const result = await post(by, `http://rebind.example:${trap.port}/`);
    expect(result).toHaveProperty('error');
    expect(result).not.toMatchObject(notPublic);
    expect(dns.asked.toSorted()).toEqual(['A rebind.example', 'AAAA rebind.example']);
    // The next exchange asks anew, and is refused.
    expect(await post(byDns, `http://rebind.example:${trap.port}/`)).toMatchObject(notPublic);
    expect(trap.connections).toBe(0);
  });

  test('that points elsewhere is judged anew when its connection has ended, and not led there by one that lives', async () => {
    resolvesTo('moving.example', ['127.0.0.1'], ['10.0.0.1']);
    const url = `http://moving.example:${trap.port}/`;
    expect(await post(byDns, url, 'loopback')).toMatchObject({ statusCode: 200 });
    trap.answer = (_, response) => void response.writeHead(200, { Connection: 'close' }).end();
    expect(await post(byDns, url, 'loopback')).toMatchObject({ statusCode: 200 });
    expect(trap.connections).toBe(1);
    expect(await post(byDns, url, 'loopback')).toMatchObject(notPublic);
    expect(trap.connections).toBe(1);
  });

  test('whose connection was opened for others who may is no way in for those who may not', async () => {
    resolvesTo('shared.example', ['127.0.0.1']);
    const url = `http://shared.example:${trap.port}/`;
    for (const reach of ['any', 'loopback'] as const) {
      expect(await post(byDns, url, reach)).toMatchObject({ statusCode: 200 });
    }
    const { connections } = trap;
    expect(await post(byDns, url)).toMatchObject(notPublic);
    expect(trap.connections).toBe(connections);
  });

  test('that nobody knows is an error, and nothing else', async () => {
    expect(await post(byDns, `http://unknown.example:${trap.port}/`)).toMatchObject({
      error: 'unknown.example has no address',
    });
  });
});

describe('an answer', () => {
  test.each([301, 302, 303, 307, 308])('of %d to another address is not followed', async (status) => {
    const elsewhere = await openTrap();
    for (const location of [
      `http://127.0.0.1:${elsewhere.port}/`,
      `//127.0.0.1:${elsewhere.port}/`,
      'http://169.254.169.254/latest/meta-data/',
      'file:///etc/passwd',
    ]) {
      trap.answer = (_, response) => void response.writeHead(status, { Location: location }).end();
      const result = await post(sender, `http://127.0.0.1:${trap.port}/`, 'any');
      expect(result).toMatchObject({ statusCode: status });
    }
    expect(elsewhere.connections).toBe(0);
    elsewhere.close();
  });

  test.each([
    ['Refresh', '0; url=http://127.0.0.1/'],
    ['Alt-Svc', 'h2=":1"; ma=60'],
    ['Link', '<http://127.0.0.1/>; rel=preload'],
    ['Content-Location', 'http://127.0.0.1/'],
  ])('with %s leads nowhere', async (header, value) => {
    trap.answer = (_, response) => void response.writeHead(200, { [header]: value }).end();
    for (let time = 0; time < 2; time++) await post(sender, `http://127.0.0.1:${trap.port}/`, 'any');
    expect(sockets).toBe(1);
  });

  test('that changes the protocol is a failure, and the connection ends', async () => {
    const ended: Promise<unknown>[] = [];
    const changing = createTcpServer((socket) => {
      ended.push(once(socket, 'close'));
      socket.on('error', () => {});
      socket.once('data', () =>
        socket.write('HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n\r\n'),
      );
    });
    changing.listen(0, '127.0.0.1');
    await once(changing, 'listening');
    const { port } = changing.address() as AddressInfo;
    expect(await post(sender, `http://127.0.0.1:${port}/`, 'any')).toHaveProperty('error');
    await Promise.all(ended);
    changing.close();
  });
});

test('proxies of the environment are not asked, whatever it says', async () => {
  const proxy = await openTrap();
  const address = `http://127.0.0.1:${proxy.port}`;
  const program = `
    import { createHttpSender } from ${JSON.stringify(join(import.meta.dirname, '../src/kit/net/safe-fetch.ts'))};
    const sender = createHttpSender();
    const post = (url, reach) => sender.send({ url: new URL(url), headers: {}, body: Buffer.from('{}'), reach });
    const told = [await post('${`http://127.0.0.1:${trap.port}/`}', 'public'), await post('http://localhost:1024/', 'public')];
    told.push(await post('${`http://127.0.0.1:${trap.port}/`}', 'any'));
    console.log(JSON.stringify(told.map((each) => each.statusCode ?? each.error)));
    await sender.close();`;
  const variables = ['http_proxy', 'https_proxy', 'all_proxy'].flatMap((name) => [name, name.toUpperCase()]);
  const child = spawn(process.execPath, ['--input-type=module', '-e', program], {
    env: {
      PATH: process.env.PATH,
      NODE_USE_ENV_PROXY: '1',
      ...Object.fromEntries(variables.map((name) => [name, address])),
    },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const output = (await child.stdout.setEncoding('utf8').toArray()).join('');
  expect(JSON.parse(output)).toEqual([notPublic.error, notPublic.error, 200]);
  expect([trap.connections, proxy.connections]).toEqual([1, 0]);
  proxy.close();
});
