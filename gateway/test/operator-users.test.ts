import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { buffer } from 'node:stream/consumers';
import { beforeEach, describe, expect, test } from 'vitest';
import { transaction } from '../src/kit/db/db.ts';
import { newId } from '../src/kit/ids.ts';
import { standardSignature } from '../src/kit/net/standard-webhooks.ts';
import { createAssets } from '../src/money/assets.ts';
import { openSession } from '../src/wallets/accounts/sessions.ts';
import type { BalanceLine } from '../src/wallets/console-answers.ts';
import { noticesOf } from '../src/wallets/notices.ts';
import type { WalletLimit, WalletUser, WalletUserDetail } from '../src/wallets/operators/answers.ts';
import { send } from '../src/wallets/sends/send.ts';
import type { UserId } from '../src/wallets/users.ts';
import { atFileEnd } from './suite/endings.ts';
import { openConsole } from './support/console.ts';
import { seedBalance, seedUser } from './support/fixtures.ts';
import { operatorDesk, root } from './support/operator.ts';
import { startApp } from './support/running.ts';

const secret = 'a secret of the provider and us';
const asset = createAssets().get('usdc-base');
let jane: UserId;
let name: string;

type Asked = { headers: IncomingMessage['headers']; body: Buffer };
let asked: Asked[];
let answer: (response: ServerResponse) => void | Promise<void>;
const provider = createServer(async (request, response) => {
  asked.push({ headers: request.headers, body: await buffer(request) });
  await answer(response);
});

provider.listen(0, '127.0.0.1');
await new Promise((resolve) => provider.once('listening', resolve));
atFileEnd(() => {
  provider.closeAllConnections();
  provider.close();
});
const { port } = provider.address() as AddressInfo;
const app = await startApp({ kycProvider: { url: `http://127.0.0.1:${port}/level`, secret } });
const people = await openConsole(app);
const { call, lastChange } = await operatorDesk(people);
beforeEach(async () => {
  asked = [];
  answer = (response) => void response.end('{"level": 2}');
  name = `Jane-${newId().slice(-8)}`;
  jane = await seedUser(app.db, name);
  await seedBalance(app.db, {
    owner: jane,
    kind: 'user',
    mode: 'live',
    asset: asset.code,
    units: 5_500_000n,
  });
});

const at = (path = '') => `${root}/users/${jane}${path}`;
const detail = async () => (await call<WalletUserDetail>('GET', at())).body.data;
const act = (path: string, body: object = {}) => call<WalletUserDetail>('POST', at(path), { body });
const told = async () =>
  (await noticesOf(app.db, jane, 'live', { before: null, limit: 9 })).map(({ kind }) => kind).reverse();

describe('users', () => {
  test('are found by a part of their name, and listed page by page', async () => {
    const other = await seedUser(app.db, `Max-${newId().slice(-8)}`);
    const search = async (query: string) =>
      (await call<{ items: WalletUser[]; next_cursor: string | null }>('GET', `${root}/users?${query}`)).body
        .data;
    expect((await search(`search=${name.toUpperCase()}`)).items).toMatchObject([
      { id: jane, username: name, level: 0, frozen_at: null },
    ]);
    expect((await search('search=%25')).items).toEqual([]);
    const first = await search('limit=1');
    const second = await search(`limit=1&cursor=${first.next_cursor}`);
    expect([...first.items, ...second.items].map(({ id }) => id)).toEqual([other, jane]);
    await act('/freeze', { reason: 'Asked by the police' });
    const frozen = (await search('frozen=yes')).items.map(({ id }) => id);
    expect(frozen).toContain(jane);
    expect(frozen).not.toContain(other);
  });

  test('are shown with what they have and did, without what others have', async () => {
    const username = `Max-${newId().slice(-8)}`;
    await seedUser(app.db, username);
    await transaction(app.db, (tx) =>
      send(tx, { now: () => new Date() }, jane, {
        ...{ mode: 'live', to: username, asset, units: 500_000n, note: null, formKey: 'b' },
      }),
    );
    await transaction(app.db, (tx) =>
      openSession(tx, jane, { address: '192.0.2.1', userAgent: 'a phone', byFactor: false }, new Date()),
    );
    expect(await detail()).toMatchObject({
      username: name,
      has_second_factor: false,
      has_provider: true,
      balances: [{ mode: 'live', asset: asset.code, available: '5', held: '0', owed: '0' }],
      sessions: [{ address: '192.0.2.1', user_agent: 'a phone' }],
    });
    const lines = (await call<{ items: BalanceLine[] }>('GET', at('/lines'))).body.data.items;
    expect(lines.map(({ cause, amount, username: other }) => [cause, amount, other])).toEqual([
      ['wallet_send', '-0.5', username],
      ['seed', '5.5', null],
    ]);
    expect((await call<{ items: object[] }>('GET', at('/lines?mode=test'))).body.data.items).toEqual([]);
    expect((await call<{ items: object[] }>('GET', at('/withdrawals'))).body.data.items).toEqual([]);
    expect((await call('GET', `${root}/users/${newId()}`)).status).toBe(404);
    expect((await call('GET', `${root}/users/nonsense`)).status).toBe(404);
  });
});

