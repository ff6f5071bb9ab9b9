import { afterAll, beforeEach, describe, expect, test } from 'vitest';
import { testDatabase } from '../../test/support/database.ts';
import { seedBalance, seedIntegration, seedUser, testClock } from '../../test/support/fixtures.ts';
import type { IntegrationId } from '../identity/integration.ts';
import { type Database, openDatabase, transaction } from '../kit/db/db.ts';
import { kitErrors } from '../kit/errors.ts';
import { readIdempotencyKey } from '../kit/http/idempotency.ts';
import { newId } from '../kit/ids.ts';
import { auditLedger } from '../ledger/audit.ts';
import { ledgerErrors } from '../ledger/errors.ts';
import { balancesOf, postAll } from '../ledger/ledger.ts';
import { createEmbeddedBackend } from './embedded-backend.ts';
import { walletErrors } from './errors.ts';
import { noticesOf } from './notices.ts';
import type { UserId } from './users.ts';
import type { Funding, WalletBackend } from './wallet-backend.ts';

const { now } = testClock();
const asset = 'usdt-erc20';
let shop: IntegrationId;
const { db, connection } = await testDatabase();
const otherProcess = openDatabase(connection, 10);
const wallets = createEmbeddedBackend(db, now);
const otherWallets = createEmbeddedBackend(otherProcess, now);
const jane = await seedUser(db, 'jane_doe');
beforeEach(async () => {
  ({ integrationId: shop } = await seedIntegration(db));
  await seedBalance(db, { kind: 'business', owner: shop, mode: 'test', asset, units: 100n });
});
afterAll(async () => {
  expect((await auditLedger(db)).findings).toEqual([]);
  await otherProcess.end();
});

const funding = (rest: Partial<Funding> = {}): Funding => ({
  integrationId: shop,
  integrationName: 'Nib & Folio',
  mode: 'test',
  username: 'jane_doe',
  asset,
  units: 1n,
  uses: [],
  key: null,
  response: 'funded',
  ...rest,
});

async function business(): Promise<bigint> {
  const [balance] = await balancesOf(db, { kind: 'business', owner: shop, mode: 'test' });
  return balance!.available;
}

async function walletOf(userId: UserId, mode: 'test' | 'live' = 'test'): Promise<bigint> {
  const balances = await balancesOf(db, { kind: 'user', owner: userId, mode });
  return balances.find((balance) => balance.asset === asset)?.available ?? 0n;
}

test('a funding moves the units from the business to the user', async () => {
  const before = await walletOf(jane);
  expect(await wallets.fund(funding({ units: 30n }))).toEqual({ body: 'funded', replayed: false });
  expect(await business()).toBe(70n);
  expect((await walletOf(jane)) - before).toBe(30n);
  expect(await wallets.reconcile()).toBe(0);
});

test('a user who does not exist is reported before a balance that does not suffice', async () => {
  const nobody = wallets.fund(funding({ username: 'nobody', units: 101n }));
  await expect(nobody).rejects.toMatchObject({ row: walletErrors.user_not_found });
  const tooMuch = wallets.fund(funding({ units: 101n }));
  await expect(tooMuch).rejects.toMatchObject({ row: ledgerErrors.insufficient_balance });
  expect(await business()).toBe(100n);
});

test('usernames are compared without case, and otherwise as they are written', async () => {
  const before = await walletOf(jane);
  await wallets.fund(funding({ username: 'Jane_Doe' }));
  expect(await walletOf(jane)).toBe(before + 1n);
  for (const username of ['jane_doe ', 'janedoe', "jane_doe'--"]) {
    await expect(wallets.fund(funding({ username }))).rejects.toMatchObject({
      row: walletErrors.user_not_found,
    });
  }
});

test('a user is told who funded them', async () => {
  await wallets.fund(funding({ units: 7n }));
  const [notice] = await noticesOf(db, jane, 'test', { before: null, limit: 1 });
  expect(notice).toMatchObject({ kind: 'funded', units: 7n, other: 'Nib & Folio' });
});

test('what a user owes is paid out of what a business funds', async () => {
  const before = await walletOf(jane);
  const sides = {
    debit: { kind: 'receivable', owner: jane },
    credit: { kind: 'external', owner: 'seed' },
  } as const;
  const debt = {
    id: newId(),
    mode: 'test',
    asset,
    units: 5n,
    ...sides,
    cause: 'test',
    causeId: null,
  } as const;
  await transaction(db, (tx) => postAll(tx, [debt], now()));
  await wallets.fund(funding({ units: 7n }));
  expect(await walletOf(jane)).toBe(before + 2n);
});

