import type { IntegrationId } from '../identity/integration.ts';
import { isMember } from '../identity/merchants/people.ts';
import type { Clock } from '../kit/clock.ts';
import { after } from '../kit/clock.ts';
import { type Database, type Reader, type Tx, transaction } from '../kit/db/db.ts';
import type { Hints } from '../kit/db/hints.ts';
import { decimalOf, unitsOfDecimal } from '../money/money.ts';
import { minorDigits, type PriceCurrency } from '../money/price-currencies.ts';
import { type DueDay, moveDay, takeDueDay } from '../webhooks/endpoints/notice-endpoints.ts';
import { writeNotice } from '../webhooks/endpoints/notice-event.ts';
import {
  countEvents,
  lastSeqBefore,
  newestReferences,
  type SeqRange,
  type TypeCount,
} from '../webhooks/events/day-counts.ts';
import type { EventType } from '../webhooks/events/event-types.ts';
import type { DayCount, DayFacts } from './day-facts.ts';
import { type CountedKind, countedKinds, countedTypes, typesOf } from './kinds.ts';
import { readPerson } from './people.ts';
import { nextDailyHour } from './times.ts';

/** What did not come of the prices of payments that were completed short, in minor units by currency. */
export type LackingPrices = (
  reader: Reader,
  payments: readonly string[],
) => Promise<{ currency: PriceCurrency; units: bigint }[]>;

export type DayDeps = { db: Database; hints: Hints; lackingPrices: LackingPrices; now: Clock };

// Events get their numbers before they are committed. What is younger than this is counted by the next day.
const settledSeconds = 60;
/** A day lists so many payments of a kind; the dashboard shows all. */
const mostListed = 20;

/** Tells every day that is due: each is an event of its own, whose delivery is sent as any other. */
export async function writeDays(deps: DayDeps): Promise<void> {
  while (await transaction(deps.db, (tx) => writeDay(tx, deps)));
}

/** Tells one day that is due; false when there is none. */
async function writeDay(tx: Tx, deps: DayDeps): Promise<boolean> {
  const { hints, now } = deps;
  const at = now();
  const due = await takeDueDay(tx, at);
  if (!due) return false;
  const until = await lastSeqBefore(tx, due, countedTypes, after(at, -settledSeconds));
  const range = { after: due.seq, until: until > due.seq ? until : due.seq };
  const facts = await factsOf(tx, deps, due, range);
  if (facts && (await isMember(tx, due.accountId, due.integrationId))) {
    await writeNotice(tx, hints, due, { type: 'notice_day', body: JSON.stringify(facts), at });
  }
  const dueAt = await nextDailyHour(tx, await readPerson(tx, due.accountId), at);
  await moveDay(tx, due.id, { dueAt, seq: range.until });
  return true;
}

/** What an endpoint is told; null: nothing happened, and the person does not hear of that. */
async function factsOf(
  tx: Tx,
  { lackingPrices }: Pick<DayDeps, 'lackingPrices'>,
  due: DueDay,
  range: SeqRange,
): Promise<DayFacts | null> {
  const isSummary = due.events.includes('daily_summary') || due.events.includes('quiet_summary');
  const isListed = (kind: CountedKind) =>
    due.channel === 'day' && typesOf[kind].every((type) => due.events.includes(type));
  const told = countedKinds.filter((kind) => isSummary || isListed(kind));
  const found = await countEvents(
    tx,
    due,
    told.flatMap((kind) => typesOf[kind]),
    range,
  );
  const counts: DayCount[] = [];
  for (const kind of told) {
    const listed = isListed(kind)
      ? await newestReferences(tx, due, typesOf[kind], { ...range, limit: mostListed })
      : [];
    const own = found.filter(({ type }) => typesOf[kind].includes(type));
    const came = await Promise.all(own.map((each) => withoutLacking(tx, lackingPrices, each)));
    counts.push(countOf(kind, came, listed));
  }
  if (!due.events.includes('quiet_summary') && counts.every(({ count }) => count === 0)) return null;
  const place: { integration_id: IntegrationId; mode: DayFacts['mode'] } = {
    integration_id: due.integrationId,
    mode: due.mode,
  };
  return { event_type: 'notice_day', ...place, counts };
}

/** Events say the whole price of a payment that was completed short: takes off what did not come of it. */
async function withoutLacking(tx: Tx, lackingPrices: LackingPrices, found: TypeCount): Promise<TypeCount> {
  const [lacking] = await lackingPrices(tx, found.shortPrices);
  if (!lacking || found.amount === null) return found;
  const digits = minorDigits(lacking.currency);
  const asked = unitsOfDecimal(found.amount, digits);
  return asked === null ? found : { ...found, amount: decimalOf(asked - lacking.units, digits) };
}

/** What failed never came in or went out: its amount is no part of a sum. */
const movedNothing: readonly EventType[] = ['payment_failed', 'payout_failed'];

function countOf(kind: CountedKind, own: readonly TypeCount[], references: string[]): DayCount {
  const summed = own.filter(({ type }) => !movedNothing.includes(type));
  const totals = summed.flatMap(({ currency, amount }) =>
    currency === null || amount === null ? [] : [{ currency, amount }],
  );
  return { kind, count: own.reduce((sum, { count }) => sum + count, 0), totals, references };
}
