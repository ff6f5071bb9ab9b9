import { type Refusal, refuse } from '../kit/errors.ts';
import { type AmountFault, unitsOfDecimal, unitsOfNumber } from '../money/money.ts';
import { ledgerErrors } from './errors.ts';

const faultRows = {
  not_positive: ledgerErrors.amount_not_positive,
  too_many_decimals: ledgerErrors.amount_decimals,
  too_large: ledgerErrors.amount_too_large,
} satisfies Record<AmountFault, unknown>;

/** The refusal of an amount of a currency. */
export function amountRefusal(fault: AmountFault, currency: string): Refusal {
  return refuse(faultRows[fault], { currency });
}

const maxWholeDigits = 30;

/** Units at `scale` of a plain decimal string that is more than zero, or what is wrong with it. */
function unitsOfText(text: string, scale: number): bigint | AmountFault {
  // With the text's own length as scale, `unitsOfDecimal` refuses leading zeros, signs and exponents, and no decimals.
  if (text.length > 100 || (unitsOfDecimal(text, text.length) ?? 0n) === 0n) return 'not_positive';
  if (text.replace(/\..*/, '').length > maxWholeDigits) return 'too_large';
  return unitsOfDecimal(text, scale) ?? 'too_many_decimals';
}

/** The same of an amount that was sent as a decimal string or as a JSON number (contract.md#payouts). */
export function unitsOfAmount(value: unknown, scale: number): bigint | AmountFault {
  return typeof value === 'string' ? unitsOfText(value, scale) : unitsOfNumber(value, scale);
}
