import { afterAll, beforeEach, describe, expect, test } from 'vitest';
import { testDatabase } from '../../../test/support/database.ts';
import { seedBalance, seedUser, testClock } from '../../../test/support/fixtures.ts';
import { transaction } from '../../kit/db/db.ts';
import { kitErrors } from '../../kit/errors.ts';
import { newId } from '../../kit/ids.ts';
import { auditLedger } from '../../ledger/audit.ts';
import { ledgerErrors } from '../../ledger/errors.ts';
import { balancesOf, postAll } from '../../ledger/ledger.ts';
import { createAssets } from '../../money/assets.ts';
import { walletErrors } from '../errors.ts';
import { setWalletLimit } from '../limits.ts';
import { noticesOf } from '../notices.ts';
import type { UserId } from '../users.ts';
import { previewSend, type SendRequest, send, sendsById } from './send.ts';

const { db } = await testDatabase();
const clock = testClock();
const asset = createAssets().get('usdc-base');
let jane: UserId;
let max: UserId;
let names: { jane: string; max: string };
beforeEach(async () => {
  const end = newId().slice(-8);
  names = { jane: `Jane-${end}`, max: `Max-${end}` };
  [jane, max] = [await seedUser(db, names.jane), await seedUser(db, names.max)];
  await db.query('DELETE FROM wallet_limits');
  await fill(jane, 100n);
});
afterAll(async () => {
  expect((await auditLedger(db)).findings).toEqual([]);
});

const fill = (owner: UserId, units: bigint, mode: 'test' | 'live' = 'live') =>
  seedBalance(db, { owner, kind: 'user', mode, asset: asset.code, units });
const request = (changes: Partial<SendRequest> = {}): SendRequest => ({
  ...{ mode: 'live', to: names.max, asset, units: 30n, note: 'Lunch', formKey: newId() },
  ...changes,
});
const give = (wanted: SendRequest, from = jane) => transaction(db, (tx) => send(tx, clock, from, wanted));

async function units(owner: UserId, mode: 'test' | 'live' = 'live'): Promise<bigint> {
  const balances = await balancesOf(db, { kind: 'user', owner, mode });
  return balances.find((each) => each.asset === asset.code)?.available ?? 0n;
}
const told = async (user: UserId) =>
  (await noticesOf(db, user, 'live', { before: null, limit: 9 })).map(({ kind, units: of, other }) => [
    kind,
    of,
    other,
  ]);

test("money is the receiver's at once, whole, and both are told", async () => {
  const sent = await give(request({ to: names.max.toUpperCase() }));
  expect(sent).toMatchObject({ sender: names.jane, receiver: names.max, units: 30n, note: 'Lunch' });
  expect([await units(jane), await units(max)]).toEqual([70n, 30n]);
  expect(await told(jane)).toEqual([['sent', 30n, names.max]]);
  expect(await told(max)).toEqual([['received', 30n, names.jane]]);
  expect((await sendsById(db, [sent.id])).get(sent.id)).toEqual(sent);
});

test('a preview says what will happen, refuses what would be refused, and changes nothing', async () => {
  const shown = await previewSend(db, clock, jane, request({ to: names.max.toLowerCase() }));
  expect(shown).toMatchObject({ sender: names.jane, receiver: names.max, units: 30n });
  const short = previewSend(db, clock, jane, request({ units: 101n }));
  await expect(short).rejects.toMatchObject({ row: walletErrors.balance_short });
  expect([await units(jane), await units(max)]).toEqual([100n, 0n]);
  expect(await told(max)).toEqual([]);
  expect((await sendsById(db, [shown.id])).size).toBe(0);
});

describe('a form', () => {
  test('that is sent many times at once sends once, and answers the same', async () => {
    const form = request();
    const sent = await Promise.all(Array.from({ length: 6 }, () => give(form)));
    expect(new Set(sent.map(({ id }) => id)).size).toBe(1);
    expect([await units(jane), await units(max)]).toEqual([70n, 30n]);
  });

  test('that was sent with something else in it is refused', async () => {
    const form = request();
    await give(form);
    for (const changes of [
      { units: 31n },
      { note: 'Dinner' },
      { to: names.jane },
      { mode: 'test' as const },
    ]) {
      await expect(give({ ...form, ...changes })).rejects.toMatchObject({
        row: kitErrors.idempotency_mismatch,
      });
    }
    expect(await units(jane)).toBe(70n);
  });

  test('of another user is another form', async () => {
    const form = request();
    await give(form);
    await give({ ...form, to: names.jane, units: 10n }, max);
    expect([await units(jane), await units(max)]).toEqual([80n, 20n]);
  });
});