test('a mode has money of its own', async () => {
  await expect(wallets.fund(funding({ mode: 'live' }))).rejects.toMatchObject({
    row: ledgerErrors.insufficient_balance,
  });
  await wallets.fund(funding());
  expect(await walletOf(jane, 'live')).toBe(0n);
});

test('the neighbours of a refused funding are done, and each gets its own outcome', async () => {
  const username = 'nobody';
  const results = await Promise.allSettled([
    wallets.fund(funding({ units: 60n, response: 'first' })),
    wallets.fund(funding({ username })),
    wallets.fund(funding({ units: 50n })),
    wallets.fund(funding({ units: 40n, response: 'fourth' })),
  ]);
  expect(results).toMatchObject([
    { value: { body: 'first' } },
    { reason: { row: walletErrors.user_not_found } },
    { reason: { row: ledgerErrors.insufficient_balance } },
    { value: { body: 'fourth' } },
  ]);
  expect(await business()).toBe(0n);
});

test('of 500 calls at once that each want a hundredth exactly 100 succeed', async () => {
  const before = await walletOf(jane);
  const calls = Array.from({ length: 500 }, (_, n) => (n % 2 ? wallets : otherWallets).fund(funding()));
  const results = await Promise.allSettled(calls);
  const refusals = results.filter((result) => result.status === 'rejected');
  expect(refusals).toHaveLength(400);
  for (const { reason } of refusals) expect(reason.message).toBe('Insufficient business balance');
  expect(await business()).toBe(0n);
  expect((await walletOf(jane)) - before).toBe(100n);
});

test('fundings while credits commit are made or refused, and none of them fails', async () => {
  const credit = { kind: 'business', owner: shop, mode: 'test', asset, units: 7n } as const;
  const before = await walletOf(jane);
  // Credits and fundings of one size after the other keep the balance near nothing.
  const credits = async (db: Database) => {
    for (let count = 0; count < 150; count++) await seedBalance(db, credit);
  };
  const outcomes: string[] = [];
  let isCredited = false;
  const fundings = async (backend: WalletBackend) => {
    for (let count = 0; !isCredited; count++) {
      const funded = backend.fund(funding({ units: BigInt((count % 9) + 1) }));
      outcomes.push(await funded.then(({ body }) => body).catch((error: Error) => error.message));
    }
  };
  const loops = Array.from({ length: 12 }, (_, n) => fundings(n % 2 ? wallets : otherWallets));
  await Promise.all([credits(db), credits(otherProcess)]);
  isCredited = true;
  await Promise.all(loops);
  expect(new Set(outcomes)).toEqual(new Set(['funded', 'Insufficient business balance']));
  expect((await business()) + (await walletOf(jane)) - before).toBe(100n + 300n * 7n);
});

describe('one Idempotency-Key', () => {
  let count = 0;
  const newKey = (body = '') =>
    readIdempotencyKey(`key-${count++}`, `${shop} test fund-user`, Buffer.from(body));

  test('funds once, however often and wherever it is used at once', async () => {
    const key = newKey();
    const calls = Array.from({ length: 10 }, (_, n) =>
      (n % 2 ? wallets : otherWallets).fund(funding({ units: 30n, key })),
    );
    const answers = await Promise.all(calls);
    expect(answers.filter(({ replayed }) => !replayed)).toHaveLength(1);
    expect(new Set(answers.map(({ body }) => body))).toEqual(new Set(['funded']));
    expect(await business()).toBe(70n);
  });

  test('that was refused is judged anew', async () => {
    const key = newKey();
    const refused = wallets.fund(funding({ units: 101n, key }));
    await expect(refused).rejects.toMatchObject({ row: ledgerErrors.insufficient_balance });
    await seedBalance(db, { kind: 'business', owner: shop, mode: 'test', asset, units: 1n });
    expect(await wallets.fund(funding({ units: 101n, key }))).toMatchObject({ replayed: false });
  });

  test('with another request is refused', async () => {
    const key = newKey('one')!;
    await wallets.fund(funding({ key }));
    const other = { ...key, fingerprint: Buffer.from('other') };
    await expect(wallets.fund(funding({ key: other, units: 2n }))).rejects.toMatchObject({
      row: kitErrors.idempotency_mismatch,
    });
    expect(await business()).toBe(99n);
  });
});
