import type { ApiKey } from '../../identity/keys/keys.ts';
import { ownerOf } from '../../identity/owner.ts';
import { randomBase62 } from '../../kit/ids.ts';
import { unitsOfAmount } from '../../ledger/amount.ts';
import { type Asset, type Assets, type Currency, currencyScale, isCurrency } from '../../money/assets.ts';
import { type AmountFault, numberOf } from '../../money/money.ts';
import { isPriceCurrency, minorDigits, usDollar } from '../../money/price-currencies.ts';
import type { Asks, CreateInput } from '../../payments/create/schema.ts';
import { objectOf } from '../protocol/objects.ts';
import { unprocessable } from '../protocol/problems.ts';
import { assetOfMethod } from '../stores/methods.ts';
import { buyerOf, readMetadata, termsOf } from './metadata.ts';
import { type Checkout, readCheckout } from './read-checkout.ts';

/** 22 base-62 characters: nobody guesses them. */
const idLength = 22;

type Body = Record<string, unknown>;

/** Reads the body of a new invoice as a payment to make; throws 422 with the field that is wrong. */
export function readInvoice(assets: Assets, key: ApiKey, body: unknown): CreateInput {
  const fields = objectOf(body, '');
  const id = randomBase62(idLength);
  const { orderId, metadata } = readMetadata(fields.metadata);
  const checkout = readCheckout(fields.checkout, { id, orderId: orderId ?? '' });
  const searchTerms = readTerms(fields.additionalSearchTerms);
  const methods = checkout.paymentMethods.map((name, index) => {
    const asset = assetOfMethod(assets, key.mode, name);
    if (!asset)
      throw unprocessable(`checkout.paymentMethods[${index}]`, `${name} is not a payment method here`);
    return asset;
  });
  const asks = readAsks(fields, methods);
  const terms = termsOf(ownerOf(key), metadata, [id, ...searchTerms]);
  return {
    payment_type: 'deposit',
    ...buyerOf(metadata),
    ...addressesOf(checkout),
    asks,
    own: {
      invoice: { id, orderId, metadata, terms, checkout: { ...checkout.kept, searchTerms } },
      deadlineSeconds: checkout.kept.expirationMinutes === null ? null : checkout.kept.expirationMinutes * 60,
      assetCodes: methods.length === 0 ? null : methods.map(({ code }) => code),
      shortPercent: checkout.kept.paymentTolerance,
      redirects: checkout.kept.redirectAutomatically ?? false,
    },
  };
}

/** A customer returns to the same place of the shop however it ended: there the shop asks for the status. */
const addressesOf = ({ redirect }: Checkout): Pick<CreateInput, 'success_url' | 'failure_url'> =>
  redirect ? { success_url: redirect, failure_url: redirect } : {};

const amountFaults: Record<AmountFault, string> = {
  not_positive: 'The amount must be a positive number',
  too_many_decimals: 'The amount has too many decimals for its currency',
  too_large: 'The amount is too large',
};

/** What is asked: a price in any currency of the world, or an amount of a coin. */
function readAsks({ amount, currency }: Body, methods: readonly Asset[]): Asks {
  if (amount === undefined || amount === null)
    throw unprocessable('amount', 'Invoices without an amount are not supported');
  const code = codeOf(currency);
  const choices = [...new Set(methods.map((asset) => asset.currency))];
  if (isCurrency(code)) {
    assertOf(code, methods);
    const units = readUnits(amount, currencyScale[code]);
    return { sent: numberOf(units, currencyScale[code]), price: null, amount: units, currency: code };
  }
  if (!isPriceCurrency(code)) throw unprocessable('currency', `${code} is not a currency here`);
  const price = { amount: readUnits(amount, minorDigits(code)), currency: code };
  const sent = numberOf(price.amount, minorDigits(code));
  return { sent, price, currency: null, choices: choices.length === 0 ? null : choices };
}

function codeOf(currency: unknown): string {
  if (currency === undefined || currency === null || currency === '') return usDollar;
  if (typeof currency !== 'string') throw unprocessable('currency', 'Must be text');
  return currency.toUpperCase();
}

function assertOf(currency: Currency, methods: readonly Asset[]): void {
  const index = methods.findIndex((asset) => asset.currency !== currency);
  if (index >= 0) throw unprocessable(`checkout.paymentMethods[${index}]`, `Does not pay ${currency}`);
}

/** Units of an amount that was sent as text or as a number; zeros at the end of its decimals say nothing. */
function readUnits(amount: unknown, scale: number): bigint {
  const isDecimal = typeof amount === 'string' && /^\d+\.\d+$/.test(amount);
  const units = unitsOfAmount(isDecimal ? amount.replace(/\.?0+$/, '') : amount, scale);
  if (typeof units === 'bigint') return units;
  throw unprocessable('amount', amountFaults[units]);
}

const maxTerms = 20;
const maxTerm = 200;

function readTerms(value: unknown): string[] {
  if (value === undefined || value === null) return [];
  const isList = Array.isArray(value) && value.length <= maxTerms;
  if (!isList || !value.every((term) => typeof term === 'string' && term.length <= maxTerm))
    throw unprocessable(
      'additionalSearchTerms',
      `Must be at most ${maxTerms} texts of at most ${maxTerm} characters`,
    );
  return value.filter((term) => term !== '');
}
