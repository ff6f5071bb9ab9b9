import type { Assets } from '../../money/assets.ts';
import { decimalOf } from '../../money/money.ts';
import { type PagesAt, pageLink } from '../payment/page-link.ts';
import type { Payment } from '../payment/payment.ts';
import type { Refund } from '../settlement/refund.ts';
import { preparedTransfer } from './prepared-transfer.ts';

export type RefundViewDeps = { assets: Assets; pagesAt: PagesAt };

/** A refund as the API shows it; amounts are decimals (contract.md#refunds). */
export function refundView({ assets, pagesAt }: RefundViewDeps, payment: Payment, refund: Refund) {
  const { scale } = assets.get(refund.asset);
  return {
    id: refund.id,
    payment_reference: payment.reference,
    status: refund.status,
    asset: refund.asset,
    amount: decimalOf(refund.units, scale),
    fee_returned: decimalOf(refund.parts.fees, scale),
    to: refund.to,
    memo: refund.memo,
    reason: refund.reason,
    claim_url: refund.status === 'awaiting_destination' ? pageLink(pagesAt, payment) : null,
    transfer: preparedTransfer({ assets, reference: payment.reference }, refund),
    transaction: refund.transaction,
    failure: refund.failure ?? refund.heldUp,
    created_at: refund.createdAt.toISOString(),
    completed_at: refund.completedAt?.toISOString() ?? null,
  };
}

export type RefundView = ReturnType<typeof refundView>;

/** The same for the dashboard, with what the customer was mailed and has signed. */
export function consoleRefundView(deps: RefundViewDeps, payment: Payment, refund: Refund) {
  return {
    ...refundView(deps, payment, refund),
    link_mailed_at: refund.linkMailedAt?.toISOString() ?? null,
    link_mailed_to: refund.linkMailedTo,
    proved_by: refund.proof?.provedBy ?? null,
  };
}
