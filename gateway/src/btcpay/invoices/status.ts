import type { InvoiceStatus } from '../../payments/payment/invoice.ts';
import type { Payment } from '../../payments/payment/payment.ts';

type AdditionalStatus = 'None' | 'PaidLate' | 'PaidPartial' | 'Marked' | 'PaidOver';

type Statuses = { status: InvoiceStatus; additionalStatus: AdditionalStatus };

type Facts = Pick<Payment, 'status' | 'reason' | 'completedAt' | 'unusual'>;

/**
 * The status of a payment in the words of that API (contract.md#btcpay). `PaidLate` is only said where all that is due came:
 * plug-ins take it for paid.
 */
export function statusOf(payment: Facts): Statuses {
  const { status, reason, completedAt, unusual } = payment;
  switch (status) {
    case 'unlinked':
    case 'linked':
      return { status: 'New', additionalStatus: 'None' };
    case 'pending':
      return { status: 'Processing', additionalStatus: amountStatus(payment) };
    case 'completed':
      return { status: 'Settled', additionalStatus: settledStatus(payment) };
    case 'in-appeal':
      if (completedAt !== null) return { status: 'Settled', additionalStatus: settledStatus(payment) };
      return {
        status: 'Expired',
        additionalStatus:
          reason === 'part_paid' || unusual.includes('part_paid') ? 'PaidPartial' : 'PaidLate',
      };
    case 'failed':
      return { status: 'Invalid', additionalStatus: 'None' };
    case 'cancelled': {
      const isByPeople = reason === 'customer' || reason === 'merchant';
      return isByPeople
        ? { status: 'Invalid', additionalStatus: 'Marked' }
        : { status: 'Expired', additionalStatus: 'None' };
    }
  }
}

function amountStatus({ unusual }: Pick<Facts, 'unusual'>): AdditionalStatus {
  if (unusual.includes('overpaid')) return 'PaidOver';
  return unusual.includes('part_paid') ? 'PaidPartial' : 'None';
}

function settledStatus({ unusual, reason }: Facts): AdditionalStatus {
  if (unusual.includes('overpaid')) return 'PaidOver';
  if (reason === 'accepted') return 'Marked';
  return unusual.includes('late') ? 'PaidLate' : 'None';
}
