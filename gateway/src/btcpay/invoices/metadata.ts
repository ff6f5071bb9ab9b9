import type { Owner } from '../../identity/owner.ts';
import { isCleanText } from '../../kit/http/fields.ts';
import { metaTerms, termOf } from '../../payments/create/meta-terms.ts';
import { unprocessable } from '../protocol/problems.ts';

/** What a shop writes to an invoice for itself. */
export type Metadata = { orderId: string | null; metadata: string };

const maxBytes = 64 * 1024;
const maxOrderId = 255;

/** Reads metadata; throws 422. An order's number may be a JSON number, as some shops send it. */
export function readMetadata(value: unknown): Metadata {
  const given = value ?? {};
  if (typeof given !== 'object' || Array.isArray(given)) throw unprocessable('metadata', 'Must be an object');
  const metadata = JSON.stringify(given);
  if (Buffer.byteLength(metadata) > maxBytes)
    throw unprocessable('metadata', `Must have at most ${maxBytes} bytes`);
  if (!isCleanText(metadata)) throw unprocessable('metadata', 'Must be valid Unicode without NUL');
  const { orderId } = given as { orderId?: unknown };
  return { orderId: readOrderId(orderId), metadata };
}

function readOrderId(value: unknown): string | null {
  if (value === undefined || value === null || value === '') return null;
  const text = typeof value === 'number' ? `${value}` : value;
  if (typeof text !== 'string' || text.length > maxOrderId)
    throw unprocessable('metadata.orderId', `Must be text of at most ${maxOrderId} characters`);
  return text;
}

/** What an invoice is found by: values in its metadata, its id, and terms that the shop named. */
export function termsOf(owner: Owner, metadata: string, more: readonly string[]): string[] {
  return [...new Set([...metaTerms(owner, metadata), ...more.map((term) => termOf(owner, term))])];
}

/** The shop's own address of its customer, where metadata has one. */
export function buyerOf(metadata: string): { customer_email?: string } {
  const { buyerEmail } = JSON.parse(metadata) as { buyerEmail?: unknown };
  const isAddress =
    typeof buyerEmail === 'string' &&
    buyerEmail.length <= 254 &&
    /^[^\s@]+@[^\s@]+\.[^\s@]+$/.test(buyerEmail);
  return isAddress ? { customer_email: buyerEmail } : {};
}
