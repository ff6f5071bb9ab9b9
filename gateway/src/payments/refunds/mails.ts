import { pageDomainSql } from '../../identity/integration.ts';
import { mailAccent } from '../../identity/integrations/brand-color.ts';
import { payUrlOf } from '../../identity/integrations/page-domain.ts';
import { refundClaimedLetter, refundWaitsLetter } from '../../identity/mail/customer-letters.ts';
import { queueMail } from '../../identity/mail/mail.ts';
import { after } from '../../kit/clock.ts';
import type { Tx } from '../../kit/db/db.ts';
import { oneRow } from '../../kit/db/one-row.ts';
import { kitErrors, refuse } from '../../kit/errors.ts';
import type { Assets } from '../../money/assets.ts';
import { decimalOf } from '../../money/money.ts';
import { paymentErrors } from '../payment/errors.ts';
import { paymentUrl } from '../payment/page-link.ts';
import type { Payment } from '../payment/payment.ts';
import type { Refund } from '../settlement/refund.ts';
import { findRefund } from '../settlement/refund-rows.ts';

// What customers are told about refunds by mail.

const restSeconds = 600;

/**
 * Mails the link at which the customer says where a refund goes. The caller has locked the payment. Refuses `not_found`,
 * `refund_closed`, and `rate_limited` within ten minutes of the last mail.
 */
export async function mailClaimLink(
  tx: Tx,
  { assets, payUrl }: { assets: Assets; payUrl: string },
  payment: Payment,
  { refundId, to, now }: { refundId: string; to: string; now: Date },
): Promise<Refund> {
  const refund = await findRefund(tx, payment.id, refundId);
  if (!refund) throw refuse(kitErrors.not_found);
  if (refund.status !== 'awaiting_destination') throw refuse(paymentErrors.refund_closed);
  const { linkMailedAt } = refund;
  if (linkMailedAt !== null && now < after(linkMailedAt, restSeconds)) throw refuse(kitErrors.rate_limited);
  const { reference, integrationId, token } = payment;
  const integration = await shopOf(tx, payment);
  const url = paymentUrl(payUrlOf(payUrl, integration), reference, integrationId, token);
  const words = wordsOf(assets, integration, payment, refund);
  const letter = refundWaitsLetter({ ...words, url, ...mailAccent(integration.color) });
  await queueMail(tx, { to, ...letter });
  const table = refund.isDirect ? 'direct_refunds' : 'payment_refunds';
  await tx.query(`UPDATE ${table} SET link_mailed_at = $2, link_mailed_to = $3 WHERE id = $1`, [
    refund.id,
    now,
    to,
  ]);
  return { ...refund, linkMailedAt: now, linkMailedTo: to };
}

/** Mails the customer that the refund was claimed, before it is sent: somebody else may have claimed it. */
export async function mailClaimed(tx: Tx, assets: Assets, payment: Payment, refund: Refund): Promise<void> {
  const { customerEmail: to, mode } = payment;
  // Anybody who signs up can make test payments for any address.
  if (to === null || mode === 'test') return;
  const words = wordsOf(assets, await shopOf(tx, payment), payment, refund);
  await queueMail(tx, { to, ...refundClaimedLetter({ ...words, to: refund.to ?? '' }) });
}

type Shop = { name: string; color: string | null; pageDomain: string | null };

async function shopOf(tx: Tx, { integrationId }: Payment): Promise<Shop> {
  const found = await tx.query<Shop>(
    `SELECT i.name, i.brand_color AS color, ${pageDomainSql} AS "pageDomain" FROM integrations i WHERE i.id = $1`,
    [integrationId],
  );
  return oneRow(found, 'integration');
}

function wordsOf(assets: Assets, shop: Shop, { reference }: Payment, refund: Refund) {
  const { scale, currency, network } = assets.get(refund.asset);
  return {
    integration: shop.name,
    reference,
    network,
    amount: `${decimalOf(refund.units, scale)} ${currency}`,
  };
}
