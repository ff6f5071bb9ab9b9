import { expect, test } from 'vitest';
import { seedTeam, setPayouts } from '../../../test/refunds/team.ts';
import { testDatabase } from '../../../test/support/database.ts';
import { auditFindings, openShop, report, write } from '../../../test/support/payment-fixtures.ts';
import { newId } from '../../kit/ids.ts';
import { cancelRefund } from '../refunds/cancel.ts';
import { orderRefund } from '../refunds/order.ts';
import { refundsOf } from './refund-rows.ts';

test('a refund is answered as it is stored: what held its payout up is gone with the payout', async () => {
  const { db } = await testDatabase();
  const shop = await openShop(db);
  await seedTeam(shop, 2);
  await setPayouts(shop, { approvals: 1 });
  const payment = await report(shop, await shop.create(), { key: newId(), units: 10_000_000n });
  const ordered = await write(shop, (tx) =>
    orderRefund(tx, shop.deps, payment.id, {
      wanted: {
        asset: null,
        units: 1_000_000n,
        destination: { to: 'test_customer', memo: null },
        reason: null,
      },
      requester: { accountId: null, name: 'a key', limits: null },
      ownTime: shop.clock.now(),
    }),
  );
  expect(await refundsOf(db, payment.id)).toEqual([ordered]);
  await db.query("UPDATE payouts SET held_up = 'no gas' WHERE id = $1", [ordered.payoutId]);
  expect(await refundsOf(db, payment.id)).toMatchObject([{ failure: null, heldUp: 'no gas' }]);
  const cancelled = await write(shop, (tx) => cancelRefund(tx, shop.deps, payment.id, ordered.id));
  expect(cancelled).toMatchObject({ status: 'cancelled', failure: null, heldUp: null });
  expect(await refundsOf(db, payment.id)).toEqual([cancelled]);
  expect(await auditFindings(db)).toEqual([]);
});
