import type { Owner } from '../../identity/owner.ts';
import { isUuid } from '../../kit/ids.ts';
import { type Currency, currencies, currencyScale, isCurrency } from '../../money/assets.ts';
import {
  isPriceCurrency,
  minorDigits,
  type PriceCurrency,
  priceCurrencies,
} from '../../money/price-currencies.ts';
import { paymentOfAddress } from '../../rails/simulated/rail.ts';
import { termOf } from '../create/meta-terms.ts';
import { isReference } from '../create/schema.ts';
import type { PaymentStatus, Unusual } from '../payment/payment.ts';
import { transferIs } from '../payment/transfer-lookup.ts';

/** Which of an owner's payments; what is absent filters nothing. */
export type PaymentFilter = {
  statuses?: readonly PaymentStatus[] | undefined;
  /** Paid in one of these, or with a price in it. */
  currencies?: readonly (Currency | PriceCurrency)[] | undefined;
  /** Plain decimals in what was asked, a price or the payment's own currency; both included. */
  minAmount?: string | undefined;
  maxAmount?: string | undefined;
  /** Created at or after, and before. */
  from?: string | undefined;
  to?: string | undefined;
  customerReference?: string | undefined;
  /** Made by this payment link. */
  linkId?: string | undefined;
  /** An e-mail address or a customer reference, the whole of it. */
  customer?: string | undefined;
  unusual?: Unusual | undefined;
  /** What a person searches for; see `searched`. */
  search?: string | undefined;
  /** These payments alone. */
  ids?: readonly string[] | undefined;
  /** The payment to which a rail gave the address that is searched. */
  paidTo?: string | undefined;
};

/**
 * A filter as SQL on `payments p`: every branch is one condition, and a payment is wanted when it meets one of
 * them. Each branch alone can be read in the list's order from an index, which an OR of them could not.
 */
export type Selection = { branches: string[]; values: unknown[] };

type Param = (value: unknown, type: string) => string;

export function selectionOf(owner: Owner, filter: PaymentFilter): Selection {
  const values: unknown[] = [];
  const param: Param = (value, type) => `$${values.push(value)}::${type}`;
  const always = [
    `p.integration_id = ${param(owner.integrationId, 'uuid')} AND p.mode = ${param(owner.mode, 'text')}`,
  ];
  const {
    search,
    paidTo,
    customer,
    statuses = [],
    unusual,
    customerReference,
    linkId,
    from,
    to,
    ids,
  } = filter;
  if (from !== undefined) always.push(`p.created_at >= ${param(from, 'timestamptz')}`);
  if (to !== undefined) always.push(`p.created_at < ${param(to, 'timestamptz')}`);
  if (unusual !== undefined) always.push(`p.is_${unusual}`);
  if (customerReference !== undefined) {
    always.push(referenceIs(owner, customerReference, param));
  }
  if (linkId !== undefined) always.push(`p.link_id = ${param(linkId, 'uuid')}`);
  always.push(...amountConditions(filter, param));

  const alternatives = [
    ids === undefined ? [] : [`p.id = ANY (${param(ids, 'uuid[]')})`],
    search === undefined ? [] : searched(owner, { search, paidTo }, param),
    customer === undefined ? [] : customers(owner, customer, param),
    statuses.map(statusCondition),
  ].filter((each) => each.length > 0);
  // The rarest list of alternatives becomes the branches; the others are conditions of each branch.
  const [branches = ['true'], ...others] = alternatives;
  const rest = [...always, ...others.map((each) => `(${each.join(' OR ')})`)].join(' AND ');
  return { branches: branches.map((branch) => `${rest} AND ${branch}`), values };
}

function statusCondition(status: PaymentStatus): string {
  // Written out, so that PostgreSQL sees that it fits a partial index. One that still waits to be paid is always due.
  return status === 'unlinked'
    ? "(p.status = 'unlinked' AND p.due_at IS NOT NULL)"
    : `p.status = '${status}'`;
}

const sizeSql = 'size_of(asked_of(p.amount, p.currency, p.price_amount, p.price_currency))';

function amountConditions({ minAmount, maxAmount, currencies: wanted = [] }: PaymentFilter, param: Param) {
  const coins = wanted.filter(isCurrency);
  const prices = wanted.filter(isPriceCurrency);
  const conditions: string[] = [];
  const named = [
    ...(coins.length > 0 ? [`p.currency IN (${quoted(coins)})`] : []),
    ...(prices.length > 0 ? [`p.price_currency IN (${quoted(prices)})`] : []),
  ];
  if (named.length > 0) conditions.push(named.length === 1 ? named.join() : `(${named.join(' OR ')})`);
  for (const [amount, comparison] of [
    [minAmount, '>='],
    [maxAmount, '<='],
  ] as const) {
    if (amount === undefined) continue;
    const decimal = param(amount, 'numeric');
    // Looked at in the index of the list; one step more, since sizes are not exact.
    conditions.push(
      `${sizeSql} ${comparison} size_of(${decimal}::float8) ${comparison === '>=' ? '-' : '+'} 1`,
    );
    const inEach = Map.groupBy(coins.length > 0 ? coins : currencies, (currency) => currencyScale[currency]);
    const either = [...inEach].map(
      ([scale, group]) =>
        `(p.price_amount IS NULL AND p.currency IN (${quoted(group)}) AND p.amount ${comparison} ${decimal} * ${10n ** BigInt(scale)})`,
    );
    conditions.push(
      `(${[...either, `p.price_amount ${comparison} ${decimal} * ${minorUnitsSql}`].join(' OR ')})`,
    );
  }
  return conditions;
}

