import type { Owner } from '../../identity/owner.ts';
import type { Reader } from '../../kit/db/db.ts';
import type { EventType } from './event-types.ts';

/** SQL for the last event of some types of an owner, as its `seq`; 0: there is none. `also`: what else holds for it. */
export const lastSeqSql = (
  owner: { integration: string; mode: string },
  types: string,
  also = '',
): string => `(SELECT coalesce(max(last.seq), 0) FROM unnest(${types}::text[]) AS t (type) CROSS JOIN LATERAL (
  SELECT seq FROM events e WHERE e.integration_id = ${owner.integration} AND e.mode = ${owner.mode} AND e.type = t.type
    ${also} ORDER BY seq DESC LIMIT 1) last)`;

/** The last event of these types that was made before a moment, as its `seq`; 0: there is none. */
export async function lastSeqBefore(
  reader: Reader,
  owner: Owner,
  types: readonly EventType[],
  before: Date,
): Promise<bigint> {
  const { rows } = await reader.query<{ seq: bigint }>(
    `SELECT ${lastSeqSql({ integration: '$1', mode: '$2' }, '$3', 'AND e.created_at < $4')} AS seq`,
    [owner.integrationId, owner.mode, types, before],
  );
  return rows[0]?.seq ?? 0n;
}

/** How many events of a type there were, and the sum of their amounts in one currency; null: they have none. */
export type TypeCount = {
  type: EventType;
  currency: string | null;
  count: number;
  amount: string | null;
  /** The payments among them that ask a price and were completed short: their events say the whole price. */
  shortPrices: string[];
};

/** Between which two `seq`: after the first, up to the second. */
export type SeqRange = { after: bigint; until: bigint };

const countsSql = `
  SELECT e.type, coalesce(b.body ->> 'refund_asset', b.body ->> 'currency', b.body ->> 'asset') AS currency,
    count(*)::integer AS count,
    trim_scale(sum(coalesce(b.body ->> 'refund_amount', CASE WHEN b.body ? 'short' AND NOT b.body ? 'paid_asset' THEN b.body ->> 'paid_amount' END, b.body ->> 'amount')::numeric))::text AS amount,
    coalesce(array_agg(e.payment_id) FILTER (
      WHERE b.body ? 'short' AND b.body ? 'paid_asset' AND NOT b.body ? 'refund_amount'), '{}') AS "shortPrices"
  FROM unnest($3::text[]) AS t (type)
  JOIN events e ON e.integration_id = $1 AND e.mode = $2 AND e.type = t.type AND e.seq > $4 AND e.seq <= $5
  CROSS JOIN LATERAL (SELECT e.body::jsonb AS body) b
  WHERE e.only_endpoint_id IS NULL
  GROUP BY 1, 2 ORDER BY 1, 2`;

/** Counts an owner's events of these types, by type and currency; samples do not count. */
export async function countEvents(
  reader: Reader,
  owner: Owner,
  types: readonly EventType[],
  { after, until }: SeqRange,
): Promise<TypeCount[]> {
  const { rows } = await reader.query<TypeCount>(countsSql, [
    ...[owner.integrationId, owner.mode, types, after, until],
  ]);
  return rows;
}

/** The merchant's references of the newest events of these types, `limit` at most. */
export async function newestReferences(
  reader: Reader,
  owner: Owner,
  types: readonly EventType[],
  { after, until, limit }: SeqRange & { limit: number },
): Promise<string[]> {
  const { rows } = await reader.query<{ reference: string }>(
    `SELECT reference FROM (
       SELECT coalesce(nullif(e.payment_reference, ''), e.payout_reference) AS reference, e.seq FROM events e
       WHERE e.integration_id = $1 AND e.mode = $2 AND e.type = ANY ($3) AND e.seq > $4 AND e.seq <= $5
         AND e.only_endpoint_id IS NULL
       ORDER BY e.seq DESC LIMIT $6
     ) newest WHERE reference IS NOT NULL ORDER BY seq`,
    [owner.integrationId, owner.mode, types, after, until, limit],
  );
  return rows.map(({ reference }) => reference);
}
