import { afterAll, beforeEach, describe, expect, test, vi } from 'vitest';
import { testDatabase } from '../../test/support/database.ts';
import { seedBalance } from '../../test/support/fixtures.ts';
import { transaction } from '../kit/db/db.ts';
import { newId } from '../kit/ids.ts';
import { auditLedger } from './audit.ts';
import { ledgerErrors } from './errors.ts';
import { endHold, endHolds, placeHold, placeHolds } from './holds.ts';
import {
  accountsOf,
  balancesOf,
  entriesOf,
  lockAccounts,
  type PostOutcome,
  postAll,
  postTransfers,
  type Transfer,
} from './ledger.ts';

const now = new Date('2026-03-01T12:00:00Z');
const asset = 'usdt-erc20';
let shop: string;
let user: string;
const { db } = await testDatabase();
afterAll(async () => {
  expect((await auditLedger(db)).findings).toEqual([]);
});
beforeEach(async () => {
  shop = newId(now);
  user = newId(now);
  await seedBalance(db, { kind: 'business', owner: shop, mode: 'test', asset, units: 100n });
});

const pay = (units: bigint, rest: Partial<Transfer> = {}): Transfer => ({
  id: newId(now),
  mode: 'test',
  asset,
  units,
  debit: { kind: 'business', owner: shop },
  credit: { kind: 'user', owner: user },
  cause: 'fund_user',
  causeId: null,
  ...rest,
});

const post = (...transfers: Transfer[]): Promise<PostOutcome[]> =>
  transaction(db, (tx) => postTransfers(tx, transfers, now));

async function business(): Promise<{ available: bigint; held: bigint }> {
  const [balance] = await balancesOf(db, { kind: 'business', owner: shop, mode: 'test' });
  return { available: balance!.available, held: balance!.held };
}

describe('a transfer', () => {
  test('moves units from one account to the other', async () => {
    expect(await post(pay(30n))).toEqual(['posted']);
    expect(await business()).toEqual({ available: 70n, held: 0n });
    expect(await balancesOf(db, { kind: 'user', owner: user, mode: 'test' })).toEqual([
      { asset, available: 30n, held: 0n },
    ]);
  });

  test('may take all there is and not one unit more', async () => {
    expect(await post(pay(101n))).toEqual(['insufficient']);
    expect(await post(pay(100n))).toEqual(['posted']);
    expect(await post(pay(1n))).toEqual(['insufficient']);
  });

  test('out of an account that nobody has opened yet is insufficient', async () => {
    expect(await post(pay(1n, { debit: { kind: 'business', owner: newId(now) } }))).toEqual(['insufficient']);
  });

  test('of one mode or asset never touches another', async () => {
    expect(await post(pay(1n, { mode: 'live' }), pay(1n, { asset: 'usdt-bep20' }))).toEqual([
      'insufficient',
      'insufficient',
    ]);
  });

  test('of more units than any double holds is exact', async () => {
    const units = 10n ** 60n + 1n;
    await seedBalance(db, { kind: 'business', owner: shop, mode: 'test', asset: 'usdt-bep20', units });
    expect(await post(pay(units, { asset: 'usdt-bep20' }))).toEqual(['posted']);
    const balances = await balancesOf(db, { kind: 'user', owner: user, mode: 'test' });
    expect(balances).toEqual([{ asset: 'usdt-bep20', available: units, held: 0n }]);
  });

  test('that is sent again exists, even when the account is empty by then', async () => {
    const transfer = pay(100n);
    expect(await post(transfer)).toEqual(['posted']);
    expect(await post(transfer)).toEqual(['exists']);
    expect(await business()).toEqual({ available: 0n, held: 0n });
  });

  test.each<[string, Partial<Transfer>]>([
    ['other units', { units: 11n }],
    ['another debit account', { debit: { kind: 'external', owner: 'seed' } }],
    ['another credit account', { credit: { kind: 'fees', owner: '' } }],
    ['another asset', { asset: 'usdc-erc20' }],
    ['another mode', { mode: 'live' }],
  ])('with a known id and %s is a conflict', async (_, other) => {
    const transfer = pay(10n);
    await post(transfer);
    expect(await post({ ...transfer, ...other })).toEqual(['conflict']);
    expect(await business()).toEqual({ available: 90n, held: 0n });
  });
});

