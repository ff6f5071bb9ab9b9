import { t } from '../../texts/t.ts';
import type { PaymentDetail } from './queries.ts';

const reasons: Record<string, string> = {
  abandoned: t('nobody paid before the deadline'),
  customer: t('the customer cancelled'),
  merchant: t('you cancelled'),
  simulated: t('simulated'),
  reorg: t('the transfer left its chain'),
  part_paid: t('less than the amount due was paid by the deadline'),
  late: t('money came after the deadline'),
  paid_after_end: t('money came after it had ended'),
  disputed: t('the customer disputes it'),
  accepted: t('the amount received was accepted'),
  dispute_rejected: t('the appeal was rejected'),
  returned: t('the money was refunded'),
  covered_again: t('the money that had left its chain came back'),
  short: t('what was missing was within your tolerance'),
};

/** Why a payment has its status, as the end of a sentence. */
export function reasonWords(reason: string): string {
  return reasons[reason] ?? reason.replaceAll('_', ' ');
}

/** `payment_completed` is `completed`. */
export function eventWord(type: string): string {
  return type.replace(/^payment_/, '').replaceAll('_', ' ');
}

/** The result of an attempt, within a sentence: `answered 200`, `timed out after 5 s`. */
export function answerWords({
  error,
  status_code,
}: {
  error: string | null;
  status_code: number | null;
}): string {
  if (error === null) return t('answered {status}', { status: `${status_code}` });
  return error.charAt(0).toLowerCase() + error.slice(1);
}

const causes: Record<string, string> = {
  payment_received: t('Received'),
  payment_settled: t('Settled to your balance'),
  payment_fee: t('Service fee'),
  payment_surplus: t('Overpayment, owed to the customer'),
  payment_taken_back: t('Taken back from your balance'),
  payment_fee_returned: t('Fee taken back'),
  payment_surplus_returned: t('Overpayment reversed'),
  payment_returned: t('Refunded'),
  refund_owed: t('Refund owed to the customer'),
  refund_taken: t('Taken from your balance for a refund'),
  refund_fee_returned: t('Fee returned for a refund'),
  refund_given_back: t('Back from a refund that was not sent'),
  refund_sent: t('Refund sent to the customer'),
  refund_sent_undone: t('Refund taken back by a reorg'),
  payment_lost: t('Left its chain'),
  payment_swept: t('Swept to the treasury'),
  payment_sweep_undone: t('Sweep left its chain'),
};

export function causeWords(cause: string): string {
  return causes[cause] ?? cause.replaceAll('_', ' ');
}

/** In one sentence: whether money moved, and what comes next. */
export function statusSentence(payment: PaymentDetail): string {
  const { payment_status: status, reason } = payment;
  const why = reason === null ? '' : `: ${reasonWords(reason)}`;
  switch (status) {
    case 'unlinked':
      return t('The customer has not chosen how to pay yet. No money has moved.');
    case 'linked':
      return t('The customer has chosen how to pay. No money has been seen yet.');
    case 'pending':
      return t('Money has been seen and waits for its confirmations. You do not need to do anything.');
    case 'completed':
      if (payment.short) {
        return t(
          'Less came, and what was missing was within your tolerance. What came is booked to your balance.',
        );
      }
      if (payment.direct !== null) {
        return t(
          'The full amount is final. What came directly goes to your own address, less the operator’s part.',
        );
      }
      return payment.unusual.includes('overpaid')
        ? t('The full amount is booked to your balance. The overpayment is the customer’s.')
        : t('The full amount is final and booked to your balance.');
    case 'failed':
      return t('It failed{why}.', { why });
    case 'cancelled':
      return t('It was cancelled{why}. Nothing was booked.', { why });
    case 'in-appeal':
      return t('It is in appeal{why}. It waits for a decision.', { why });
  }
}
