import type { Journal, Order } from '../../parties/journal.ts';
import type { Arrival, Verdict } from '../../world/world.ts';
import { type EventRead, type Reading, whoOf } from '../reading.ts';
import { cameFor, termsOf } from '../standing.ts';
import { decimalOf } from '../units.ts';
import { doubled, lost, wrong } from '../verdicts.ts';
import { standingOf } from './payments.ts';
import { aboutOf, bodyOf } from './webhooks.ts';

// Every event arrived, once written and never changed, and tells what happened.

/** What arrived at the receivers, by merchant and mode. */
export type Arrivals = Map<string, readonly Arrival[]>;

/** How an objection ends that a retry may answer. */
export const notDelivered = 'was not delivered';

export function judgeEvents(
  journal: Journal,
  reading: Reading,
  { arrivals, finalDepth }: { arrivals: Arrivals; finalDepth: number },
): Verdict[] {
  const verdicts: Verdict[] = [];
  for (const [who, events] of reading.events) {
    const came = arrivals.get(who) ?? [];
    verdicts.push(...judgeDelivered(who, events, came), ...judgeSequences(who, events));
  }
  for (const order of journal.orders.filter(({ pageUrl }) => pageUrl !== null)) {
    const events = (reading.events.get(whoOf(order.merchant, order.mode)) ?? []).filter(
      (event) => event.payment_reference === order.reference,
    );
    verdicts.push(...judgeLife(order, events, reading), ...judgeBodies(order, events));
    verdicts.push(...judgeEarly(order, journal, reading, finalDepth));
  }
  return [...verdicts, ...judgePayouts(journal, reading), ...judgeRefunds(journal, reading)];
}

/** Each event that is listed came, with the listed bytes and number; what is not listed did not. */
function judgeDelivered(who: string, events: readonly EventRead[], arrivals: readonly Arrival[]): Verdict[] {
  const byId = Map.groupBy(arrivals, (arrival) => bodyOf(arrival).event_id);
  return events.flatMap((event) => {
    const came = byId.get(event.event_id) ?? [];
    const taken = came.filter(({ answered }) => answered !== 'none' && answered < 300);
    const name = `${who}: ${aboutOf(event)}`;
    if (taken.length === 0) return lost(`${name} ${notDelivered}`);
    const isListed = came.every(({ raw }) => raw.toString('utf8') === event.body);
    if (!isListed) return wrong(`${name} came with other bytes than are listed`);
    const isNumbered = came.every(({ headers }) => headers['x-sequence'] === `${event.sequence}`);
    return isNumbered ? [] : wrong(`${name} came with another X-Sequence`);
  });
}

/** The events of a payment, and of a payout, are numbered from 1 without a gap. */
function judgeSequences(who: string, events: readonly EventRead[]): Verdict[] {
  const subject = ({ payment_reference, payout_reference }: EventRead) =>
    payment_reference || payout_reference;
  const subjects = Map.groupBy(events.filter(subject), subject);
  return [...subjects].flatMap(([name, own]) => {
    const numbers = own.map(({ sequence }) => sequence).sort((one, other) => one - other);
    if (numbers.every((number, at) => number === at + 1)) return [];
    return lost(`${who}: the events of ${name} are numbered ${numbers}`);
  });
}

/** How often each event has to be there for the status of a payment; what is not named may be there or not. */
function judgeLife(order: Order, events: readonly EventRead[], reading: Reading): Verdict[] {
  const read = reading.payments.get(order.reference);
  const standing = read && standingOf(order, read, reading);
  if (!read || !standing) return [];
  const counts = (type: string): number => events.filter(({ event_type }) => event_type === type).length;
  const { payment_status: status } = read;
  const wanted: [string, boolean][] = [
    ['payment_completed', standing.isCompleted && standing.statuses.includes(status)],
    ['payment_cancelled', order.cancelled !== null],
    ['payment_failed', status === 'failed'],
    ['payment_in_appeal', status === 'in-appeal'],
  ];
  return wanted.flatMap(([type, isThere]) => {
    const count = counts(type);
    if (count > 1) return doubled(`${order.reference} has ${count} events ${type}`);
    if (isThere && count === 0) return lost(`${order.reference} is ${status} and has no event ${type}`);
    if (!isThere && count === 1 && type === 'payment_completed' && !standing.isCompleted)
      return wrong(`${order.reference} has an event ${type} and was not paid`);
    return [];
  });
}

function judgeBodies({ reference, asked }: Order, events: readonly EventRead[]): Verdict[] {
  return events.flatMap(({ body, event_type }) => {
    const { amount, currency, payment_status, customer_reference } = JSON.parse(body);
    const isRight =
      amount === Number(asked.amount) &&
      currency === asked.currency &&
      customer_reference === `order of ${reference}` &&
      (event_type !== 'payment_completed' || payment_status === 'completed');
    return isRight ? [] : wrong(`${event_type} of ${reference} says ${body}`);
  });
}

/** Nobody is told that a live payment is completed before its money is final. */
function judgeEarly(order: Order, journal: Journal, reading: Reading, finalDepth: number): Verdict[] {
  const read = reading.payments.get(order.reference);
  const terms = read && termsOf(order, read.quote);
  const head = journal.completedAt.get(order.reference);
  if (order.payer !== null || !terms || head === undefined) return [];
  const final = cameFor(order, terms.currency, reading.came)
    .filter(({ block }) => block === null || block + finalDepth <= head)
    .reduce((sum, { fine }) => sum + fine, 0n);
  if (final >= terms.due) return [];
  const share = `${decimalOf(final)} of ${decimalOf(terms.due)}`;
  return wrong(`${order.reference} was told as completed at block ${head}, when ${share} were final`);
}

/** Of a payout its end is told once. */
function judgePayouts({ payouts }: Journal, reading: Reading): Verdict[] {
  return payouts.flatMap(({ id, reference, merchant, mode }) => {
    const status = reading.payouts.get(id)?.status ?? '';
    const own = (reading.events.get(whoOf(merchant, mode)) ?? []).filter(
      (event) => event.payout_reference === reference && event.event_type === `payout_${status}`,
    );
    if (own.length === 1) return [];
    const kind = own.length === 0 ? 'lost' : 'doubled';
    return [{ kind, said: `payout ${reference} is ${status}, which ${own.length} events say` } as const];
  });
}

/** Of a refund its beginning and its end are told once. */
function judgeRefunds({ refunds }: Journal, reading: Reading): Verdict[] {
  return refunds.flatMap(({ id, reference, merchant, mode }) => {
    const status = reading.payments.get(reference)?.refunds.find((each) => each.id === id)?.status;
    const own = (reading.events.get(whoOf(merchant, mode)) ?? []).filter(({ body }) => body.includes(id));
    const wanted = { refund_created: 1, payment_refunded: status === 'completed' ? 1 : 0 };
    return Object.entries(wanted).flatMap(([type, count]) => {
      const found = own.filter(({ event_type }) => event_type === type).length;
      if (found === count) return [];
      const kind = found < count ? 'lost' : 'doubled';
      return [
        { kind, said: `refund ${id} of ${reference} is ${status} and has ${found} events ${type}` } as const,
      ];
    });
  });
}
