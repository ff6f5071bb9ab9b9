import { execFileSync, spawnSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, test } from 'vitest';
import { createKey } from '../../../test/refunds/keys.ts';
import type { Api } from '../../../test/support/api.ts';
import { type OpenConsole, openConsole } from '../../../test/support/console.ts';
import { testFolder } from '../../../test/support/data-dir.ts';
import { seedBalance, seedUser } from '../../../test/support/fixtures.ts';
import { type RunningApp, startApp } from '../../../test/support/running.ts';
import { newId } from '../../kit/ids.ts';
import { createAssets } from '../../money/assets.ts';
import { valuesOf } from './values.ts';

const asset = 'usdc-erc20';
const folder = await testFolder();

let app: RunningApp;
let people: OpenConsole;
let owner: Api;
let moneyOut: string;

const pay = async (reference: string, amount: number): Promise<void> => {
  const body = { amount, currency: 'USDC', payment_type: 'deposit', payment_reference: reference };
  await app.api('PUT', '/payment/create', { body });
  await app.api('POST', `/test/payments/${reference}/simulate`, { body: { outcome: 'success' } });
};

beforeAll(async () => {
  app = await startApp();
  people = await openConsole(app);
  owner = await people.as('owner');
  await seedUser(app.db, 'jane_doe');
  await seedBalance(app.db, {
    ...{ kind: 'business', owner: app.integrationId, mode: 'test' },
    ...{ asset, units: 100_000_000n },
  });
  await pay('BOOK-1', 20);
  await pay('BOOK-2', 10.000001);
  moneyOut = await createKey(app, ['make refunds', 'make payouts', 'use test mode calls']);
  await app.api('POST', '/payments/BOOK-1/refunds', { key: moneyOut, body: { amount: '5' } });
  const key = { 'idempotency-key': newId() };
  const funding = { username: 'jane_doe', amount: '1.5', currency: asset };
  await owner('POST', `${people.test}/fund-user`, { body: funding, headers: key });
});

const file = async (name: string, client = owner): Promise<string> =>
  (await client('GET', `${people.test}/statements/${name}`)).text;

type Row = Record<
  'line' | 'payment_reference' | 'gross' | 'fee' | 'net' | 'value' | 'refund' | 'payout' | 'balance' | 'id',
  string
>;

/** The rows of a CSV file by the names of its columns. */
async function rowsOf(name: string): Promise<Row[]> {
  const [head = '', ...lines] = (await file(name)).trimEnd().split('\r\n');
  const names = head.replace('\ufeff', '').split(',');
  return lines.map((line) => {
    const cells = line.split(',');
    return Object.fromEntries(names.map((each, index) => [each, cells[index] ?? ''])) as Row;
  });
}

const month = () => new Date().toISOString().slice(0, 7);
const millionths = (decimal: string): bigint => {
  if (decimal === '') return 0n;
  const [whole = '', fraction = ''] = decimal.replace('-', '').split('.');
  const units = BigInt(whole + fraction.padEnd(6, '0'));
  return decimal.startsWith('-') ? -units : units;
};
const sum = (rows: Row[], column: keyof Row): bigint =>
  rows.reduce((total, row) => total + millionths(row[column] || '0'), 0n);

describe('the books of a month as CSV', () => {
  test('have what was paid, the fee that was kept, and what the balance got', async () => {
    const rows = await rowsOf(`${month()}.csv`);
    expect(rows.find((row) => row.payment_reference === 'BOOK-1')).toMatchObject({
      ...{ line: 'payment_settled', gross: '20', fee: '0.2', net: '19.8' },
      ...{ value: '19.8', value_currency: 'USD', rate: '1' },
    });
    const refund = rows.find(({ line }) => line === 'refund_taken');
    const { body } = await app.api<{ items: { id: string }[] }>('GET', '/payments/BOOK-1/refunds', {
      key: moneyOut,
    });
    expect(refund).toMatchObject({
      gross: '-5',
      fee: '0',
      net: '-5',
      value: '-5',
      refund: body.data.items[0]!.id,
    });
  });

  test('come to the balance of the ledger, to the unit', async () => {
    const rows = await rowsOf(`${month()}.csv`);
    const lines = rows.filter(({ id }) => id !== '');
    const [opening, closing] = [rows.at(0)!, rows.at(-1)!];
    const { body } = await app.api<{ items: { asset: string; available: string }[] }>('GET', '/balances');
    const balance = body.data.items.find((each) => each.asset === asset)!.available;
    expect(closing.balance).toBe(balance);
    expect(millionths(opening.balance) + sum(lines, 'net')).toBe(millionths(balance));
    expect(sum(lines, 'gross') - sum(lines, 'fee')).toBe(sum(lines, 'net'));
  });
});

