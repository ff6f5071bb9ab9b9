import { describe, expect, test } from 'vitest';
import { openConsole } from '../../../test/support/console.ts';
import { seedBalance, seedIntegration, seedUser } from '../../../test/support/fixtures.ts';
import { startApp } from '../../../test/support/running.ts';
import { newId } from '../../kit/ids.ts';

type Balances = { items: { asset: string; available: string; held: string }[]; totals: object[] };
type Entry = {
  amount: string;
  balance_after: string;
  cause: string;
  payment_reference: string;
  username: string;
};
type Entries = { items: Entry[]; next_cursor: string | null };
type Statement = {
  month: string;
  assets: Record<'asset' | 'opening' | 'in' | 'out' | 'fees' | 'closing', string>[];
};

const app = await startApp();
const people = await openConsole(app);
const owner = await people.as('owner');
await seedUser(app.db, 'jane_doe');
const business = { kind: 'business', owner: app.integrationId, mode: 'test' } as const;
await seedBalance(app.db, { ...business, asset: 'usdc-erc20', units: 100_000_000n });
await seedBalance(app.db, { ...business, asset: 'usdc-bep20', units: 5n * 10n ** 17n });

const fund = (body: object, client = owner, key: string = newId(), base = people.test) =>
  client('POST', `${base}/fund-user`, { body, headers: { 'idempotency-key': key } });
const good = { username: 'jane_doe', amount: '10.5', currency: 'usdc-erc20' };

async function available(asset: string): Promise<string | undefined> {
  const { body } = await owner<Balances>('GET', `${people.test}/balances`);
  return body.data.items.find((item) => item.asset === asset)?.available;
}

async function entries(query = ''): Promise<Entries> {
  return (await owner<Entries>('GET', `${people.test}/balance-entries${query}`)).body.data;
}

test('balances are shown for each asset, and added up for each currency', async () => {
  const { body } = await owner<Balances>('GET', `${people.test}/balances`);
  expect(body.data.items).toContainEqual({
    asset: 'usdc-bep20',
    currency: 'USDC',
    network: 'BNB Smart Chain',
    available: '0.5',
    held: '0',
  });
  expect(body.data.totals).toContainEqual({
    currency: 'USDC',
    available: '100.5',
    held: '0',
    value: '100.5',
  });
  expect(body.data).toMatchObject({ value: '100.5', value_currency: 'USD' });
  const live = await owner<Balances>('GET', `${people.live}/balances`);
  expect(live.body.data.totals).toContainEqual({ currency: 'USDC', available: '0', held: '0', value: null });
});

describe('funding a user', () => {
  test('moves the money and is in the audit log, once for each Idempotency-Key', async () => {
    const before = await available('usdc-erc20');
    const key = newId();
    expect((await fund(good, owner, key)).body).toEqual({
      message: 'User wallet funded successfully',
      data: null,
    });
    const again = await fund(good, owner, key);
    expect([again.status, again.headers.get('idempotent-replayed')]).toEqual([200, 'true']);
    expect([before, await available('usdc-erc20')]).toEqual(['100', '89.5']);
    const { rows } = await app.db.query(
      "SELECT action, subject_kind, subject_id, after FROM audit_log WHERE action = 'funded a user'",
    );
    expect(rows).toEqual([
      {
        action: 'funded a user',
        subject_kind: 'user',
        subject_id: 'jane_doe',
        after: { amount: '10.5', asset: 'usdc-erc20', mode: 'test' },
      },
    ]);
  });

  test.each([
    [{ ...good, username: '' }, 400, 'username_required'],
    [{ ...good, username: 'nobody' }, 404, 'user_not_found'],
    [{ ...good, amount: 10.5 }, 400, 'amount_not_positive'],
    [{ ...good, amount: '0.00' }, 400, 'amount_not_positive'],
    [{ ...good, amount: '-1' }, 400, 'amount_not_positive'],
    [{ ...good, amount: '1e3' }, 400, 'amount_not_positive'],
    [{ ...good, amount: '1.0000001' }, 400, 'amount_decimals'],
    [{ ...good, amount: '1234567890123456' }, 400, 'amount_too_large'],
    [{ ...good, amount: '1000' }, 403, 'insufficient_balance'],
    [{ ...good, currency: 'gold' }, 400, 'currency_unsupported'],
    [{ ...good, currency: undefined }, 400, 'currency_required'],
    [{}, 400, 'username_required'],
  ])('%j is refused with %i %s, and moves nothing', async (body, status, error) => {
    const before = await available('usdc-erc20');
    const answer = await fund(body);
    expect([answer.status, answer.body.error]).toEqual([status, error]);
    expect(await available('usdc-erc20')).toBe(before);
  });

  test('needs an Idempotency-Key, an approved integration for live money, and the role', async () => {
    const bare = await owner('POST', `${people.test}/fund-user`, { body: good });
    expect(bare.body.message).toBe('Idempotency-Key is invalid: is required');
    expect((await fund(good, owner, newId(), people.live)).body.error).toBe('not_approved');
    expect((await fund(good, await people.as('developer'))).body.error).toBe('role_may_not');
    expect((await fund(good, await people.as('operator'))).body.error).toBe('role_may_not');
  });
});

