import type { Payment } from '../../src/payments/payment/payment.ts';
import { type ClaimDeps, claimRefund } from '../../src/payments/refunds/claim.ts';
import type { Refund } from '../../src/payments/settlement/refund.ts';
import { refundsOf } from '../../src/payments/settlement/refund-rows.ts';
import { approvePayout } from '../../src/payouts/lifecycle/approve.ts';
import { simulatePayout } from '../../src/payouts/lifecycle/simulate.ts';
import type { SendOutcome } from '../../src/rails/simulated/sends.ts';
import { approverOf } from '../payouts/team.ts';
import { type Shop, write } from '../support/payment-fixtures.ts';

/** An address of test mode, which no payment came from. */
export const testAddress = 'test_customer';

/** What a claim needs; every asset is worth a dollar. */
export const claimDeps = (shop: Shop): ClaimDeps => ({
  ...shop.deps,
  faultOf: () => () => null,
  usdOf: () => '1',
});

/** The customer claims a refund, or what is owed in an asset. */
export const claim = (
  shop: Shop,
  payment: Pick<Payment, 'id'>,
  {
    refundId = null,
    asset = 'usdc-erc20',
    to = testAddress,
  }: { refundId?: string | null; asset?: string; to?: string } = {},
): Promise<Refund> => {
  shop.clock.advance(1);
  return write(shop, (tx) => claimRefund(tx, claimDeps(shop), { payment, refundId, asset, to, memo: null }));
};

/** People of the business who did not ask approve a payout as often as it needs. */
async function approveAll(shop: Shop, payoutId: string): Promise<void> {
  for (;;) {
    const { rows } = await shop.db.query(
      "SELECT FROM payouts WHERE id = $1 AND status = 'awaiting_approval'",
      [payoutId],
    );
    if (rows.length === 0) return;
    const accountId = await approverOf(shop.db, shop.owner.integrationId, payoutId, shop.clock.now());
    const by = { accountId, name: 'somebody', side: 'merchant' } as const;
    await write(shop, (tx) => approvePayout(tx, shop.deps, payoutId, by));
  }
}

/** What the simulated chain makes of the payout of a refund, after its approvals. */
export async function playRefund(shop: Shop, { payoutId }: Refund, outcome: SendOutcome): Promise<void> {
  if (payoutId === null) throw new Error('No payout carries the refund');
  await approveAll(shop, payoutId);
  await write(shop, (tx) => simulatePayout(tx, shop.deps, payoutId, outcome));
}

/** The customer claims all refunds of a test payment, and they are sent. */
export async function sendRefunds(shop: Shop, payment: Payment): Promise<void> {
  for (const { id, asset, status } of await refundsOf(shop.db, payment.id)) {
    if (status !== 'awaiting_destination') continue;
    await playRefund(shop, await claim(shop, payment, { refundId: id, asset }), 'sent');
  }
}
