import { type Currency, currencyScale } from '../../money/assets.ts';
import { decimalOf } from '../../money/money.ts';
import { minorDigits, type PriceCurrency } from '../../money/price-currencies.ts';
import { rateScale } from '../../money/rates.ts';

/** What a merchant asks in other money: `amount` in minor units of the currency. */
export type Price = { amount: bigint; currency: PriceCurrency };

/** What the merchant asked: the price where there is one. `amount` is a decimal in `currency`. */
export function askedOf(payment: { price: Price | null; currency: Currency | null; amount: bigint | null }): {
  amount: string;
  currency: Currency | PriceCurrency;
} {
  const { price, currency, amount } = payment;
  if (price)
    return { amount: decimalOf(price.amount, minorDigits(price.currency)), currency: price.currency };
  if (currency === null || amount === null) throw new Error('A payment without a price has an amount');
  return { amount: decimalOf(amount, currencyScale[currency]), currency };
}

/** The fee as a decimal in the currency of what the merchant asked; of a price half up at its minor digits, 0 before a quote. */
export function askedFeeOf(payment: {
  price: Price | null;
  rate: bigint | null;
  currency: Currency | null;
  fee: bigint | null;
}): string {
  const { price, rate, currency, fee } = payment;
  if (price === null) {
    if (currency === null || fee === null) throw new Error('A payment without a price has a fee');
    return decimalOf(fee, currencyScale[currency]);
  }
  if (currency === null || fee === null || rate === null) return '0';
  const digits = minorDigits(price.currency);
  const one = 10n ** BigInt(currencyScale[currency] + rateScale);
  return decimalOf((2n * fee * rate * 10n ** BigInt(digits) + one) / (2n * one), digits);
}
