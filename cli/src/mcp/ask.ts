import { createHash } from 'node:crypto';

export type Arguments = Readonly<Record<string, unknown>>;

/** What is asked for, by which key, in one form for all ways to write it. */
type Asked = { keyId: string; name: string; purpose: unknown; arguments: Arguments };

// Words beside an order of money: the same order with other words is the same order.
const words = ['reason', 'description'];
const amounts = ['amount', 'price_amount'];

/** Arguments with decimals in one form: `5`, `'5'` and `'5.00'` are the same amount of money. */
export function plainAmounts<T>(value: T): T {
  return mapped(value, (name, each) => (amounts.includes(name) ? plainAmount(each) : each)) as T;
}

function plainAmount(value: unknown): unknown {
  const text = String(value);
  const isDecimal = ['string', 'number'].includes(typeof value) && /^\d+(?:\.\d+)?$/.test(text);
  if (!isDecimal) return value;
  return text.includes('.') ? text.replace(/\.?0+$/, '') : text;
}

/**
 * The Idempotency-Key of an order of money: the same for the same order, whatever words stand beside it, until another
 * purpose is named.
 */
export function moneyKey(asked: Asked): string {
  const order = mapped(asked.arguments, (name, each) => {
    if (words.includes(name)) return undefined;
    return name === 'to' && /^0x[\da-f]{40}$/i.test(String(each)) ? String(each).toLowerCase() : each;
  }) as Arguments;
  return writeKey({ ...asked, arguments: order });
}

/** The Idempotency-Key of a write: the same for the same arguments, in any order, until another purpose is named. */
export function writeKey({ keyId, name, purpose, arguments: given }: Asked): string {
  const text = JSON.stringify([keyId, name, purpose ?? null, sorted(given)]);
  return `mcp-${createHash('sha256').update(text).digest('hex').slice(0, 40)}`;
}

/** A copy in which each value of an object, at any depth, is what `change` makes of it. */
function mapped(value: unknown, change: (name: string, value: unknown) => unknown): unknown {
  if (Array.isArray(value)) return value.map((each) => mapped(each, change));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, each]) => [name, mapped(change(name, each), change)]),
  );
}

/** A copy with the fields of each object in the order of their names. */
function sorted(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sorted);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value)
      .sort(([a], [b]) => (a < b ? -1 : 1))
      .map(([name, each]) => [name, sorted(each)]),
  );
}
