import { Memo } from '@stellar/stellar-sdk';
import { beforeEach, expect, test } from 'vitest';
import type { Payment } from '../src/payments/payment/payment.ts';
import { transfersOf } from '../src/payments/settlement/received.ts';
import { exchange, exchangeAway, pay, payOther } from './pi/driver.ts';
import { type PiRailWorld, startPiWorld } from './pi/rail-world.ts';
import { emptyTables, testDatabase } from './support/database.ts';
import { auditFindings, eventTypesOf, ledgerOf, statusOf } from './support/payment-fixtures.ts';

// What the Pi rail has instead of several assets and of confirmations: one asset among others that are none of the
// gateway's, and memos that may be missing. What it has in common with all rails is in rail-conformance.test.ts.

const whole = 100_000_000n;
const { db } = await testDatabase();
const open = await startPiWorld();
let world: PiRailWorld;
let payment: Payment;
let memo: Memo;
beforeEach(async () => {
  await emptyTables(db, 'unmatched_deposits');
  world = await open(db);
  payment = await world.shop.create({ currency: 'PI' });
  const { rows } = await db.query<{ memo: string }>('SELECT memo FROM pi_memos WHERE owner_id = $1', [
    payment.id,
  ]);
  memo = Memo.text(rows[0]!.memo);
});

const status = () => statusOf(world.shop, payment);
const unmatched = async () => {
  const { rows } = await db.query<{ units: bigint; memo: string | null; state: string }>(
    'SELECT units, memo, state FROM unmatched_deposits ORDER BY at, key',
  );
  return rows;
};

test('what is in a ledger is final: the payment goes on from there at once, and was never pending', async () => {
  world.pay({ operations: [pay(world.account, whole)], memo });
  await world.look();
  expect(await status()).toBe('completed');
  expect(await eventTypesOf(db, payment)).toEqual(['completed']);
  const [transfer] = await transfersOf(db, payment.id);
  expect(transfer).toMatchObject({ state: 'final', confirmations: 1, needed: 1 });
});

test('what came by the deadline counts, though it is read later', async () => {
  world.shop.clock.advance(590);
  world.pay({ operations: [pay(world.account, whole)], memo });
  world.shop.clock.advance(15);
  await world.look();
  expect(await status()).toBe('completed');
});

test('another asset that comes with the memo is none of ours', async () => {
  world.pay({ operations: [payOther(world.network.other, world.account, whole)], memo });
  world.pay({ operations: [exchangeAway(world.network.other, world.account, whole)], memo });
  await world.look();
  expect(await status()).toBe('unlinked');
  expect(await transfersOf(db, payment.id)).toEqual([]);
  expect(await unmatched()).toEqual([]);
  world.pay({ operations: [exchange(world.network.other, world.account, whole)], memo });
  await world.look();
  expect(await status()).toBe('completed');
  expect(await ledgerOf(db, payment, 'pi')).toMatchObject({ external: -whole });
});

test.each([
  ['without a memo', null],
  ['with a memo that has a typing error', 'AAAAAAAAAA'],
  ["with somebody else's words", 'Order 17'],
])('what comes %s pays nothing, and waits in the suspense of its rail', async (_, text) => {
  const given = text === null ? {} : { memo: Memo.text(text) };
  world.pay({ operations: [pay(world.account, whole)], ...given });
  await world.look();
  expect(await status()).toBe('unlinked');
  expect(await unmatched()).toEqual([{ units: whole, memo: text, state: 'open' }]);
  world.pay({ operations: [pay(world.account, whole)], memo });
  await world.look();
  expect(await status()).toBe('completed');
  expect(await unmatched()).toHaveLength(1);
  expect(await auditFindings(db)).toEqual([]);
});

test('a transaction that failed pays nothing, whatever was in it', async () => {
  world.pay({ operations: [pay(world.account, whole), pay(world.account, 10n ** 18n)], memo });
  await world.look();
  expect(await status()).toBe('unlinked');
  expect(await unmatched()).toEqual([]);
});

test('one transaction pays each payment what its operations say', async () => {
  const other = await world.shop.create({ currency: 'PI' });
  world.pay({ operations: [pay(world.account, whole / 2n), pay(world.account, whole / 2n)], memo });
  await world.send(other, [{ asset: 'pi', units: whole }]);
  await world.look();
  expect(await status()).toBe('completed');
  expect(await statusOf(world.shop, other)).toBe('completed');
  expect(await transfersOf(db, payment.id)).toHaveLength(2);
});
