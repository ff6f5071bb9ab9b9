import type { PaymentDetail } from './queries.ts';

const reasons: Record<string, string> = {
  abandoned: 'nobody paid before the deadline',
  customer: 'the customer cancelled',
  merchant: 'you cancelled',
  simulated: 'simulated',
  reorg: 'the transfer left its chain',
  part_paid: 'less than the amount due was paid by the deadline',
  late: 'money came after the deadline',
  paid_after_end: 'money came after it had ended',
  disputed: 'the customer disputes it',
  accepted: 'the amount received was accepted',
  dispute_rejected: 'the dispute was rejected',
  returned: 'the money was refunded',
  covered_again: 'the money that had left its chain came back',
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
  if (error === null) return `answered ${status_code}`;
  return error.charAt(0).toLowerCase() + error.slice(1);
}

const causes: Record<string, string> = {
  payment_received: 'Received',
  payment_settled: 'Settled to your balance',
  payment_fee: 'Service fee',
  payment_surplus: 'Overpayment, owed to the customer',
  payment_taken_back: 'Taken back from your balance',
  payment_fee_returned: 'Fee taken back',
  payment_surplus_returned: 'Overpayment reversed',
  payment_returned: 'Refunded',
  refund_owed: 'Refund owed to the customer',
  refund_taken: 'Taken from your balance for a refund',
  refund_fee_returned: 'Fee returned for a refund',
  refund_given_back: 'Back from a refund that was not sent',
  refund_sent: 'Refund sent to the customer',
  refund_sent_undone: 'Refund taken back by a reorg',
  payment_lost: 'Left its chain',
  payment_swept: 'Swept to the treasury',
  payment_sweep_undone: 'Sweep left its chain',
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
      return 'The customer has not chosen how to pay yet. No money has moved.';
    case 'linked':
      return 'The customer has chosen how to pay. No money has been seen yet.';
    case 'pending':
      return 'Money has been seen and waits for its confirmations. You do not need to do anything.';
    case 'completed':
      return payment.unusual.includes('overpaid')
        ? 'The full amount is booked to your balance. The overpayment is the customer’s.'
        : 'The full amount is final and booked to your balance.';
    case 'failed':
      return `It failed${why}.`;
    case 'cancelled':
      return `It was cancelled${why}. Nothing was booked.`;
    case 'in-appeal':
      return `It is in appeal${why}. It waits for a decision.`;
  }
}
