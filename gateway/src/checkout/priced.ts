import { fineScale } from '../money/assets.ts';
import { decimalOf, unitsOfDecimal, unitsOfNumber } from '../money/money.ts';
import { isPriceCurrency, minorDigits } from '../money/price-currencies.ts';
import { worthAt } from '../money/rate-units.ts';
import { rateUnits } from '../money/rates.ts';
import type { CheckoutPayment } from './checkout-payment.ts';
import { type Format, isZero } from './format.ts';
import type { Sentence, Translate } from './messages/translate.ts';

type Priced = Pick<CheckoutPayment, 'price' | 'quote'>;

/** Whether the customer has to choose a currency before there is an amount to pay. */
export const isOpen = ({ price, quote }: Priced): boolean => price !== null && quote === null;

/** Whether the customer pays a fee on top of the price. */
export const hasFee = ({ feePayer, fee }: CheckoutPayment): boolean =>
  feePayer === 'customer' && !isZero(fee);

/** Whether nothing came yet, or as much as is due. */
export const isAsExpected = (view: CheckoutPayment): boolean =>
  isZero(view.amountReceived) || (isZero(view.amountMissing) && isZero(view.overpayment));

/** The decimals of `lineUnits`. */
export const lineScale = 2 * fineScale;

/** Price times quantity of an item, exactly, at `lineScale`; the quantity may have decimals. Null: not known exactly. */
export function lineUnits({ price, quantity }: CheckoutPayment['items'][number]): bigint | null {
  const [each, times] = [unitsOfNumber(price, fineScale), unitsOfNumber(quantity, fineScale)];
  return typeof each === 'bigint' && typeof times === 'bigint' ? each * times : null;
}

/** What the customer pays in the price's money, the fee on top of it included; null: there is no price. A decimal string. */
export function priceTotal({ price, feePayer }: CheckoutPayment): string | null {
  if (price === null || feePayer === 'merchant') return price?.amount ?? null;
  return decimalOf(fine(price.amount) + fine(price.fee), fineScale);
}

type Shown = { view: Priced; format: Format };

/** What is added to a price, or taken off it, for paying in a coin, in basis points; null: nothing. */
export function adjustmentText(
  { t, format }: { t: Translate; format: Format },
  adjustment: number,
): Sentence | null {
  if (adjustment === 0) return null;
  const percent = format.percent(Math.abs(adjustment));
  return t(adjustment < 0 ? 'priceDiscount' : 'priceSurcharge', { percent });
}

/** The rate of the quote: `1 USDC = 0.937577 EUR`; null: there is no quote. */
export function rateText({ view: { price, quote }, format }: Shown): string | null {
  if (price === null || quote === null) return null;
  return `1\u00a0${quote.currency} = ${format.rate(quote.rate)}\u00a0${price.currency}`;
}

/**
 * What an amount of a coin is worth in the price's money at the rate of the quote, half up, as `18.75 EUR`; null: there is no
 * quote, or it is of another coin.
 */
export function worthText({ view, format }: Shown, amount: string, currency: string): string | null {
  const { price, quote } = view;
  if (quote?.currency !== currency || price === null || !isPriceCurrency(price.currency)) return null;
  const digits = minorDigits(price.currency);
  const units = worthAt(fine(amount), fineScale, rateUnits(quote.rate) ?? 0n, digits);
  return format.amount(decimalOf(units, digits), price.currency);
}

const fine = (decimal: string): bigint => unitsOfDecimal(decimal, fineScale) ?? 0n;