describe('a wallet', () => {
  test('is frozen with a reason, and unfrozen, with entries in the audit log', async () => {
    expect((await act('/freeze')).status).toBe(400);
    const frozen = await act('/freeze', { reason: 'Asked by the police' });
    expect(frozen.body.data).toMatchObject({
      frozen_at: expect.any(String),
      frozen_why: 'Asked by the police',
    });
    expect(await lastChange()).toMatchObject({
      action: 'froze a wallet',
      subject: { kind: 'user', id: jane },
      after: { reason: 'Asked by the police' },
    });
    expect((await act('/freeze', { reason: 'Again' })).body.error).toBe('frozen_already');
    await act('/unfreeze', { reason: 'Cleared' });
    expect(await detail()).toMatchObject({ frozen_at: null, frozen_why: null });
    expect(await lastChange()).toMatchObject({
      action: 'unfroze a wallet',
      before: { reason: 'Asked by the police' },
      after: { reason: 'Cleared' },
    });
    expect((await act('/unfreeze', { reason: 'Again' })).body.error).toBe('not_frozen');
    expect(await told()).toEqual(['frozen', 'unfrozen']);
  });

  test('gets its sessions ended', async () => {
    for (const address of ['192.0.2.1', '192.0.2.2']) {
      const entry = { address, userAgent: undefined, byFactor: false };
      await transaction(app.db, (tx) => openSession(tx, jane, entry, new Date()));
    }
    expect((await act('/end-sessions')).body.data).toEqual({ ended: 2 });
    expect((await detail()).sessions).toEqual([]);
    expect(await lastChange()).toMatchObject({ action: 'ended the sessions of a user', after: { ended: 2 } });
  });

  test('has a level that an operator changes with a reason', async () => {
    expect((await act('/level', { level: 4, reason: 'No such level' })).status).toBe(400);
    await act('/level', { level: 3, reason: 'Passport seen' });
    expect((await detail()).level).toBe(3);
    expect(await lastChange()).toMatchObject({
      action: 'changed the level of a user',
      before: { level: 0 },
      after: { level: 3, reason: 'Passport seen' },
    });
  });
});

test('limits of a level are set and taken away, with entries in the audit log', async () => {
  const set = (body: object) => call<object>('PUT', `${root}/wallet-limits`, { body });
  const limit = { level: 1, action: 'send', asset: asset.code };
  expect((await set({ ...limit, amount: '2.5' })).status).toBe(200);
  const list = async () =>
    (await call<{ items: WalletLimit[] }>('GET', `${root}/wallet-limits`)).body.data.items;
  expect(await list()).toEqual([{ ...limit, amount: '2.5' }]);
  expect(await lastChange()).toMatchObject({
    action: 'changed a limit of wallets',
    before: { amount: null },
    after: { amount: '2.5', asset: asset.code },
  });
  for (const wrong of [
    { amount: '-1' },
    { amount: '0.0000001' },
    { asset: 'gold' },
    { action: 'fly' },
    { level: 9 },
  ]) {
    expect((await set({ ...limit, amount: '1', ...wrong })).status).toBe(400);
  }
  await set(limit);
  expect(await list()).toEqual([]);
});

describe('a provider', () => {
  const ask = () => call<{ before: number; level: number }>('POST', at('/ask-level'), { body: {} });

  test('is asked by a signed request, and its answer is the level', async () => {
    expect((await ask()).body.data).toEqual({ before: 0, level: 2 });
    expect((await detail()).level).toBe(2);
    const [{ headers, body }] = asked as [Asked];
    expect(JSON.parse(body.toString())).toEqual({ user_id: jane, username: name, level: 0 });
    const [id, timestamp] = [`${headers['webhook-id']}`, Number(headers['webhook-timestamp'])];
    const expected = standardSignature({ id, timestamp, body }, [Buffer.from(secret)]);
    expect(headers['webhook-signature']).toBe(expected);
    expect(await lastChange()).toMatchObject({
      action: 'asked the KYC provider for the level of a user',
      subject: { kind: 'user', id: jane },
      before: { level: 0 },
      after: { level: 2 },
    });
    answer = (response) => void response.end('{"level": 0}');
    expect((await ask()).body.data).toEqual({ before: 2, level: 0 });
    expect(await told()).toEqual(['level', 'level']);
  });

  test.each([
    ['an error', 500, '{"level": 3}'],
    ['a redirect', 302, '{"level": 3}'],
    ['a level that does not exist', 200, '{"level": 4}'],
    ['a level in words', 200, '{"level": "3"}'],
    ['no level', 200, '{}'],
    ['nothing that can be read', 200, '<html>3'],
    ['nothing', 200, ''],
  ])('that answers %s changes nothing', async (_, status, text) => {
    answer = (response) => {
      response.writeHead(status, { location: '/elsewhere' });
      response.end(text);
    };
    const { status: refused, body } = await ask();
    expect([refused, body.error]).toEqual([502, 'provider_unreachable']);
    expect((await detail()).level).toBe(0);
    expect(asked).toHaveLength(1);
  });

  test('that hangs up changes nothing', async () => {
    answer = (response) => void response.destroy();
    expect((await ask()).status).toBe(502);
    expect((await detail()).level).toBe(0);
  });

  test('that answers after an operator has decided changes nothing', async () => {
    answer = async (response) => {
      await act('/level', { level: 1, reason: 'Passport seen' });
      response.end('{"level": 3}');
    };
    expect((await ask()).body.error).toBe('level_changed');
    expect((await detail()).level).toBe(1);
  });
});
