import type { FastifyRequest } from 'fastify';
import { isAccountEmail } from '../../identity/accounts/accounts.ts';
import type { Guards } from '../../identity/keys/guards.ts';
import type { Clock } from '../../kit/clock.ts';
import { type Database, transaction } from '../../kit/db/db.ts';
import type { CheckoutPayment } from '../checkout-payment.ts';
import type { Locale } from '../locale.ts';
import type { NoticeSlug } from '../notices.ts';
import { mailReceipt } from '../receipts/mail-receipts.ts';

export type ReceiptFormDeps = {
  db: Database;
  guards: Pick<Guards, 'receipt'>;
  payUrl: string;
  now: Clock;
};

/**
 * Mails the receipt of a completed payment to the address that a customer wrote, and returns the notice. Throws
 * `rate_limited` after a few for the payment, from the address of the network or to the recipient.
 */
export async function sendReceipt(
  deps: ReceiptFormDeps,
  payment: CheckoutPayment,
  { email, locale }: { email: string; locale: Locale },
  request: Pick<FastifyRequest, 'ip'>,
): Promise<NoticeSlug> {
  if (!payment.receipt) return 'not_possible';
  if (!isAccountEmail(email)) return 'not_an_email';
  await deps.guards.receipt(request, payment.id, email.toLowerCase());
  await transaction(deps.db, (tx) => mailReceipt(tx, deps, payment, { email, locale, now: deps.now() }));
  return 'receipt_sent';
}
