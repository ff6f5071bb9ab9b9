import { afterAll, beforeEach, describe, expect, test } from 'vitest';
import { testDatabase } from '../../../test/support/database.ts';
import {
  type SeededIntegration,
  seedBalance,
  seedIntegration,
  seedUser,
  silentLog,
  testClock,
} from '../../../test/support/fixtures.ts';
import { createGuards } from '../../identity/keys/guards.ts';
import { createKeyLookup } from '../../identity/keys/keys.ts';
import { encodeCursor } from '../../kit/http/cursor.ts';
import { createServer } from '../../kit/http/http.ts';
import { linesOf } from '../../ledger/lines.ts';
import { createAssets } from '../../money/assets.ts';
import { describeLines } from '../described-lines.ts';
import { createEmbeddedBackend } from '../embedded-backend.ts';
import { walletRoutes } from './routes.ts';

const { now } = testClock();
let shop: SeededIntegration;
const { db } = await testDatabase();
await seedUser(db, 'jane_doe');
const app = createServer({ log: silentLog, trustProxy: false });
const guards = createGuards({ findKey: createKeyLookup(db, now), now, rateLimit: true });
walletRoutes(app, { db, guards, assets: createAssets(), wallets: createEmbeddedBackend(db, now) });
beforeEach(async () => {
  shop = await seedIntegration(db);
  const business = { kind: 'business', owner: shop.integrationId, mode: 'test' } as const;
  await seedBalance(db, { ...business, asset: 'usdt-erc20', units: 100_000_000n });
  await seedBalance(db, { ...business, asset: 'usdt-bep20', units: 5n * 10n ** 17n });
});
afterAll(() => app.close());

async function call(method: 'GET' | 'POST', url: string, payload?: object, key = shop.secretKey) {
  const response = await app.inject({
    method,
    url,
    headers: { authorization: `Bearer ${key}` },
    ...(payload ? { payload } : {}),
  });
  return { status: response.statusCode, ...response.json() };
}

const fund = (payload: object, key?: string) => call('POST', '/payment/fund-user', payload, key);
const good = { username: 'jane_doe', amount: 10.5, currency: 'usdt-erc20' };

describe('fund-user', () => {
  test('tells of a hundred names that nobody has them, then 429 for a while, to this integration alone', async () => {
    const other = shop;
    shop = await seedIntegration(db);
    const guesses: number[] = [];
    for (let name = 0; name < 105; name++)
      guesses.push((await fund({ ...good, username: `user ${name}` })).status);
    expect(guesses).toEqual([...Array<number>(100).fill(404), ...Array<number>(5).fill(429)]);
    expect((await fund({ ...good, username: 'jane_doe' })).message).toBe('Too many requests');
    expect((await fund(good, other.secretKey)).status).toBe(200);
  });

  test('funds the user and says so', async () => {
    expect(await fund(good)).toEqual({ status: 200, message: 'User wallet funded successfully', data: null });
    const { data } = await call('GET', '/balances');
    expect(data.items).toContainEqual({ asset: 'usdt-erc20', available: '89.5', held: '0' });
  });

  test('finds the user however the name is spelled', async () => {
    expect(await fund({ ...good, username: 'Jane_DOE' })).toMatchObject({ status: 200 });
    expect(await fund({ ...good, username: 'Jane.DOE' })).toMatchObject({ status: 404, code: 6001 });
  });

  test('keeps with the money which key asked for it, from which address, and shows it by its end alone', async () => {
    const { rows: keys } = await db.query<{ id: string }>(
      'SELECT id FROM api_keys WHERE integration_id = $1 AND hint = $2',
      [shop.integrationId, shop.secretKey.slice(-4)],
    );
    await Promise.all([fund(good), fund(good)]);
    const { rows } = await db.query(
      `SELECT t.cause, t.key_id, t.address FROM ledger_transfers t JOIN ledger_accounts a ON a.id = t.debit
       WHERE a.owner = $1 AND t.cause = 'fund_user'`,
      [shop.integrationId],
    );
    const caller = { cause: 'fund_user', key_id: keys[0]!.id, address: '127.0.0.1' };
    expect(rows).toEqual([caller, caller]);
    const holder = { kind: 'business', owner: shop.integrationId, mode: 'test' } as const;
    const lines = await linesOf(db, holder, {}, { beforeSeq: null, limit: 10 });
    const described = await describeLines(db, lines);
    const shown = { key: `…${shop.secretKey.slice(-4)}`, address: '127.0.0.1', username: 'jane_doe' };
    expect(described.filter(({ cause }) => cause === 'fund_user')).toMatchObject([shown, shown]);
    // The balance that the test began with, which no key asked for.
    expect(described.at(-1)).toMatchObject({ key: null, address: null });
  });

  test('takes a bare currency for its default network', async () => {
    expect((await fund({ ...good, currency: 'usdt' })).status).toBe(200);
    expect((await fund({ ...good, amount: 90, currency: 'usdt' })).message).toBe(
      'Insufficient business balance',
    );
  });

  test('counts an amount in the decimals of the asset', async () => {
    expect((await fund({ ...good, amount: 0.500001, currency: 'usdt-bep20' })).status).toBe(403);
    expect((await fund({ ...good, amount: 0.5, currency: 'usdt-bep20' })).status).toBe(200);
  });

  test.each([
    [{}, 400, 'username is required'],
    [{ ...good, username: null }, 400, 'username is required'],
    [{ ...good, username: 7 }, 400, 'username is invalid: must be text'],
    [{ ...good, username: 'a\0b' }, 400, 'username is required'],
    [{ ...good, amount: '10' }, 400, 'amount must be a positive number'],
    [{ ...good, amount: -1 }, 400, 'amount must be a positive number'],
    [{ ...good, amount: 0.0000001 }, 400, 'amount has too many decimals for USDT'],
    [{ ...good, amount: 1e21 }, 400, 'amount is too large'],
    [{ ...good, currency: '' }, 400, 'Currency is required'],
    [{ ...good, currency: 'USDT' }, 400, 'Currency not supported'],
    [{ ...good, currency: 'usdt-trc20' }, 400, 'Currency not supported'],
    [{ ...good, username: 'nobody', amount: 1_000 }, 404, 'User not found'],
    [{ ...good, amount: 100.000001 }, 403, 'Insufficient business balance'],
    [{ ...good, currency: 'pi' }, 403, 'Insufficient business balance'],
  ])('%j gets %i %s', async (payload, status, message) => {
    expect(await fund(payload)).toMatchObject({ status, message });
  });

  test('names every fault, in the order of the fields', async () => {
    expect((await fund({ currency: 'x', amount: 0 })).details).toEqual([
      { field: 'username', message: 'username is required' },
      { field: 'amount', message: 'amount must be a positive number' },
      { field: 'currency', message: 'Currency not supported' },
    ]);
  });

  test('waits for approval in live mode, after the fields were judged', async () => {
    expect((await fund(good, shop.liveSecretKey)).message).toBe('Integration is not yet approved');
    expect((await fund({}, shop.liveSecretKey)).message).toBe('username is required');
  });
});

