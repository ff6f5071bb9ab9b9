import { beforeEach, expect, test } from 'vitest';
import { testDatabase } from '../../../test/support/database.ts';
import { auditFindings, openShop, type Shop, write } from '../../../test/support/payment-fixtures.ts';
import { newId } from '../../kit/ids.ts';
import type { Sweep } from '../../rails/rail.ts';
import type { Payment } from '../payment/payment.ts';
import { bookSweep, sweepsOf } from './treasury.ts';

const { db } = await testDatabase();
let shop: Shop;
let payment: Payment;
let sweep: Sweep;
beforeEach(async () => {
  shop = await openShop(db, { approved: true }, { mode: 'live' });
  payment = await shop.create();
  sweep = {
    rail: 'evm:31337',
    ledgerId: newId(),
    paymentId: payment.id,
    transaction: '0xabc',
    asset: 'usdc-erc20',
    units: 10_000_000n,
    to: 'treasury',
    state: 'final',
  };
});

const book = (state: Sweep['state']) =>
  write(shop, (tx) => bookSweep(tx, { ...sweep, state }, { mode: 'live', now: shop.clock.now() }));

/** What the payment's lines left on each account of the outside world. */
async function outside(): Promise<Record<string, bigint>> {
  const { rows } = await db.query<{ owner: string; units: bigint }>(
    `SELECT a.owner, sum(e.units) AS units
     FROM ledger_transfers t JOIN ledger_entries e ON e.transfer = t.id JOIN ledger_accounts a ON a.id = e.account
     WHERE t.cause_id = $1 GROUP BY a.owner HAVING sum(e.units) <> 0`,
    [payment.id],
  );
  return Object.fromEntries(rows.map(({ owner, units }) => [owner, units]));
}

const swept = { 'evm:31337': 10_000_000n, 'evm:31337:treasury': -10_000_000n };

test('a sweep moves money from the addresses to the treasury, once, under its own id', async () => {
  await book('final');
  await book('final');
  expect(await outside()).toEqual(swept);
  const { rows } = await db.query<{ id: string; cause: string }>(
    'SELECT id, cause FROM ledger_transfers WHERE cause_id = $1',
    [payment.id],
  );
  expect(rows).toEqual([{ id: sweep.ledgerId, cause: 'payment_swept' }]);
});

test('a sweep that leaves its chain is booked back once, and anew when it is mined again', async () => {
  await book('final');
  await book('gone');
  await book('gone');
  expect(await outside()).toEqual({});
  expect((await sweepsOf(db, payment.id)).map(({ state }) => state)).toEqual(['gone']);
  await book('final');
  expect(await outside()).toEqual(swept);
  expect(await auditFindings(db)).toEqual([]);
});

test('a sweep that was never final books nothing when it is gone', async () => {
  await book('gone');
  expect(await outside()).toEqual({});
  expect(await sweepsOf(db, payment.id)).toEqual([]);
});
