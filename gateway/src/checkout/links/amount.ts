import { Refusal } from '../../kit/errors.ts';
import { ledgerErrors } from '../../ledger/errors.ts';
import { type Currency, currencyScale } from '../../money/assets.ts';
import { decimalOf, numberOf } from '../../money/money.ts';
import { minorDigits } from '../../money/price-currencies.ts';
import type { Asks } from '../../payments/create/schema.ts';
import { linkAsked, type PaymentLink } from '../../payments/links/link.ts';
import { parseWritten } from '../../payments/payment/amount.ts';
import { paymentErrors } from '../../payments/payment/errors.ts';
import type { Format } from '../format.ts';
import type { Sentence, Translate } from '../messages/translate.ts';

/** What is wrong with a customer's amount. */
export type AmountFault = 'digits' | 'decimals' | 'limits' | { minimum: string };

/** What a payment by this link asks: what the link does, or the amount that the customer wrote. */
export function asksOf(link: PaymentLink, written: string): Asks | { fault: AmountFault } {
  if (link.price) {
    const { price, currency, choices } = link;
    return { price, currency, choices, sent: numberOf(price.amount, minorDigits(price.currency)) };
  }
  const { currency, amount } = link;
  if (amount !== null) return taken(currency, amount);
  const plain = plainDecimal(written);
  if (plain === null) return { fault: 'digits' };
  const units = parseWritten(plain, currency);
  if (units instanceof Refusal)
    return { fault: units.row === ledgerErrors.amount_decimals ? 'decimals' : 'digits' };
  const isBelow = link.minAmount !== null && units < link.minAmount;
  const isAbove = link.maxAmount !== null && units > link.maxAmount;
  return isBelow || isAbove ? { fault: 'limits' } : taken(currency, units);
}

const taken = (currency: Currency, units: bigint): Asks => ({
  sent: numberOf(units, currencyScale[currency]),
  ...{ price: null, amount: units, currency },
});

/**
 * What a customer wrote, with a point or a comma, as a plain decimal; null: it is no decimal, or its comma may separate
 * thousands.
 */
function plainDecimal(written: string): string | null {
  const latin = written
    .trim()
    .replace(/\p{Nd}/gu, latinDigit)
    .replace('\u066b', '.');
  const [, whole, separator = '', decimals = ''] = /^(\d{1,15})(?:([.,])(\d{1,18}))?$/.exec(latin) ?? [];
  if (whole === undefined || (separator === ',' && decimals.length === 3)) return null;
  return decimals === '' ? whole : `${whole}.${decimals}`;
}

/** The zeros of Arabic, Persian, Hindi, Bengali and Thai; the other digits of each follow its zero. */
const zeros = [0x660, 0x6f0, 0x966, 0x9e6, 0xe50];

function latinDigit(digit: string): string {
  const code = digit.codePointAt(0) ?? 0;
  const zero = zeros.find((each) => code >= each && code <= each + 9);
  return zero === undefined ? digit : String(code - zero);
}

/** The fault of the amount for which the payment was refused; null: it was refused for another reason. */
export function faultOfRefusal(error: Refusal): AmountFault | null {
  if (error.row !== paymentErrors.amount_below_minimum) return null;
  return { minimum: /minimum of (\S+) USD/.exec(error.message)?.[1] ?? '' };
}

type Words = { t: Translate; format: Format };

/** The limits of an amount in words; null: it has none. */
export function limitsText({ t, format }: Words, link: PaymentLink): Sentence | null {
  if (link.price) return null;
  const { currency, minAmount: min, maxAmount: max } = link;
  const amount = (units: bigint) => format.amount(decimalOf(units, currencyScale[currency]), currency);
  if (min !== null && max !== null) return t('linkBetween', { min: amount(min), max: amount(max) });
  if (min !== null) return t('linkAtLeast', { min: amount(min) });
  return max === null ? null : t('linkAtMost', { max: amount(max) });
}

export function faultText(words: Words, link: PaymentLink, fault: AmountFault): Sentence {
  const { t } = words;
  if (typeof fault === 'object') return t('linkFaultMinimum', { min: fault.minimum });
  if (fault === 'decimals') return t('linkFaultDecimals', { currency: linkAsked(link).currency });
  return (fault === 'limits' && limitsText(words, link)) || t('linkFaultAmount');
}
