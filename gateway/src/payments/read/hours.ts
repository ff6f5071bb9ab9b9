import type { Owner } from '../../identity/owner.ts';
import { after } from '../../kit/clock.ts';
import type { Reader } from '../../kit/db/db.ts';
import type { Currency } from '../../money/assets.ts';
import type { PriceCurrency } from '../../money/price-currencies.ts';
import { lackingSql } from '../payment/lacking.ts';
import type { PaymentStatus } from '../payment/payment.ts';

/** A span of time, with the number by which its caller knows it. */
export type Span = { n: number; from: Date; to: Date };

/**
 * Payments of one status, one paid currency and one currency of their prices that were created in a span; `units` and
 * `price_units` are those of completed ones, paid and asked; of those that were completed short the part that came.
 */
export type Group = {
  n: number;
  status: PaymentStatus;
  currency: Currency | null;
  price_currency: PriceCurrency | null;
  count: number;
  units: bigint;
  price_units: bigint;
};

const hourMs = 3600 * 1000;
/** A day longer than it takes until a change is noted: by then it was committed, even if a process's clock was wrong. */
const keptAfterSeconds = 2 * 24 * 3600;

// An hour without payments has no group.
const listed = (column: string): string =>
  `coalesce(array_agg(${column}) FILTER (WHERE status IS NOT NULL), '{}')`;

const short = `s.integration_id = $1 AND s.mode = $2 AND s.created_at >= h.since AND s.created_at < h.until
        AND s.currency = payments.currency AND s.price_currency IS NOT DISTINCT FROM payments.price_currency`;

// The stored sums of an hour are valid as long as no change was noted since (`noteHours`): a change and its note are committed
// together, so that this statement sees both or neither. Two that count the same hours at once write in the same order.
const groupsSql = `
WITH hours AS MATERIALIZED (
  SELECT s.n, since, since + interval '1 hour' AS until, coalesce(c.changes, 0) AS changes,
    k.statuses, k.currencies, k.counts, k.units, k.price_currencies, k.price_units
  FROM unnest($3::integer[], $4::timestamptz[], $5::timestamptz[]) AS s (n, first, until)
  CROSS JOIN LATERAL generate_series(s.first, s.until - interval '1 hour', interval '1 hour') AS since
  LEFT JOIN (
    SELECT hour, count(*)::integer AS changes FROM payment_hour_changes
    WHERE integration_id = $1 AND mode = $2 AND hour >= $9 GROUP BY hour
  ) c ON c.hour = since
  LEFT JOIN payment_hours k ON k.integration_id = $1 AND k.mode = $2 AND k.hour = since AND k.hour >= $9
    AND k.changes = coalesce(c.changes, 0) AND k.price_changes = k.changes
), counted AS MATERIALIZED (
  SELECT h.*, g.*
  FROM (
    SELECT n, since, until, changes, true AS keeps FROM hours WHERE statuses IS NULL
    UNION ALL
    SELECT *, NULL, false FROM unnest($6::integer[], $7::timestamptz[], $8::timestamptz[])
  ) AS h (n, since, until, changes, keeps)
  LEFT JOIN LATERAL (
    SELECT status, currency, price_currency, count(*)::integer AS count,
      CASE WHEN status = 'completed' THEN sum(amount) - ${lackingSql(short)} ELSE 0 END AS units,
      CASE WHEN status = 'completed' THEN coalesce(sum(price_amount), 0) - ${lackingSql(short, 'price_amount')} ELSE 0 END
        AS price_units
    FROM payments
    WHERE integration_id = $1 AND mode = $2 AND created_at >= h.since AND created_at < h.until
    GROUP BY status, currency, price_currency
  ) g ON true
), kept AS (
  INSERT INTO payment_hours AS k (integration_id, mode, hour, changes, statuses, currencies, counts, units,
    price_currencies, price_units, price_changes)
  SELECT $1, $2, since, changes, ${listed('status')}, ${listed('currency')}, ${listed('count')}, ${listed('units')},
    ${listed('price_currency')}, ${listed('price_units')}, changes
  FROM counted WHERE keeps GROUP BY since, changes ORDER BY since
  ON CONFLICT (integration_id, mode, hour) DO UPDATE SET changes = excluded.changes, statuses = excluded.statuses,
    currencies = excluded.currencies, counts = excluded.counts, units = excluded.units,
    price_currencies = excluded.price_currencies, price_units = excluded.price_units, price_changes = excluded.price_changes
  WHERE k.changes < excluded.changes OR (k.changes = excluded.changes AND k.price_changes IS DISTINCT FROM k.changes)
)
SELECT n, status, currency, price_currency, sum(count)::integer AS count, sum(units) AS units, sum(price_units) AS price_units
FROM (
  SELECT n, status, currency, price_currency, count, units, price_units FROM counted WHERE status IS NOT NULL
  UNION ALL
  SELECT h.n, k.status, k.currency, k.price_currency, k.count, k.units, k.price_units FROM hours h
  CROSS JOIN LATERAL unnest(h.statuses, h.currencies, h.counts, h.units, h.price_currencies, h.price_units)
    AS k (status, currency, count, units, price_currency, price_units)
) g GROUP BY n, status, currency, price_currency ORDER BY n, status, currency, price_currency`;

/** What the owner's payments that were created in each of these spans come to. Each hour that has settled is counted once. */
export async function groupsOf(
  reader: Reader,
  owner: Owner,
  spans: readonly Span[],
  now: Date,
): Promise<Group[]> {
  const parts = spans.map((span) => partsOf(span, after(now, -keptAfterSeconds)));
  const hours = parts.map((part) => part.hours);
  const rest = parts.flatMap((part) => part.rest);
  const { rows } = await reader.query<Group>(groupsSql, [
    owner.integrationId,
    owner.mode,
    ...columnsOf(hours),
    ...columnsOf(rest),
    new Date(Math.min(...spans.map(({ from }) => from.getTime()))),
  ]);
  return rows;
}

/** The whole hours of a span up to `settled`, and what is beside them. */
function partsOf({ n, from, to }: Span, settled: Date): { hours: Span; rest: Span[] } {
  const last = Math.min(to.getTime(), settled.getTime());
  const begin = Math.min(Math.ceil(from.getTime() / hourMs) * hourMs, to.getTime());
  const end = Math.max(begin, Math.floor(last / hourMs) * hourMs);
  const span = (since: number, until: number): Span => ({ n, from: new Date(since), to: new Date(until) });
  const rest = [span(from.getTime(), begin), span(end, to.getTime())];
  return { hours: span(begin, end), rest: rest.filter((each) => each.from < each.to) };
}

const columnsOf = (spans: readonly Span[]) => [
  spans.map(({ n }) => n),
  spans.map(({ from }) => from),
  spans.map(({ to }) => to),
];
