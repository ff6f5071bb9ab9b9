import { currencyScale, fineScale } from '../../money/assets.ts';
import { rescale } from '../../money/money.ts';
import type { Charge } from '../payment/payment.ts';
import { dueUnits } from '../settlement/received.ts';

/**
 * The part of a payment's fee that belongs to `refunded` of the amount due, both at `fineScale`; rounded half up at the
 * currency's scale.
 */
export function feeShare(payment: Pick<Charge, 'fee' | 'currency' | 'amountDue'>, refunded: bigint): bigint {
  const due = dueUnits(payment);
  const part = refunded < due ? refunded : due;
  const units = (2n * payment.fee * part + due) / (2n * due);
  return rescale(units, currencyScale[payment.currency], fineScale);
}
