import type { Owner } from '../../identity/owner.ts';
import type { Database, Reader } from '../../kit/db/db.ts';
import { oneRow } from '../../kit/db/one-row.ts';
import { type Currency, currencyScale } from '../../money/assets.ts';
import { decimalOf } from '../../money/money.ts';
import { minorDigits, type PriceCurrency } from '../../money/price-currencies.ts';
import type { PaymentStatus } from '../payment/payment.ts';
import { type Group, groupsOf } from './groups.ts';
import type { Day } from './period.ts';
import { type Worth, worthOf } from './worth.ts';

type Counts = Partial<Record<PaymentStatus, number>>;
/** Completed payments at what was paid of each currency, a decimal for each. */
type Volume = Partial<Record<Currency, string>>;
/** Completed payments with a price, at what came of it; `amount` is a decimal. What was paid of them is in the volume too. */
type PriceTotal = { currency: PriceCurrency; count: number; amount: string };

/** What became of an owner's payments that were created on some days. */
export type PaymentOverview = {
  by_day: (Day & { counts: Counts; volume: Volume; prices: PriceTotal[]; value: Worth })[];
  counts: Counts;
  volume: Volume;
  prices: PriceTotal[];
  /** What came in, in the accounting currency. */
  value: Worth & { currency: PriceCurrency };
  success: Success & { previous: Success };
  /** From creation to completion, of the latest payments that were completed; `payments` is how many. */
  completion: { median_seconds: number | null; payments: number };
  /** Whenever they were created, each counted up to `counted_up_to`. */
  now: { linked: number; pending: number; part_paid: number; in_appeal: number; counted_up_to: number };
};

/** The share of the payments that ended by being completed; null before any has ended. */
type Success = { completed: number; ended: number; rate: number | null };

/** The overview of these days from the first payment on, and of as long a time before them for comparison. */
export async function paymentOverview(
  db: Database,
  owner: Owner,
  asked: readonly Day[],
  now: Date,
): Promise<PaymentOverview> {
  const days = await sinceFirst(db, owner, asked);
  const [first, last] = [days[0], days.at(-1)];
  if (!first || !last) throw new Error('An overview has one day at least');
  const { from } = first;
  const before = new Date(2 * from.getTime() - last.to.getTime());
  const spans = days.map((day, index) => ({ n: index + 1, from: day.from, to: day.to }));
  const found = await groupsOf(db, owner, [{ n: 0, from: before, to: from }, ...spans]);
  const previous = countsOf(found.filter(({ n }) => n === 0));
  const groups = found.filter(({ n }) => n > 0);
  const counts = countsOf(groups);
  const { currency, all, byDay: values } = await worthOf(db, owner, { days, groups }, now);
  return {
    by_day: days.map((day, index) => {
      const own = groups.filter(({ n }) => n === index + 1);
      const value = values[index] ?? { amount: '0', without: [] };
      return { ...day, counts: countsOf(own), volume: volumeOf(own), prices: pricesOf(own), value };
    }),
    counts,
    volume: volumeOf(groups),
    prices: pricesOf(groups),
    value: { currency, ...all },
    success: { ...successOf(counts), previous: successOf(previous) },
    completion: await completionTime(db, owner, from),
    now: await openNow(db, owner),
  };
}

/** The days from the owner's first payment on; today alone where there is none. */
async function sinceFirst(reader: Reader, owner: Owner, days: readonly Day[]): Promise<readonly Day[]> {
  const { rows } = await reader.query<{ created_at: Date }>(
    `SELECT created_at FROM payments WHERE integration_id = $1 AND mode = $2 ORDER BY created_at, id LIMIT 1`,
    [owner.integrationId, owner.mode],
  );
  const first = rows[0]?.created_at;
  const since = first === undefined ? [] : days.filter(({ to }) => to > first);
  return since.length === 0 ? days.slice(-1) : since;
}

/** Enough for a good median; more would be looked up one by one. */
const timed = 1_000;

async function completionTime(reader: Reader, owner: Owner, from: Date) {
  const found = await reader.query<PaymentOverview['completion']>(
    `SELECT count(*)::integer AS payments,
       percentile_cont(0.5) WITHIN GROUP (ORDER BY extract(epoch FROM completed_at - created_at)::float8)
         AS median_seconds
     FROM (SELECT created_at, completed_at FROM payments
           WHERE integration_id = $1 AND mode = $2 AND status = 'completed' AND created_at >= $3
           ORDER BY created_at DESC, id DESC LIMIT ${timed}) latest`,
    [owner.integrationId, owner.mode, from],
  );
  return oneRow(found, 'completion time');
}

/** More are not counted, so that the answer takes no longer however many there are. */
const mostOpen = 10_000;

// Each is read from an index that has these payments alone.
async function openNow(reader: Reader, owner: Owner): Promise<PaymentOverview['now']> {
  const count = (condition: string): string =>
    `(SELECT count(*)::integer FROM (
       SELECT FROM payments WHERE integration_id = $1 AND mode = $2 AND ${condition} LIMIT ${mostOpen}) p)`;
  const found = await reader.query<PaymentOverview['now']>(
    `SELECT ${count("status = 'linked'")} AS linked, ${count("status = 'pending'")} AS pending,
       ${count("is_part_paid AND status IN ('linked', 'pending', 'in-appeal')")} AS part_paid,
       ${count("status = 'in-appeal'")} AS in_appeal, ${mostOpen} AS counted_up_to`,
    [owner.integrationId, owner.mode],
  );
  return oneRow(found, 'open payments');
}

function countsOf(groups: readonly Pick<Group, 'status' | 'count'>[]): Counts {
  const counts: Counts = {};
  for (const { status, count } of groups) counts[status] = (counts[status] ?? 0) + count;
  return counts;
}

function volumeOf(groups: readonly Group[]): Volume {
  const units = new Map<Currency, bigint>();
  for (const group of groups) {
    const { currency } = group;
    if (currency !== null && group.units > 0n) units.set(currency, (units.get(currency) ?? 0n) + group.units);
  }
  return Object.fromEntries(
    [...units].map(([currency, sum]) => [currency, decimalOf(sum, currencyScale[currency])]),
  );
}

function pricesOf(groups: readonly Group[]): PriceTotal[] {
  const sums = new Map<PriceCurrency, { count: number; units: bigint }>();
  for (const { status, price_currency: code, count, price_units } of groups) {
    if (status !== 'completed' || code === null) continue;
    const sum = sums.get(code) ?? { count: 0, units: 0n };
    sums.set(code, { count: sum.count + count, units: sum.units + price_units });
  }
  return [...sums]
    .map(([currency, { count, units }]) => ({
      currency,
      count,
      amount: decimalOf(units, minorDigits(currency)),
    }))
    .sort((one, other) => one.currency.localeCompare(other.currency));
}

function successOf({ completed = 0, failed = 0, cancelled = 0 }: Counts): Success {
  const ended = completed + failed + cancelled;
  return { completed, ended, rate: ended === 0 ? null : completed / ended };
}
