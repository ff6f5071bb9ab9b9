import { once } from 'node:events';
import { createServer, type IncomingHttpHeaders, request, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { beforeAll, describe, expect, test } from 'vitest';
import { atFileEnd } from '../../../../test/suite/endings.ts';
import { testDatabase } from '../../../../test/support/database.ts';
import { examinedWith, findingsOf } from '../../../../test/support/doctor.ts';
import { freePorts } from '../../../../test/support/free-ports.ts';
import { type RunningApp, startApp } from '../../../../test/support/running.ts';
import { checkAddress } from './address.ts';
import { claimedAddress } from './ask-address.ts';
import { checkProxy } from './proxy.ts';
import { makeQuestion, questionPath } from './questions.ts';

// A gateway behind real proxies, each of which does one thing in its own way.

const [front = 0, alone = 0] = await freePorts(2);
const database = await testDatabase();
const apps: { trusting: RunningApp; plain: RunningApp } = {} as never;
beforeAll(async () => {
  apps.trusting = await startApp({ database, env: { PORT: `${front}`, TRUST_PROXY: '1' } });
  const { integrationId, secretKey, liveSecretKey } = apps.trusting;
  const integration = { ...apps.trusting, integrationId, secretKey, liveSecretKey };
  apps.plain = await startApp({ database, integration, env: { PORT: `${alone}` } });
});

type ProxyTerms = {
  to: number;
  headers?: (headers: IncomingHttpHeaders) => IncomingHttpHeaders;
  holdsBack?: boolean;
};

/** Passes requests on to a gateway, and says where. */
async function proxy({ to, headers = (same) => same, holdsBack = false }: ProxyTerms): Promise<string> {
  const server = createServer((asked, answer) => {
    const terms = { port: to, host: '127.0.0.1', path: asked.url, method: asked.method };
    const passed = request({ ...terms, headers: headers(asked.headers), agent: false }, (response) => {
      answer.writeHead(response.statusCode ?? 502, response.headers);
      if (!holdsBack) return void response.pipe(answer);
      const parts: Buffer[] = [];
      response.on('data', (part: Buffer) => parts.push(part));
      response.on('end', () => answer.end(Buffer.concat(parts)));
    });
    passed.on('error', () => answer.writeHead(502).end());
    asked.pipe(passed);
  });
  return await addressOf(server);
}

async function addressOf(server: Server): Promise<string> {
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  atFileEnd(async () => void server.close());
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

const appended = ({ 'x-forwarded-for': claimed, ...rest }: IncomingHttpHeaders) => ({
  ...rest,
  'x-forwarded-for': `${claimed}, 203.0.113.9`,
});

async function at(address: string, check = checkProxy) {
  return await findingsOf(check, await examinedWith({ BASE_URL: address }, { db: database.db }));
}

describe('a public address', () => {
  test('that leads here is told from one that leads to another program, and from one where nobody is', async () => {
    const own = await proxy({ to: front });
    expect(await at(own, checkAddress)).toEqual([['ok', `BASE_URL, PAY_URL ${own}`]]);
    const other = await addressOf(createServer((_, answer) => answer.end('Hello')));
    expect(await at(other, checkAddress)).toEqual([['other', `BASE_URL, PAY_URL ${other}: answered 200`]]);
    const [nobody] = await freePorts(1);
    const [[finding]] = (await at(`http://127.0.0.1:${nobody}`, checkAddress)) as [[string, string]];
    expect(finding).toBe('unreachable');
  });

  test('of another installation is not taken for this one', async () => {
    const other = await startApp();
    expect(await at(other.baseUrl, checkAddress)).toEqual([
      ['other', `BASE_URL, PAY_URL ${other.baseUrl}: answered 404`],
    ]);
  });

  test('whose name is not known is named, and one without https that is not of this machine', async () => {
    const found = await at('http://nowhere.invalid', checkAddress);
    expect(found.map(([finding]) => finding)).toEqual(['unresolved', 'plain']);
  });

  test('is not blamed while no gateway runs', async () => {
    const empty = await testDatabase();
    const [nobody] = await freePorts(1);
    const context = await examinedWith({ BASE_URL: `http://127.0.0.1:${nobody}` }, { db: empty.db });
    expect((await findingsOf(checkAddress, context)).map(([finding]) => finding)).toEqual(['not_running']);
    const without = await examinedWith({ BASE_URL: 'http://127.0.0.1:1' });
    expect((await findingsOf(checkAddress, without)).map(([finding]) => finding)).toEqual(['no_database']);
  });
});

describe('what is in front of a gateway', () => {
  test('is right where the proxy adds the client, and where there is none', async () => {
    const added = await proxy({ to: front, headers: appended });
    expect(await at(added)).toEqual([['ok', `${added}: the gateway saw the client 203.0.113.9`]]);
    expect(await at(apps.plain.baseUrl)).toEqual([
      ['ok', `${apps.plain.baseUrl}: the gateway saw the client 127.0.0.1`],
    ]);
  });

  test('is wrong where strangers are believed, with a proxy or without one', async () => {
    const passing = await proxy({ to: front });
    const believed = (address: string) => ['claimed', `${address}: a made-up X-Forwarded-For was believed`];
    expect(await at(passing)).toEqual([believed(passing)]);
    expect(await at(apps.trusting.baseUrl)).toEqual([believed(apps.trusting.baseUrl)]);
  });

  test('is wrong where TRUST_PROXY is off behind a proxy, and where the proxy names nobody', async () => {
    const untrusted = await proxy({ to: alone, headers: appended });
    expect(await at(untrusted)).toEqual([
      ['not_trusted', `${untrusted}: X-Forwarded-For came as ${claimedAddress}, 203.0.113.9`],
    ]);
    const silent = await proxy({ to: front, headers: ({ 'x-forwarded-for': _, ...rest }) => rest });
    expect(await at(silent)).toEqual([['unread', `${silent}: the gateway saw the client 127.0.0.1`]]);
  });

  test('is wrong where it changes Host, or holds streams back', async () => {
    const renamed = await proxy({ to: front, headers: (given) => ({ ...appended(given), host: 'inside' }) });
    expect(await at(renamed)).toEqual([['host', `${renamed}: Host came as inside`]]);
    const held = await proxy({ to: front, headers: appended, holdsBack: true });
    expect(await at(held)).toEqual([['buffered', `${held}: both halves of a stream came at once`]]);
  });

  test('is not known where no address answers', async () => {
    expect(await findingsOf(checkProxy, await examinedWith())).toEqual([['not_looked', null]]);
  });
});

test('a question is answered for a minute, and nothing is told to whoever does not know one', async () => {
  const { id, answer } = await makeQuestion(database.db);
  const ask = (question: string) => fetch(`${apps.plain.baseUrl}${questionPath}/${question}`);
  expect(await (await ask(id)).text()).toContain(answer);
  expect((await ask('00000000-0000-4000-8000-000000000000')).status).toBe(404);
  expect((await ask('nothing')).status).toBe(404);
  await database.db.query("UPDATE doctor_questions SET asked_at = now() - interval '61 seconds'");
  expect((await ask(id)).status).toBe(404);
  await makeQuestion(database.db);
  expect((await database.db.query('SELECT FROM doctor_questions')).rowCount).toBe(1);
});