describe('the lines of a balance', () => {
  test('name the payment or the user behind them, and the balance after', async () => {
    const body = { amount: 20, currency: 'USDC', payment_type: 'deposit', payment_reference: 'LINE-1' };
    await app.api('PUT', '/payment/create', { body });
    await app.api('POST', '/test/payments/LINE-1/simulate', { body: { outcome: 'success' } });
    await fund({ ...good, amount: '1' });
    const [sent, settled] = (await entries('?asset=usdc-erc20&limit=2')).items;
    expect(sent).toMatchObject({
      amount: '-1',
      cause: 'fund_user',
      username: 'jane_doe',
      payment_reference: null,
    });
    expect(settled).toMatchObject({ amount: '19.8', cause: 'payment_settled', payment_reference: 'LINE-1' });
    expect(sent!.balance_after).toBe(await available('usdc-erc20'));
  });

  test('come in pages, and by cause and time', async () => {
    const all = await entries('?limit=100');
    const first = await entries('?limit=1');
    const rest = await entries(`?limit=99&cursor=${first.next_cursor}`);
    expect([...first.items, ...rest.items]).toEqual(all.items);
    const seeds = await entries('?cause=seed');
    expect(new Set(seeds.items.map(({ cause }) => cause))).toEqual(new Set(['seed']));
    expect((await entries('?to=2020-01-01T00:00:00Z')).items).toEqual([]);
  });

  test.each(['?limit=101', '?cursor=x', '?from=yesterday', '?asset=%00'])('%s is refused', async (query) => {
    const answer = await owner('GET', `${people.test}/balance-entries${query}`);
    expect([answer.status, answer.body.error]).toEqual([400, 'field_invalid']);
  });
});

describe('statements', () => {
  const month = () => new Date().toISOString().slice(0, 7);
  const csv = (path: string, client = owner) => client('GET', `${people.test}/statements/${path}`);

  test('show the month and its fees, and their file says the same line by line', async () => {
    const { body } = await owner<{ items: Statement[] }>('GET', `${people.test}/statements`);
    const statement = body.data.items[0]!.assets.find(({ asset }) => asset === 'usdc-erc20')!;
    expect(statement).toMatchObject({ opening: '0', fees: '0.2', closing: await available('usdc-erc20') });
    const { status, text, headers } = await csv(`${month()}.csv?asset=usdc-erc20`);
    expect([status, headers.get('content-type')]).toEqual([200, 'text/csv; charset=utf-8']);
    expect(headers.get('content-disposition')).toContain(`statement-test-${month()}-usdc-erc20.csv`);
    const lines = text.trimEnd().split('\r\n');
    expect(lines[0]).toBe(
      'time,asset,network,line,payment_reference,username,gross,fee,net,value,value_currency,rate,transaction,refund,payout,balance,id',
    );
    expect(lines[1]).toBe(',usdc-erc20,Ethereum,opening balance,,,,,,,,,,,,0,');
    expect(lines.at(-1)).toBe(`,usdc-erc20,Ethereum,closing balance,,,,,,,,,,,,${statement.closing},`);
    expect(lines.filter((line) => line.includes(',LINE-1,,20,0.2,19.8,19.8,USD,1,'))).toHaveLength(1);
  });

  test.each(['2020-01.csv', 'now.csv', '2026-13.csv', '2026-01', 'x'])('%s is not found', async (path) => {
    expect((await csv(path)).body.error).toBe('not_found');
  });

  test('are not for everybody to take away', async () => {
    expect((await csv(`${month()}.csv`, await people.as('support'))).body.error).toBe('role_may_not');
  });
});

test("another business's money is not shown", async () => {
  const other = await seedIntegration(app.db);
  const path = `/console/integrations/${other.integrationId}/test/balances`;
  expect((await owner('GET', path)).status).toBe(404);
});
