import { link, makePayment, mark, type PlatformContext, paymentOf } from './context.ts';
import { isCancelled, isOpen, type PaymentDto, type PaymentRequest } from './payment.ts';
import { Refusal } from './refusal.ts';
import { verifyTransaction } from './verify.ts';

/** Makes a payment from the app to a user. One at a time: the next one waits for its end. */
export function createAppToUser(
  context: PlatformContext,
  request: PaymentRequest & { uid: string },
): PaymentDto {
  const user = context.users.byUid(request.uid);
  if (!user) throw new Refusal(404, 'user_not_found', 'There is no user with this uid.');
  const payment = incompleteServerPayments(context).find(({ user_uid }) => user_uid === user.uid);
  if (payment) {
    const message = 'The user has a payment from this app that was neither completed nor cancelled.';
    throw new Refusal(400, 'ongoing_payment_found', message, { payment });
  }
  return makePayment(context, user, 'app_to_user', request);
}

/** Payments from the app to users that have not ended. */
export function incompleteServerPayments({ store }: PlatformContext): PaymentDto[] {
  return store.all().filter((payment) => payment.direction === 'app_to_user' && isOpen(payment));
}

export function approve(context: PlatformContext, identifier: string): PaymentDto {
  const payment = paymentOf(context, identifier);
  assertNotCancelled(payment);
  if (payment.status.developer_approved)
    throw new Refusal(400, 'already_approved', 'The payment was approved before.', { payment });
  return mark(context, payment, { developer_approved: true });
}

/** Completes a payment after its transaction was found to be right. */
export async function complete(
  context: PlatformContext,
  identifier: string,
  txid: unknown,
): Promise<PaymentDto> {
  assertCompletable(paymentOf(context, identifier), txid);
  const mismatch = await verifyTransaction(
    context.horizonUrl,
    txid as string,
    paymentOf(context, identifier),
  );
  // Somebody else may have been faster.
  const payment = paymentOf(context, identifier);
  assertCompletable(payment, txid);
  if (mismatch) throw verificationFailed(mismatch);
  return link(context, payment, txid as string, { transaction_verified: true, developer_completed: true });
}

function assertCompletable(payment: PaymentDto, txid: unknown): void {
  if (typeof txid !== 'string' || txid === '') throw new Refusal(400, 'missing_txid', 'There is no txid.');
  assertNotCancelled(payment);
  if (!payment.status.developer_approved)
    throw new Refusal(400, 'not_verified', 'The payment was not approved.');
  if (payment.transaction && payment.transaction.txid !== txid) {
    if (payment.direction === 'app_to_user') throw verificationFailed('payment_already_linked_with_a_tx');
    throw new Refusal(400, 'txid_mismatch', 'The payment has another transaction.');
  }
  if (payment.status.developer_completed)
    throw new Refusal(400, 'already_completed', 'The payment was completed before.', { payment });
}

function verificationFailed(verification_error: string): Refusal {
  const message = 'The transaction is not the one that the payment asks for.';
  return new Refusal(400, 'verification_failed', message, { verification_error });
}

export function cancel(context: PlatformContext, identifier: string): PaymentDto {
  const payment = paymentOf(context, identifier);
  assertNotCancelled(payment);
  if (payment.status.developer_completed)
    throw new Refusal(400, 'already_completed', 'The payment was completed before.', { payment });
  if (payment.transaction)
    throw new Refusal(400, 'payment_tx_present', 'The payment has a transaction: complete it instead.');
  return mark(context, payment, { cancelled: true });
}

function assertNotCancelled(payment: PaymentDto): void {
  if (isCancelled(payment))
    throw new Refusal(400, 'cancelled_payment', 'The payment was cancelled.', { payment });
}