describe('a batch', () => {
  test('is judged in its order, and a refused transfer takes nothing from those after it', async () => {
    const batch = [pay(60n), pay(50n), pay(40n), pay(1n)];
    expect(await post(...batch)).toEqual(['posted', 'insufficient', 'posted', 'insufficient']);
    expect(await business()).toEqual({ available: 0n, held: 0n });
  });

  test('is judged in its order where an account is opened on the way', async () => {
    await post(pay(1n));
    const toNobodyYet = pay(95n, { credit: { kind: 'user', owner: newId(now) } });
    expect(await post(toNobodyYet, pay(5n))).toEqual(['posted', 'insufficient']);
  });

  test('passes on by the same statement what comes from outside, and not before it came', async () => {
    const outside = { kind: 'external', owner: 'chain' } as const;
    const suspense = { kind: 'suspense', owner: shop } as const;
    const received = (units: bigint) => pay(units, { debit: outside, credit: suspense });
    const settled = (units: bigint) =>
      pay(units, { debit: suspense, credit: { kind: 'business', owner: shop } });
    const order = [
      settled(1n),
      received(10n),
      settled(7n),
      settled(4n),
      received(1n),
      settled(3n),
      settled(1n),
    ];
    await transaction(db, (tx) => lockAccounts(tx, order.flatMap(accountsOf)));
    const [first, ...others] = await transaction(db, async (tx) => {
      const rounds: PostOutcome[][] = [];
      const statements = vi.spyOn(tx, 'query');
      rounds.push(await postTransfers(tx, order.slice(1, 3), now));
      expect(statements).toHaveBeenCalledTimes(1);
      statements.mockRestore();
      rounds.push(await postTransfers(tx, [order[0]!, ...order.slice(3)], now));
      return rounds;
    });
    expect(first).toEqual(['posted', 'posted']);
    expect(others).toEqual([['posted', 'insufficient', 'posted', 'posted', 'insufficient']]);
  });
  test('that holds a transfer twice posts it once', async () => {
    const transfer = pay(60n);
    expect(await post(transfer, pay(10n), transfer)).toEqual(['posted', 'posted', 'exists']);
    expect(await business()).toEqual({ available: 30n, held: 0n });
  });

  test('that holds two transfers of one id posts the first', async () => {
    const transfer = pay(60n);
    expect(await post(transfer, { ...transfer, units: 5n })).toEqual(['posted', 'conflict']);
    expect(await business()).toEqual({ available: 40n, held: 0n });
  });

  test('serves as many debit accounts as it likes', async () => {
    const others = Array.from({ length: 50 }, () => newId(now));
    const fill = others.map((owner) =>
      pay(5n, { debit: { kind: 'external', owner: 'seed' }, credit: { kind: 'user', owner } }),
    );
    await post(...fill);
    const spend = others.flatMap((owner) =>
      [4n, 2n, 1n].map((units) =>
        pay(units, { debit: { kind: 'user', owner }, credit: { kind: 'business', owner: shop } }),
      ),
    );
    const outcomes = await post(...spend);
    expect(outcomes).toEqual(others.flatMap(() => ['posted', 'insufficient', 'posted']));
    expect(await business()).toEqual({ available: 350n, held: 0n });
  });

  test('that must succeed whole leaves nothing when one of it does not', async () => {
    const all = transaction(db, (tx) => postAll(tx, [pay(10n), pay(91n)], now));
    await expect(all).rejects.toThrow('insufficient');
    expect(await business()).toEqual({ available: 100n, held: 0n });
  });
});

