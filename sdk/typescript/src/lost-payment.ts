import type { CreatedPayment, Payment, PaymentInput } from './api-payments.ts';
import { FlorinError } from './errors.ts';
import type { CallOptions } from './exchange.ts';
import type { Call } from './request.ts';

/**
 * The payment that an earlier try of the same call made, when its answer was lost and a later try is refused because
 * the reference exists. This happens only where a proxy drops the idempotency keys too. Undefined for a payment that
 * differs in anything from the input, or cannot be read.
 */
export async function findLostPayment(
  call: Call,
  input: PaymentInput,
  error: unknown,
  { signal }: CallOptions,
): Promise<CreatedPayment | undefined> {
  const reference = input.payment_reference;
  const isTaken = error instanceof FlorinError && error.status === 409 && error.tries > 1;
  if (!isTaken || !reference) return undefined;
  const path: [string] = [reference];
  const payment = await call('GET /payments/{payment_reference}', { path, signal }).catch(() => undefined);
  if (!payment || !isMadeOf(payment, input)) return undefined;
  const { id, payment_reference, currency, payment_status, payment_type, created_at, PaymentURL } = payment;
  // A key that may create payments also gets the address.
  if (PaymentURL === null) return undefined;
  const amount = askedOf(input).amount;
  const PaymentData = { id, payment_reference, amount, currency, payment_status, payment_type, created_at };
  return { PaymentData, PaymentURL };
}

const texts = [
  'payment_type',
  'customer_email',
  'customer_reference',
  'success_url',
  'failure_url',
  'meta_data',
  'payment_note',
] as const;

/** What is asked: an amount, or a price. */
function askedOf({ amount = 0, currency, price }: PaymentInput): { amount: number; currency: string } {
  return price
    ? { amount: JSON.parse(`${price.amount}`) as number, currency: price.currency }
    : { amount, currency: currency ?? '' };
}

function isMadeOf(payment: Payment, input: PaymentInput): boolean {
  // Both are the same double: a decimal string of at most 15 digits identifies it.
  const asked = askedOf(input);
  if (JSON.parse(payment.amount) !== asked.amount || payment.currency !== asked.currency) return false;
  if (input.price && input.currency && payment.quote?.currency !== input.currency) return false;
  if (input.fee_payer && input.fee_payer !== payment.fee_payer) return false;
  if (linesOf(input) !== linesOf(payment)) return false;
  return texts.every((field) => (input[field] || null) === payment[field]);
}

function linesOf({ item_list }: Pick<Payment | PaymentInput, 'item_list'>): string {
  return JSON.stringify(item_list?.items.map(({ name, price, quantity }) => [name, price, quantity]) ?? null);
}
