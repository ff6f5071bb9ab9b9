import { Refusal } from '../../kit/errors.ts';
import { type ReturnAddress, returnAddressParser } from '../../kit/http/fields.ts';
import { numberOf as decimalNumber, unitsOfDecimal } from '../../money/money.ts';
import type { InvoiceCheckout } from '../../payments/payment/invoice.ts';
import { objectOf } from '../protocol/objects.ts';
import { unprocessable } from '../protocol/problems.ts';

/** The options of an invoice's page: what is kept of them, and what they mean. */
export type Checkout = {
  kept: Omit<InvoiceCheckout, 'searchTerms'>;
  paymentMethods: readonly string[];
  /** Where the customer returns to, with its placeholders filled in. */
  redirect: ReturnAddress | undefined;
};

const maxUrl = 2048;
const parseRedirect = returnAddressParser('checkout.redirectURL', maxUrl);

/** Reads checkout options; throws 422. Those that mean nothing here are taken and ignored (contract.md#btcpay). */
export function readCheckout(value: unknown, names: { id: string; orderId: string }): Checkout {
  const fields = objectOf(value, 'checkout');
  const redirectURL = textOf(fields, 'redirectURL', maxUrl);
  return {
    kept: {
      redirectURL,
      speedPolicy: textOf(fields, 'speedPolicy', 30),
      defaultLanguage: textOf(fields, 'defaultLanguage', 20),
      defaultPaymentMethod: textOf(fields, 'defaultPaymentMethod', 50),
      redirectAutomatically: flagOf(fields, 'redirectAutomatically'),
      expirationMinutes: numberOf(fields, 'expirationMinutes', { from: 5, to: 1440, whole: true }),
      paymentTolerance: numberOf(fields, 'paymentTolerance', { from: 0, to: 5, whole: false }),
    },
    paymentMethods: methodsOf(fields.paymentMethods),
    redirect: redirectOf(redirectURL, names),
  };
}

type Fields = Record<string, unknown>;

const isAbsent = (value: unknown): boolean => value === undefined || value === null || value === '';

function textOf(fields: Fields, name: string, most: number): string | null {
  const value = fields[name];
  if (isAbsent(value)) return null;
  if (typeof value !== 'string' || value.length > most)
    throw unprocessable(`checkout.${name}`, `Must be text of at most ${most} characters`);
  return value;
}

function flagOf(fields: Fields, name: string): boolean | null {
  const value = fields[name];
  if (isAbsent(value)) return null;
  if (typeof value !== 'boolean') throw unprocessable(`checkout.${name}`, 'Must be true or false');
  return value;
}

type Bounds = { from: number; to: number; whole: boolean };

function numberOf(fields: Fields, name: string, { from, to, whole }: Bounds): number | null {
  const value = fields[name];
  if (isAbsent(value)) return null;
  const hundredths = typeof value === 'string' ? unitsOfDecimal(value, 2) : null;
  const number = hundredths === null ? value : decimalNumber(hundredths, 2);
  const isGood = typeof number === 'number' && number >= from && number <= to;
  if (!isGood || (whole && !Number.isInteger(number)))
    throw unprocessable(
      `checkout.${name}`,
      `Must be ${whole ? 'a whole' : 'a'} number from ${from} to ${to}`,
    );
  // Two decimals, as tolerances have them.
  return Math.round(number * 100) / 100;
}

const maxMethods = 50;

function methodsOf(value: unknown): string[] {
  if (isAbsent(value)) return [];
  const isList = Array.isArray(value) && value.length <= maxMethods;
  if (!isList || !value.every((each) => typeof each === 'string'))
    throw unprocessable('checkout.paymentMethods', 'Must be a list of names');
  return value;
}

function redirectOf(
  template: string | null,
  { id, orderId }: { id: string; orderId: string },
): ReturnAddress | undefined {
  if (template === null) return undefined;
  const filled = template
    .replace(/\{InvoiceId\}/gi, encodeURIComponent(id))
    .replace(/\{OrderId\}/gi, encodeURIComponent(orderId));
  const address = parseRedirect(filled, {});
  if (address instanceof Refusal) throw unprocessable('checkout.redirectURL', address.message);
  return address;
}
