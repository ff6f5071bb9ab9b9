import type { Assets } from '../../money/assets.ts';
import { decimalOf } from '../../money/money.ts';
import { paymentUrl } from '../create/create.ts';
import type { Payment } from '../payment.ts';
import type { Refund } from '../refund.ts';

/** A refund as the API shows it; amounts are decimals (contract.md 11). */
export function refundView(
  { assets, payUrl }: { assets: Assets; payUrl: string },
  payment: Payment,
  refund: Refund,
) {
  const { scale } = assets.get(refund.asset);
  const { reference, integrationId, token } = payment;
  return {
    id: refund.id,
    payment_reference: reference,
    status: refund.status,
    asset: refund.asset,
    amount: decimalOf(refund.units, scale),
    fee_returned: decimalOf(refund.parts.fees, scale),
    to: refund.to,
    memo: refund.memo,
    reason: refund.reason,
    claim_url:
      refund.status === 'awaiting_destination' ? paymentUrl(payUrl, reference, integrationId, token) : null,
    transaction: refund.transaction,
    failure: refund.failure,
    created_at: refund.createdAt.toISOString(),
    completed_at: refund.completedAt?.toISOString() ?? null,
  };
}

export type RefundView = ReturnType<typeof refundView>;

/** The same for the dashboard, with what the customer was mailed and has signed. */
export function consoleRefundView(deps: Parameters<typeof refundView>[0], payment: Payment, refund: Refund) {
  return {
    ...refundView(deps, payment, refund),
    link_mailed_at: refund.linkMailedAt?.toISOString() ?? null,
    link_mailed_to: refund.linkMailedTo,
    proved_by: refund.provedBy,
  };
}