describe('the lines of a month by kind', () => {
  type Kind = {
    kind: string;
    gross: string;
    fee: string;
    net: string;
    lines: number;
    value: string | null;
    value_currency: string | null;
  };
  type Kinds = { month: string; assets: { asset: string; kinds: Kind[] }[] };
  const kindsOf = async (mode: 'test' | 'live' = 'test'): Promise<Kind[]> => {
    const { body } = await owner<Kinds>('GET', `${people[mode]}/statements/${month()}/kinds`);
    return body.data.assets.find((each) => each.asset === asset)?.kinds ?? [];
  };
  const add = (kinds: Kind[], column: 'gross' | 'fee' | 'net') =>
    kinds.reduce((total, kind) => total + millionths(kind[column]), 0n);

  test('come to what the month did to the balance, to the unit', async () => {
    const kinds = await kindsOf();
    const { body } = await owner<{ items: { assets: Record<string, string>[] }[] }>(
      'GET',
      `${people.test}/statements`,
    );
    const statement = body.data.items[0]?.assets.find((each) => each.asset === asset);
    const change = millionths(statement?.closing ?? '') - millionths(statement?.opening ?? '');
    expect(add(kinds, 'net')).toBe(change);
    expect(add(kinds, 'gross') - add(kinds, 'fee')).toBe(change);
    const { rows } = await app.db.query<{ units: bigint; lines: number }>(
      `SELECT sum(e.units) AS units, count(*)::int AS lines FROM ledger_entries e JOIN ledger_accounts a ON a.id = e.account
       WHERE a.kind = 'business' AND a.owner = $1 AND a.mode = 'test' AND a.asset = $2`,
      [app.integrationId, asset],
    );
    const lines = kinds.reduce((total, kind) => total + kind.lines, 0);
    expect({ units: add(kinds, 'net'), lines }).toEqual(rows[0]);
  });

  test('have the sum of the values of their lines', async () => {
    const lines = (await rowsOf(`${month()}.csv`)).filter(({ id }) => id !== '');
    for (const kind of await kindsOf()) {
      const own = lines.filter(({ line }) => line === kind.kind);
      expect(kind.lines).toBe(own.length);
      expect(millionths(kind.value ?? '')).toBe(sum(own, 'value'));
      expect(kind.value_currency).toBe('USD');
    }
  });

  test('are a file too', async () => {
    const [, ...lines] = (await file(`${month()}.kinds.csv`)).trimEnd().split('\r\n');
    const kinds = await kindsOf();
    expect(lines.map((line) => line.split(',').slice(3).join())).toEqual(
      kinds.map(({ kind, lines: count, gross, fee, net, value, value_currency }) =>
        [kind, count, gross, fee, net, value, value_currency].join(),
      ),
    );
  });

  test('say how many have no value', async () => {
    const live = { kind: 'business', owner: app.integrationId, mode: 'live' } as const;
    await seedBalance(app.db, { ...live, asset, units: 5_000_000n });
    await seedBalance(app.db, { ...live, asset, units: 2_000_000n });
    expect(await kindsOf('live')).toEqual([
      { kind: 'seed', lines: 2, gross: '7', fee: '0', net: '7', value: null, value_currency: null },
    ]);
  });

  test('are those of a month that has lines', async () => {
    expect((await owner('GET', `${people.test}/statements/1999-01/kinds`)).status).toBe(404);
  });
});

describe.each([
  [
    'hledger',
    'hledger',
    (path: string) => ['check', '--strict', '-f', path].filter((each) => each !== '--strict'),
  ],
  ['beancount', 'bean-check', (path: string) => [path]],
])('the journal for %s', (format, program, args) => {
  const isInstalled = spawnSync('which', [program]).status === 0;

  test.runIf(isInstalled).each([month(), 'all'])(
    `of %s is what ${program} reads without a complaint`,
    async (months) => {
      const path = join(folder, `${months}.${format}`);
      writeFileSync(path, await file(`${months}.${format}`));
      expect(execFileSync(program, args(path), { encoding: 'utf8' })).toBe('');
    },
  );

  test('has every line, and asserts the balance that it comes to', async () => {
    const text = await file(`${month()}.${format}`);
    expect(text).toContain('Payment settled BOOK-1');
    expect(text).toMatch(/Expenses:Florin:Fees {2}0\.2 USDC @@ 0\.2 USD/);
    expect(text).toMatch(/Income:Florin:Payments {2}-20 USDC @@ 20 USD/);
    const closing = (await rowsOf(`${month()}.csv`)).at(-1)!.balance;
    expect(text).toContain(format === 'hledger' ? `= ${closing} USDC` : `${closing} ~ 0 USDC`);
  });
});