test('nobody sends to oneself, to a name that nobody has, nothing, or more than there is', async () => {
  await expect(give(request({ to: names.jane.toLowerCase() }))).rejects.toMatchObject({
    row: walletErrors.sent_to_oneself,
  });
  await expect(give(request({ to: 'nobody' }))).rejects.toMatchObject({ row: walletErrors.user_not_found });
  for (const none of [0n, -1n]) {
    await expect(give(request({ units: none }))).rejects.toMatchObject({
      row: ledgerErrors.amount_not_positive,
    });
  }
  await expect(give(request({ units: 101n }))).rejects.toMatchObject({ row: walletErrors.balance_short });
  await expect(give(request({ note: 'a'.repeat(141) }))).rejects.toThrow('note');
  await expect(give(request({ note: 'a\0' }))).rejects.toThrow('note');
  expect([await units(jane), await units(max)]).toEqual([100n, 0n]);
});

test('test money and live money are apart', async () => {
  await expect(give(request({ mode: 'test' }))).rejects.toMatchObject({ row: walletErrors.balance_short });
  await fill(jane, 5n, 'test');
  await give(request({ mode: 'test', units: 5n }));
  expect([await units(jane, 'test'), await units(max, 'test')]).toEqual([0n, 5n]);
  expect([await units(jane), await units(max)]).toEqual([100n, 0n]);
});

test('a frozen wallet gives and takes nothing', async () => {
  const freeze = (user: UserId, at: Date | null) =>
    db.query('UPDATE users SET frozen_at = $2, frozen_why = $3 WHERE id = $1', [user, at, at && 'asked']);
  await freeze(max, clock.now());
  await expect(give(request())).rejects.toThrow(`${names.max} cannot take money now`);
  await freeze(max, null);
  await freeze(jane, clock.now());
  await expect(give(request())).rejects.toMatchObject({ row: walletErrors.wallet_frozen });
  await freeze(jane, null);
  await give(request());
  expect(await units(max)).toBe(30n);
});

describe('a daily limit', () => {
  const limit = (of: bigint | null) =>
    transaction(db, (tx) =>
      setWalletLimit(tx, { level: 0, action: 'send', asset: asset.code, units: of }, clock.now()),
    );

  test('lets through what fits, says what is left, and begins anew at midnight UTC', async () => {
    await limit(50n);
    await give(request());
    await expect(give(request())).rejects.toThrow('You may send 0.00005 USDC a day; 0.00002 is left');
    await give(request({ units: 20n }));
    clock.advance(24 * 3600);
    await give(request({ units: 50n }));
    expect(await units(max)).toBe(100n);
  });

  test('holds against any number of sends at once, and a refused one takes nothing of it', async () => {
    await limit(50n);
    await expect(give(request({ units: 101n }))).rejects.toMatchObject({ row: walletErrors.balance_short });
    const sent = await Promise.allSettled(Array.from({ length: 8 }, () => give(request({ units: 10n }))));
    expect(sent.filter(({ status }) => status === 'fulfilled')).toHaveLength(5);
    expect(await units(max)).toBe(50n);
  });
});

test('two users who send to each other at once do not wait for ever', async () => {
  await fill(max, 100n);
  await Promise.all(
    Array.from({ length: 10 }, (_, index) =>
      index % 2 === 0 ? give(request({ units: 2n })) : give(request({ to: names.jane, units: 1n }), max),
    ),
  );
  expect([await units(jane), await units(max)]).toEqual([95n, 105n]);
});

describe('what a user owes', () => {
  async function owe(owner: UserId, units: bigint): Promise<void> {
    const now = clock.now();
    const sides = {
      debit: { kind: 'receivable', owner },
      credit: { kind: 'external', owner: 'evm:8453' },
    } as const;
    const debt = { id: newId(now), mode: 'live', asset: asset.code, units, ...sides } as const;
    await transaction(db, (tx) => postAll(tx, [{ ...debt, cause: 'test', causeId: null }], now));
  }
  const owed = async (owner: UserId) =>
    (await balancesOf(db, { kind: 'receivable', owner, mode: 'live' }))[0]?.available;

  test('is paid out of what comes, before anything else', async () => {
    await owe(max, 20n);
    await give(request());
    expect([await units(max), await owed(max)]).toEqual([10n, 0n]);
  });

  test('is paid before they send anything, and only the rest can be sent', async () => {
    await owe(jane, 80n);
    await expect(give(request())).rejects.toMatchObject({ row: walletErrors.balance_short });
    await give(request({ units: 15n }));
    expect([await units(jane), await owed(jane), await units(max)]).toEqual([5n, 0n, 15n]);
  });
});