describe('a hold', () => {
  const place = (transfer: Transfer) => transaction(db, (tx) => placeHold(tx, transfer, now));
  const end = (id: string, how: 'posted' | 'voided') => transaction(db, (tx) => endHold(tx, id, how, now));

  test('sets units aside that nobody else can spend', async () => {
    await place(pay(60n));
    expect(await business()).toEqual({ available: 40n, held: 60n });
    expect(await post(pay(41n))).toEqual(['insufficient']);
    await expect(place(pay(41n))).rejects.toMatchObject({ row: ledgerErrors.insufficient_balance });
    expect(await post(pay(40n))).toEqual(['posted']);
  });

  test('that is posted moves its units, once', async () => {
    const transfer = pay(60n);
    await place(transfer);
    expect(await end(transfer.id, 'posted')).toBe(true);
    expect(await end(transfer.id, 'posted')).toBe(false);
    expect(await end(transfer.id, 'voided')).toBe(false);
    expect(await business()).toEqual({ available: 40n, held: 0n });
    expect(await post(transfer)).toEqual(['exists']);
  });

  test('that is voided gives its units back, once', async () => {
    const transfer = pay(60n);
    await place(transfer);
    expect(await end(transfer.id, 'voided')).toBe(true);
    expect(await end(transfer.id, 'voided')).toBe(false);
    expect(await end(transfer.id, 'posted')).toBe(false);
    expect(await business()).toEqual({ available: 100n, held: 0n });
  });

  test('of everything is posted though nothing is left to spend', async () => {
    const transfer = pay(100n);
    await place(transfer);
    expect(await end(transfer.id, 'posted')).toBe(true);
    expect(await business()).toEqual({ available: 0n, held: 0n });
  });

  test.each(['posted', 'voided'] as const)(
    'of the same account as another one is %s together with it, and nothing stays set aside',
    async (how) => {
      const holds = [pay(50n), pay(20n)];
      await transaction(db, (tx) => placeHolds(tx, holds, now));
      expect(await business()).toEqual({ available: 30n, held: 70n });
      const ids = holds.map(({ id }) => id);
      await transaction(db, (tx) => endHolds(tx, ids, how, now));
      expect(await business()).toEqual({ available: how === 'posted' ? 30n : 100n, held: 0n });
    },
  );

  test('on an account that was never opened is insufficient', async () => {
    const nobody = pay(1n, { debit: { kind: 'business', owner: newId(now) } });
    await expect(place(nobody)).rejects.toMatchObject({ row: ledgerErrors.insufficient_balance });
  });
});

describe('entries', () => {
  test('are listed newest first, page by page, with the cause of each', async () => {
    const causeId = newId(now);
    await post(pay(1n), pay(2n), pay(3n, { cause: 'refund', causeId }));
    await post(pay(1_000n));
    const owner = { kind: 'business', owner: shop, mode: 'test' } as const;
    const first = await entriesOf(db, owner, { asset: null, beforeSeq: null, limit: 2 });
    expect(first.map(({ units }) => units)).toHaveLength(2);
    const rest = await entriesOf(db, owner, { asset, beforeSeq: first[1]!.seq, limit: 10 });
    const units = [...first, ...rest].map((entry) => entry.units);
    expect(units.at(-1)).toBe(100n);
    expect(units.toSorted((a, b) => Number(a - b))).toEqual([-3n, -2n, -1n, 100n]);
    const refund = [...first, ...rest].find(({ cause }) => cause === 'refund')!;
    expect(refund).toMatchObject({ asset, units: -3n, cause_id: causeId, created_at: now });
    expect(await entriesOf(db, owner, { asset: 'pi', beforeSeq: null, limit: 10 })).toEqual([]);
  });

  test.each(['ledger_entries', 'ledger_transfers'])(
    'of %s can neither be changed nor deleted',
    async (table) => {
      await expect(db.query(`UPDATE ${table} SET units = units + 1`)).rejects.toThrow('is append-only');
      await expect(db.query(`DELETE FROM ${table}`)).rejects.toThrow('is append-only');
      await expect(db.query(`DELETE FROM ${table} WHERE false`)).rejects.toThrow('is append-only');
      await expect(db.query(`TRUNCATE ${table}`)).rejects.toThrow('is append-only');
    },
  );

  test('cannot make a stored balance negative, whoever writes it', async () => {
    const below = db.query('UPDATE ledger_accounts SET balance = -1 WHERE owner = $1', [shop]);
    await expect(below).rejects.toThrow('violates check constraint');
    const overheld = db.query('UPDATE ledger_accounts SET held = balance + 1 WHERE owner = $1', [shop]);
    await expect(overheld).rejects.toThrow('violates check constraint');
  });
});
