import type { Owner } from '../../identity/owner.ts';
import type { Reader } from '../../kit/db/db.ts';
import type { Currency } from '../../money/assets.ts';
import type { PriceCurrency } from '../../money/price-currencies.ts';
import { cameSql } from '../payment/lacking.ts';
import type { PaymentStatus } from '../payment/payment.ts';
import { holdsAny, type Piece, piecesOf, type Span } from './pieces.ts';

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

const cameOf = (of: 'amount' | 'price_amount'): string =>
  `coalesce(sum(${cameSql('p', of)}) FILTER (WHERE p.status = 'completed'), 0)`;

/** SQL for the columns of groups of the payments `p`. */
export const groupColumns = `p.status, p.currency, p.price_currency, count(*)::integer AS count,
  ${cameOf('amount')} AS units, ${cameOf('price_amount')} AS price_units`;

const stateSql = `
SELECT u.until, ARRAY(SELECT DISTINCT c.since FROM payment_late_changes c
  WHERE c.integration_id = $1 AND c.mode = $2 AND c.since > $3::timestamptz - interval '15 minutes' AND c.since < u.until) AS changed
FROM payment_totals_until u WHERE u.integration_id = $1 AND u.mode = $2`;

// A time that has no sums has few payments, or has changed since its span was cut.
const groupsSql = `
WITH pieces AS MATERIALIZED (
  SELECT s.n, s.since, s.until, t.statuses, t.currencies, t.price_currencies, t.counts, t.units, t.price_units
  FROM (
    SELECT n, since, minutes, since + minutes * interval '1 minute' AS until
    FROM unnest($3::integer[], $4::timestamptz[], $5::integer[]) AS s (n, since, minutes)
  ) s
  LEFT JOIN payment_totals t ON t.integration_id = $1 AND t.mode = $2 AND t.minutes = s.minutes AND t.since = s.since
    AND NOT EXISTS (SELECT FROM payment_late_changes c
      WHERE c.integration_id = $1 AND c.mode = $2 AND c.since >= s.since AND c.since < s.until)
), counted AS (
  SELECT s.n, g.*
  FROM (
    SELECT n, since, until FROM pieces WHERE statuses IS NULL
    UNION ALL
    SELECT * FROM unnest($6::integer[], $7::timestamptz[], $8::timestamptz[])
  ) AS s (n, since, until)
  CROSS JOIN LATERAL (
    SELECT ${groupColumns} FROM payments p
    WHERE p.integration_id = $1 AND p.mode = $2 AND p.created_at >= s.since AND p.created_at < s.until
    GROUP BY p.status, p.currency, p.price_currency
  ) g
)
SELECT n, status, currency, price_currency, sum(count)::integer AS count, sum(units) AS units, sum(price_units) AS price_units
FROM (
  SELECT n, status, currency, price_currency, count, units, price_units FROM counted
  UNION ALL
  SELECT s.n, g.* FROM pieces s
  CROSS JOIN LATERAL unnest(s.statuses, s.currencies, s.price_currencies, s.counts, s.units, s.price_units)
    AS g (status, currency, price_currency, count, units, price_units)
) g GROUP BY n, status, currency, price_currency ORDER BY n, status, currency, price_currency`;

/**
 * What the owner's payments that were created in each of these spans come to: what is added up of them, and the others
 * payment by payment. Spans of one number are taken together.
 */
export async function groupsOf(reader: Reader, owner: Owner, spans: readonly Span[]): Promise<Group[]> {
  const values = [owner.integrationId, owner.mode];
  const first = new Date(Math.min(...spans.map(({ from }) => from.getTime())));
  const { rows: states } = await reader.query<{ until: Date; changed: Date[] }>(stateSql, [...values, first]);
  const { until = first, changed = [] } = states[0] ?? {};
  const isChanged = holdsAny(changed);
  const parts = spans.map((span) => piecesOf(span, until, isChanged));
  const pieces = parts.flatMap((part): Piece[] => part.pieces);
  const rest = parts.flatMap((part): Span[] => part.rest);
  const { rows } = await reader.query<Group>(groupsSql, [
    ...values,
    pieces.map(({ n }) => n),
    pieces.map(({ since }) => since),
    pieces.map(({ minutes }) => minutes),
    rest.map(({ n }) => n),
    rest.map(({ from }) => from),
    rest.map(({ to }) => to),
  ]);
  return rows;
}