describe('the value of a line', () => {
  type Entry = { amount: string; value: string | null; value_currency: string | null };
  const entries = async (): Promise<Entry[]> =>
    (await app.api<{ items: Entry[] }>('GET', '/balance-entries?limit=100')).body.data.items;
  const keepIn = (currency: string, client = owner) =>
    client('PUT', `/console/integrations/${app.integrationId}/accounting-currency`, { body: { currency } });

  test('is that of its moment: another currency and another rate hold for later lines', async () => {
    const before = await entries();
    expect(new Set(before.map(({ value_currency }) => value_currency))).toEqual(new Set(['USD']));
    expect((await keepIn('JPY')).status).toBe(200);
    await pay('BOOK-3', 20.005);
    const rate = { currency: 'USDC', price_currency: 'JPY', rate: '150.5' };
    expect((await app.api('PUT', '/test/rates', { body: rate })).status).toBe(200);
    await pay('BOOK-4', 20.005);
    const [last, first, ...rest] = await entries();
    expect(rest).toEqual(before);
    expect(first).toMatchObject({ amount: '19.80495', value: '1980', value_currency: 'JPY' });
    expect(last).toMatchObject({ amount: '19.80495', value: '2981', value_currency: 'JPY' });
  });

  test('is that of the quote where its payment was paid by one, and for other money of its moment', async () => {
    await keepIn('EUR');
    const body = { price: { amount: 49.9, currency: 'EUR' }, currency: 'USDC', payment_type: 'deposit' };
    await app.api('PUT', '/payment/create', { body: { ...body, payment_reference: 'BOOK-5' } });
    const rate = { currency: 'USDC', price_currency: 'EUR', rate: '0.5' };
    expect((await app.api('PUT', '/test/rates', { body: rate })).status).toBe(200);
    await app.api('POST', '/test/payments/BOOK-5/simulate', { body: { outcome: 'success' } });
    await pay('BOOK-6', 20);
    const [later, priced] = await entries();
    expect(priced).toMatchObject({ amount: '61.7562', value: '49.4', value_currency: 'EUR' });
    expect(later).toMatchObject({ amount: '19.8', value: '9.9', value_currency: 'EUR' });
  });

  test('is that of the quote although the rate that was noted for its moment is another one', async () => {
    await keepIn('EUR');
    // As where rates are noted a little later than they are quoted.
    await app.db.query(
      "UPDATE test_rates SET rate = '0.25' WHERE currency = 'USDC' AND price_currency = 'EUR'",
    );
    const body = { price: { amount: 10, currency: 'EUR' }, currency: 'USDC', payment_type: 'deposit' };
    await app.api('PUT', '/payment/create', { body: { ...body, payment_reference: 'BOOK-8' } });
    await app.api('POST', '/test/payments/BOOK-8/simulate', { body: { outcome: 'success' } });
    expect((await entries())[0]).toMatchObject({ amount: '39.6', value: '9.9', value_currency: 'EUR' });
  });

  test('is that of the moment of the quote, where that is in another currency than the books', async () => {
    await keepIn('JPY');
    const setRate = async (rate: string) => {
      const body = { currency: 'USDC', price_currency: 'JPY', rate };
      expect((await app.api('PUT', '/test/rates', { body })).status).toBe(200);
    };
    await setRate('150');
    const body = { price: { amount: 10, currency: 'GBP' }, currency: 'USDC', payment_type: 'deposit' };
    await app.api('PUT', '/payment/create', { body: { ...body, payment_reference: 'BOOK-7' } });
    await setRate('120');
    await app.api('POST', '/test/payments/BOOK-7/simulate', { body: { outcome: 'success' } });
    expect((await entries())[0]).toMatchObject({ amount: '12.375', value: '1856', value_currency: 'JPY' });
  });

  test('of another coin that came for a priced payment is not at the rate of its quote', async () => {
    const { rows } = await app.db.query<{ id: string }>("SELECT id FROM payments WHERE reference = 'BOOK-5'");
    const business = { integrationId: app.integrationId, mode: 'test' } as const;
    const line = { asset: 'pi', created_at: new Date(), units: -10_000_000n, cause_id: rows[0]!.id };
    const [value] = await valuesOf({ db: app.db, assets: createAssets() }, business, [line]);
    expect(value).toMatchObject({ currency: 'JPY', rate: '100', net: '-100' });
  });

  test('is null where no live rate was known', async () => {
    const business = { integrationId: app.integrationId, mode: 'live' } as const;
    const line = { asset, created_at: new Date(), units: 1n };
    const assets = createAssets();
    expect(await valuesOf({ db: app.db, assets }, business, [line])).toEqual([null]);
  });

  test.each(['ABC', 'eur', '', 'EURO'])('is not kept in %j', async (currency) => {
    expect((await keepIn(currency)).body.error).toBe('field_invalid');
  });

  test('is decided by those who manage integrations', async () => {
    expect((await keepIn('EUR', await people.as('support'))).body.error).toBe('role_may_not');
  });
});