describe('balances', () => {
  test('are shown for every asset, as decimals', async () => {
    const { status, data } = await call('GET', '/balances');
    expect(status).toBe(200);
    expect(data.items).toHaveLength(9);
    expect(data.items).toContainEqual({ asset: 'usdt-bep20', available: '0.5', held: '0' });
    expect(data.items).toContainEqual({ asset: 'pi', available: '0', held: '0' });
  });

  test("are the mode's own", async () => {
    const { data } = await call('GET', '/balances', undefined, shop.liveSecretKey);
    for (const item of data.items) expect(item).toMatchObject({ available: '0', held: '0' });
  });
});

describe('balance entries', () => {
  const entries = (query: string) => call('GET', `/balance-entries${query}`);

  test('are listed newest first and page by page', async () => {
    await fund({ ...good, amount: 1 });
    await fund({ ...good, amount: 2 });
    const first = await entries('?limit=3');
    expect(first.data.items.map(({ amount }: { amount: string }) => amount)).toEqual(['-2', '-1', '0.5']);
    expect(first.data.items[0]).toMatchObject({ asset: 'usdt-erc20', cause: 'fund_user', cause_id: null });
    const rest = await entries(`?limit=3&cursor=${first.data.next_cursor}`);
    expect(rest.data).toMatchObject({ items: [{ amount: '100', cause: 'seed' }], next_cursor: null });
  });

  test('may be asked for one asset', async () => {
    expect((await entries('?asset=usdt-bep20')).data.items).toHaveLength(1);
    expect((await entries('?asset=pi')).data.items).toEqual([]);
  });

  test.each(['x', encodeCursor(['-1']), encodeCursor(['9'.repeat(19)]), encodeCursor([1, 2])])(
    'refuse a cursor that they did not give (%s)',
    async (cursor) => {
      expect(await entries(`?cursor=${cursor}`)).toMatchObject({ status: 400, error: 'field_invalid' });
    },
  );
});

describe('whether a user has a wallet', () => {
  test('is told of the name that was asked for, and nothing else', async () => {
    expect(await call('GET', '/users/JANE_doe')).toEqual({
      status: 200,
      message: 'User',
      data: { username: 'JANE_doe' },
    });
    for (const name of ['jane', 'jane.doe', '%00', 'x'.repeat(290)]) {
      expect(await call('GET', `/users/${name}`)).toMatchObject({ status: 404, message: 'User not found' });
    }
  });

  test('is told to no key that may not fund users', async () => {
    await db.query(`UPDATE api_keys SET allowed_actions = '{read balances}' WHERE integration_id = $1`, [
      shop.integrationId,
    ]);
    expect(await call('GET', '/users/jane_doe')).toMatchObject({ status: 403, code: 2003 });
  });

  test('is not told to whoever tries hundreds of names, by either call', async () => {
    const ask = (index: number) =>
      index % 2 === 0 ? call('GET', `/users/no-${index}`) : fund({ ...good, username: `no-${index}` });
    const tries = await Promise.all(Array.from({ length: 300 }, (_, index) => ask(index)));
    expect(tries.filter(({ status }) => status !== 404)).toEqual([]);
    expect((await ask(0)).status).toBe(429);
    expect((await ask(1)).status).toBe(429);
  });
});
