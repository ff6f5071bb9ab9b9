import type { FeeTerms } from '../../identity/integration.ts';
import { type Refusal, refuse } from '../../kit/errors.ts';
import { amountRefusal } from '../../ledger/amount.ts';
import { type Currency, currencyScale } from '../../money/assets.ts';
import { unitsOfDecimal, unitsOfNumber } from '../../money/money.ts';
import { type Rates, rateScale, rateUnits } from '../../money/rates.ts';
import { paymentErrors } from './errors.ts';

const widestScale = Math.max(...Object.values(currencyScale));

/**
 * Units at the currency's scale of an amount that was sent as a JSON number, or the refusal. Without a known currency
 * only its sign and size are judged, and the units are of no use.
 */
export function parseAmount(value: unknown, currency: Currency | undefined): bigint | Refusal {
  const units = unitsOfNumber(value, currency ? currencyScale[currency] : widestScale);
  if (typeof units === 'bigint') return units;
  if (units === 'too_many_decimals' && !currency) return 0n;
  return amountRefusal(units, currency ?? '');
}

/**
 * The same of an amount that was written as a plain decimal: it is the JSON number of these digits. What is no plain
 * decimal is no number.
 */
export function parseWritten(text: string, currency: Currency | undefined): bigint | Refusal {
  const plain = /^\d{1,40}(?:\.\d{1,40})?$/.test(text) ? text.replace(/^0+(?=\d)/, '') : 'null';
  return parseAmount(JSON.parse(plain), currency);
}

/**
 * The fee on `amount`, in units at `scale`: basis points rounded half up, plus the fixed part, within floor
 * and cap, and never more than the amount (contract.md#fees).
 */
export function feeOf(terms: FeeTerms, amount: bigint, scale: number): bigint {
  const part = (text: string | null | undefined): bigint | undefined =>
    text === null || text === undefined ? undefined : (unitsOfDecimal(text, scale) ?? undefined);
  let fee = (amount * BigInt(terms.bps) + 5_000n) / 10_000n + (part(terms.fixed) ?? 0n);
  const floor = part(terms.floor);
  const cap = part(terms.cap);
  if (floor !== undefined && fee < floor) fee = floor;
  if (cap !== undefined && fee > cap) fee = cap;
  return fee < amount ? fee : amount;
}

/** What the fee of an amount depends on. `isDirect`: the host's part is taken of what arrives (contract.md#direct). */
export type FeeOn = { terms: FeeTerms; feePayer: string; isDirect: boolean };

/**
 * What a customer pays for an amount, and the fee in that, in units at the currency's scale. A splitter takes its part of
 * all that arrives: where the customer pays the fee, so much is due that the merchant gets the whole amount.
 */
export function chargedOn(
  amount: bigint,
  { terms, feePayer, isDirect }: FeeOn,
  scale: number,
): { fee: bigint; due: bigint } {
  const fee = feeOf(terms, amount, scale);
  if (feePayer !== 'customer') return { fee, due: amount };
  if (!isDirect) return { fee, due: amount + fee };
  const rest = BigInt(10_000 - terms.bps);
  const due = (amount * 10_000n + rest - 1n) / rest;
  return { fee: due - amount, due };
}

/** The least that a payment is worth, in US cents, where no operator said otherwise (service-spec 8). */
export const builtinMinimumCents: Readonly<Record<Currency, number>> = {
  PI: 100,
  USDC: 100,
  USDT: 500,
  CSK: 500,
};

/** Test mode: every currency counts one dollar, so that the minimum is predictable. */
export const testRates: Rates = () => '1';

const centScale = 2;

/** US cents as dollars with two decimals: `5.00`. */
export function dollarsOf(cents: number): string {
  const text = String(cents).padStart(centScale + 1, '0');
  return `${text.slice(0, -centScale)}.${text.slice(-centScale)}`;
}

/** Refuses a currency without a rate, and an amount that is worth less than its currency's minimum. */
export function assertMinimum(
  amount: bigint,
  currency: Currency,
  rates: Rates,
  minimumCents: number = builtinMinimumCents[currency],
): void {
  const usd = rates(currency);
  if (usd === null) throw refuse(paymentErrors.currency_unsupported);
  if (amount < leastAmount(currency, usd, minimumCents)) throw belowMinimum(minimumCents, currency);
}

/** The least units of a currency that are worth the minimum, at `usd` for one of it. */
export function leastAmount(currency: Currency, usd: string, minimumCents: number): bigint {
  const rate = rateUnits(usd) ?? 0n;
  if (rate <= 0n) throw new Error(`${usd} is no rate`);
  const one = rate * 10n ** BigInt(centScale);
  const worth = BigInt(minimumCents) * 10n ** BigInt(currencyScale[currency] + rateScale);
  return (worth + one - 1n) / one;
}

export function belowMinimum(minimumCents: number, currency: Currency): Refusal {
  return refuse(paymentErrors.amount_below_minimum, { min: dollarsOf(minimumCents), currency });
}