function quoted(names: readonly string[]): string {
  return names.map((name) => `'${name}'`).join(', ');
}

/** The minor units of one unit of a price's currency, as SQL. */
export const minorUnitsSql = `CASE ${[...Map.groupBy(priceCurrencies, minorDigits)]
  .filter(([digits]) => digits !== 2)
  .map(([digits, codes]) => `WHEN p.price_currency IN (${quoted(codes)}) THEN ${10n ** BigInt(digits)}`)
  .join(' ')} ELSE 100 END`;

const emailOf = 'lower(p.customer_email) COLLATE "C"';

// The indexes of customers have hashes of whose payments they are.
const ownerText = (owner: Owner, param: Param): string =>
  param(`${owner.integrationId}${owner.mode}`, 'text');
const isOf = (owner: Owner, param: Param): string =>
  `hashtext(p.integration_id::text || p.mode) = hashtext(${ownerText(owner, param)})`;

function referenceIs(owner: Owner, reference: string, param: Param): string {
  const text = param(reference, 'text');
  return `(hashtext(p.integration_id::text || p.mode || p.customer_reference) = hashtext(${ownerText(owner, param)} || ${text})
    AND p.customer_reference = ${text})`;
}

function customers(owner: Owner, customer: string, param: Param): string[] {
  const email = `(${isOf(owner, param)} AND ${emailOf} = lower(${param(customer, 'text')}))`;
  return [referenceIs(owner, customer, param), email];
}

/** A shorter beginning fits too many addresses. */
const shortestPrefix = 3;

/**
 * Where a text may stand for a payment: its id or reference (or the ending of it), the customer's reference or e-mail
 * address (or its beginning), a value inside meta_data, an address that money was sent to or came from, a transaction that
 * paid or swept it, or one that the customer claims.
 */
function searched(
  owner: Owner,
  { search, paidTo }: { search: string; paidTo: string | undefined },
  param: Param,
): string[] {
  const exact = search.trim();
  const lower = exact.toLowerCase();
  const conditions = customers(owner, exact, param);
  if (isReference(exact)) conditions.push(`p.reference = ${param(exact, 'text')}`);
  const paymentId = isUuid(lower) ? lower : (paidTo ?? paymentOfAddress(lower));
  if (paymentId !== null) conditions.push(`p.id = ${param(paymentId, 'uuid')}`);
  // Hashes and addresses are kept in the case of their chain, which people do not always copy.
  const spellings = param([...new Set([exact, lower])], 'text[]');
  conditions.push(
    among(`SELECT id FROM payments WHERE meta_terms @> ARRAY[${param(termOf(owner, exact), 'bigint')}]`),
    among(`SELECT payment_id FROM payment_transfers t WHERE ${transferIs('t', 'transaction', spellings)}
      UNION ALL SELECT payment_id FROM payment_transfers t WHERE ${transferIs('t', 'sender', spellings)}
      UNION ALL SELECT payment_id FROM payment_sweeps WHERE transaction = ANY (${spellings})
      UNION ALL SELECT payment_id FROM payment_claims WHERE kind = 'paid' AND content = ANY (${spellings})`),
  );
  const ending = exact.replace(/^.*(?:…|\.\.\.)/, '');
  if (ending.length >= shortestEnding && isReference(ending)) conditions.push(endings(owner, ending, param));
  if (exact.length >= shortestPrefix) conditions.push(...beginnings(owner, exact, param));
  return conditions;
}

/** With more addresses than these the list is read in its order until a page is full, instead of sorting all of them. */
const mostFetched = 5_000;

/** E-mail addresses that begin so. They are counted up to a limit, which decides how the list is read. */
function beginnings(owner: Owner, search: string, param: Param): string[] {
  const start = `lower(${param(search, 'text')})`;
  const begins = `${isOf(owner, param)} AND ${emailOf} > ${start} AND ${emailOf} < ${start} || '\u{10FFFF}'`;
  const own = `p.integration_id = ${param(owner.integrationId, 'uuid')} AND p.mode = ${param(owner.mode, 'text')}`;
  const matching = `FROM payments p WHERE ${own} AND ${begins}`;
  const areFew = `(SELECT count(*) FROM (SELECT ${matching} LIMIT ${mostFetched + 1}) found) <= ${mostFetched}`;
  return [`(${areFew} AND ${among(`SELECT id ${matching}`)})`, `(NOT ${areFew} AND ${begins})`];
}

/** A shorter ending fits too many references. The index has so much of a reference's ending. */
const shortestEnding = 4;
const indexedEnding = 12;

/** References that end so, in any case of their letters; also as a list shortens them, `PAY_0…8KM2Q`. */
function endings(owner: Owner, ending: string, param: Param): string {
  const backwards = [...ending.toLowerCase()].reverse().join('');
  const begins = param(backwards.slice(0, indexedEnding), 'text');
  const last = `lower(reverse(right(p.reference, ${indexedEnding}))) COLLATE "C"`;
  return among(`SELECT p.id FROM payments p
    WHERE ${last} >= ${begins} AND ${last} < ${begins} || '\u{10FFFF}'
      AND lower(right(p.reference, ${ending.length})) = ${param(ending.toLowerCase(), 'text')}
      AND p.integration_id = ${param(owner.integrationId, 'uuid')} AND p.mode = ${param(owner.mode, 'text')}
    LIMIT ${mostFetched}`);
}

/** The ids are found first: the planner cannot estimate how many there are, and the list is long. */
function among(select: string): string {
  return `p.id = ANY (ARRAY(${select}))`;
}
