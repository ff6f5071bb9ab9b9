import { type Assets, fineScale } from '../money/assets.ts';
import { decimalOf } from '../money/money.ts';
import type { Payment } from '../payments/payment/payment.ts';
import { directOverpaid, overpaidUnits } from '../payments/settlement/received.ts';
import type { TransferRow } from '../payments/settlement/transfer.ts';
import type { CheckoutPayment } from './checkout-payment.ts';

/** How much came too much, and what of that went to the merchant's own address. */
export function overpaymentOf(
  assets: Assets,
  payment: Payment,
  transfers: TransferRow[],
): Pick<CheckoutPayment, 'overpayment' | 'directOverpayment'> {
  const decimal = (fine: bigint): string => decimalOf(fine, fineScale);
  const all = overpaidUnits(assets, payment, transfers);
  const { units, fee } = directOverpaid(assets, payment, transfers);
  const direct = { amount: decimal(units), fee: decimal(fee), rest: decimal(all - units) };
  return { overpayment: decimal(all), ...(units > 0n && { directOverpayment: direct }) };
}
