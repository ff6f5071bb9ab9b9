import { type Currency, currencyScale } from '../../money/assets.ts';
import { decimalOf, numberOf } from '../../money/money.ts';
import { minorDigits, type PriceCurrency } from '../../money/price-currencies.ts';
import { worthAt } from '../../money/rate-units.ts';

/** What a merchant asks in other money: `amount` in minor units of the currency. */
export type Price = { amount: bigint; currency: PriceCurrency };

type Asked = { price: Price | null; currency: Currency | null; amount: bigint | null };

/** What the merchant asked: the price where there is one. `amount` is a decimal in `currency`. */
export function askedOf(payment: Asked): { amount: string; currency: Currency | PriceCurrency } {
  const { units, scale, currency } = askedUnits(payment);
  return { amount: decimalOf(units, scale), currency };
}

/** The same as the JSON number of create, info and webhooks. */
export function askedNumber(payment: Asked): number {
  const { units, scale } = askedUnits(payment);
  return numberOf(units, scale);
}

function askedUnits({ price, currency, amount }: Asked) {
  if (price) return { units: price.amount, scale: minorDigits(price.currency), currency: price.currency };
  if (currency === null || amount === null) throw new Error('A payment without a price has an amount');
  return { units: amount, scale: currencyScale[currency], currency };
}

type Charged = { price: Price | null; rate: bigint | null; currency: Currency | null; fee: bigint | null };

/** The fee as a decimal in the currency of what was asked; of a price half up at its minor digits, 0 before a quote. */
export function askedFeeOf(payment: Charged): string {
  const { units, scale } = feeUnits(payment);
  return decimalOf(units, scale);
}

/** The same as the JSON number of webhooks. */
export function askedFeeNumber(payment: Charged): number {
  const { units, scale } = feeUnits(payment);
  return numberOf(units, scale);
}

function feeUnits({ price, rate, currency, fee }: Charged): { units: bigint; scale: number } {
  if (price === null) {
    if (currency === null || fee === null) throw new Error('A payment without a price has a fee');
    return { units: fee, scale: currencyScale[currency] };
  }
  const scale = minorDigits(price.currency);
  if (currency === null || fee === null || rate === null) return { units: 0n, scale };
  return { units: worthAt(fee, currencyScale[currency], rate, scale), scale };
}
