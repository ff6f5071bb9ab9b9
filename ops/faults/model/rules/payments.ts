import type { Journal, Order } from '../../parties/journal.ts';
import type { Verdict } from '../../world/world.ts';
import type { PaymentRead, Reading } from '../reading.ts';
import {
  cameFor,
  isDirectIn,
  liveStanding,
  type Standing,
  type Terms,
  termsOf,
  testStanding,
  unsureMs,
} from '../standing.ts';
import { decimalOf, fineOf } from '../units.ts';
import { lost, wrong } from '../verdicts.ts';

// Every payment is there once, with the values that it was made with, and stands where chain and calls put it.

/** A test payment has ended by itself so long after its deadline, whatever was simulated. */
const halfAnHourMs = 1_800_000;

/** Where an order stands, with what came for it. Null: it has no terms, since nobody chose what pays its price. */
export function standingOf(order: Order, read: PaymentRead, { came, nowMs }: Reading): Standing | null {
  const terms = termsOf(order, read.quote);
  const deadlineMs = Date.parse(read.deadline);
  if (order.mode === 'test') {
    const received = fineOf(read.amount_received ?? '0');
    const standing = testStanding(order, terms, { received, isOver: nowMs > deadlineMs + halfAnHourMs });
    const isLate = order.outcomeMs !== null && order.outcomeMs > deadlineMs - unsureMs;
    return isLate ? asRead(standing, read) : standing;
  }
  if (!terms) return null;
  const isDirect = order.payer === null && isDirectIn(order, terms.currency);
  const standing = standingByChain(order, terms, read, { came, nowMs });
  // Nothing of a direct payment is on a balance.
  return isDirect ? { ...standing, credit: 0n, overpaid: 0n } : standing;
}

function standingByChain(
  order: Order,
  terms: Terms,
  read: PaymentRead,
  { came, nowMs }: Pick<Reading, 'came' | 'nowMs'>,
): Standing {
  const deadlineMs = Date.parse(read.deadline);
  const facts = { came: cameFor(order, terms.currency, came), deadlineMs, nowMs };
  const standing = liveStanding(order, terms, facts);
  if (standing.statuses.includes(read.payment_status)) return standing;
  // A chain's clock may run ahead: what Florin saw before the deadline came in time, whatever its block says.
  const other = liveStanding(order, terms, { ...facts, cutMs: deadlineMs + unsureMs });
  return other.statuses.includes(read.payment_status) ? other : standing;
}

/** What was simulated about when its deadline passed may lead to where its outcome does, or to where late money does. */
function asRead(standing: Standing, { payment_status: status }: PaymentRead): Standing {
  const isCompleted = standing.isCompleted && ['completed', 'in-appeal'].includes(status);
  const money = isCompleted ? {} : { credit: 0n, overpaid: 0n };
  return { ...standing, ...money, isCompleted, statuses: [status] };
}

export function judgePayments({ orders }: Journal, reading: Reading): Verdict[] {
  return orders.flatMap((order) => {
    const read = reading.payments.get(order.reference);
    // What was not answered 200 was refused, and is not there.
    if (order.pageUrl === null) return read ? wrong(`${order.reference} was refused and is there`) : [];
    if (!read) return lost(`${order.reference} was created and is not there`);
    return [
      ...judgeValues(order, read),
      ...judgeStanding(order, read, reading),
      ...judgeSettlement(order, read),
    ];
  });
}

function judgeValues(order: Order, read: PaymentRead): Verdict[] {
  const { reference, asked } = order;
  const terms = termsOf(order, read.quote);
  const wanted: Record<string, [string, string]> = {
    amount: [decimalOf(fineOf(asked.amount)), decimalOf(fineOf(read.amount))],
    currency: [asked.currency, read.currency],
    customer_reference: [`order of ${reference}`, `${read.customer_reference}`],
    ...(terms && { amount_due: [decimalOf(terms.due), decimalOf(fineOf(read.amount_due ?? '0'))] }),
    // Of a price the fee is shown in its currency.
    ...(terms &&
      asked.price === null && { service_fee: [decimalOf(terms.fee), decimalOf(fineOf(read.service_fee))] }),
    ...(read.quote && { 'quote.amount': [quotedFor(asked.amount, read.quote.rate), read.quote.amount] }),
  };
  return Object.entries(wanted)
    .filter(([, [one, other]]) => one !== other)
    .map(([name, [one, other]]) => ({
      kind: 'wrong',
      said: `${reference}: ${name} is ${other} and not ${one}`,
    }));
}

/** What a price is at a rate, rounded up at two decimals, so that people can type it. */
function quotedFor(price: string, rate: string): string {
  const cent = 10n ** 16n;
  const units = fineOf(price) * 10n ** 18n;
  const divisor = fineOf(rate) * cent;
  return decimalOf(((units + divisor - 1n) / divisor) * cent);
}

function judgeStanding(order: Order, read: PaymentRead, reading: Reading): Verdict[] {
  const standing = standingOf(order, read, reading);
  const { reference } = order;
  const { payment_status: status, reason } = read;
  if (!standing || standing.statuses.includes(status)) return [];
  const kind = standing.isCompleted ? 'lost' : 'wrong';
  const where = `${status}${reason === null ? '' : ` (${reason})`}`;
  return [{ kind, said: `${reference} is ${where}, and not ${standing.statuses.join(' or ')}` }];
}

/** A payment says how it settles once its customer was shown where to pay. */
function judgeSettlement(
  { reference, places, ownAsset, mode }: Order,
  { settlement }: PaymentRead,
): Verdict[] {
  if (mode === 'test' || places.size === 0 || settlement === undefined) return [];
  const wanted = ownAsset !== null && places.has(ownAsset) ? 'direct' : 'balance';
  return settlement === wanted ? [] : wrong(`${reference}: settlement is ${settlement} and not ${wanted}`);
}
