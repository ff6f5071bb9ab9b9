import { expect, test } from 'vitest';
import { testDatabase } from '../../../test/support/database.ts';
import {
  auditFindings,
  ledgerOf,
  openShop,
  report,
  spend,
  statusOf,
  write,
} from '../../../test/support/payment-fixtures.ts';
import { newId } from '../../kit/ids.ts';
import { acceptAppeal, returnAppeal } from '../appeals/resolve.ts';
import { disputePayment } from './act.ts';
import { refundsOf } from './refund-rows.ts';

const full = 10_000_000n;
const decisions = { accept: acceptAppeal, return: returnAppeal };
const by = { accountId: newId(), as: 'operator', note: null } as const;

test('what an appeal refunded is reversed with its own deposit alone, also after later money was accepted', async () => {
  const { db } = await testDatabase();
  const shop = await openShop(db);
  const payment = await shop.create();
  const reports = (key: string, state: 'final' | 'gone') =>
    report(shop, payment, { key: `${payment.id} ${key}`, units: full, state, asset: 'usdc-erc20' });
  const decide = async (how: keyof typeof decisions) => {
    shop.clock.advance(1);
    const { rows } = await db.query<{ id: string }>('SELECT id FROM appeals WHERE closed_at IS NULL');
    await write(shop, (tx) => decisions[how](tx, shop.deps, { scope: 'all', id: rows[0]!.id }, by));
  };
  await reports('first', 'final');
  await spend(shop, 9_900_000n);
  shop.clock.advance(1);
  await write(shop, (tx) => disputePayment(tx, shop.deps, payment.id, 'Broken'));
  await decide('return');
  await reports('second', 'final');
  await decide('accept');
  expect(await statusOf(shop, payment)).toBe('completed accepted');
  const before = await ledgerOf(db, payment);

  await reports('first', 'gone');
  expect((await refundsOf(db, payment.id)).map(({ status }) => status)).toEqual(['cancelled']);
  expect(await ledgerOf(db, payment)).toEqual({ ...before, external: -full, payable: undefined });
  expect(await auditFindings(db)).toEqual([]);
});
