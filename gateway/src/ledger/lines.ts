import type { Mode } from '../identity/integration.ts';
import type { Reader } from '../kit/db/db.ts';
import type { AssetCode } from '../money/money.ts';
import type { Party, StoredKind } from './accounts.ts';
import { bySeq, seqIs } from './entry-blocks.ts';

export type Holder = { kind: StoredKind; owner: string; mode: Mode };

/** One entry of an account, as its owner sees it. */
export type Line = {
  seq: bigint;
  asset: AssetCode;
  /** Negative for a debit. */
  units: bigint;
  /** The account's balance after it; null for a line with more than 20,000 later ones. */
  balance: bigint | null;
  transfer: string;
  cause: string;
  cause_id: string | null;
  /** The account on the other side. */
  other_kind: Party['kind'];
  other_owner: string;
  created_at: Date;
};

export type LineFilter = {
  asset?: AssetCode | undefined;
  cause?: string | undefined;
  from?: Date | undefined;
  to?: Date | undefined;
};

/** At most this many entries are added up to compute the balance after a line. */
const entriesAtMost = 20_000;

const ownLine = `
  SELECT e.seq, e.account, e.units, t.id AS transfer, t.cause, t.cause_id, t.created_at,
    CASE WHEN t.debit = e.account THEN t.credit ELSE t.debit END AS other
  FROM ledger_entries e JOIN ledger_transfers t ON t.id = e.transfer
  WHERE e.account = own.id AND ($5::bigint IS NULL OR (${seqIs('e', '<', '$5')}))
    AND ($6::text IS NULL OR t.cause = $6)
    AND ($7::timestamptz IS NULL OR t.created_at >= $7) AND ($8::timestamptz IS NULL OR t.created_at < $8)`;

// Of the lines that are added up by month, only those between the first and the last possible match are read; all newer
// lines are read.
const linesSql = `
WITH own AS MATERIALIZED (
  SELECT a.id, a.asset, a.balance, coalesce(c.seq, 0) AS counted, m.from_seq, m.to_seq
  FROM ledger_accounts a
  LEFT JOIN ledger_counted c ON c.account = a.id
  CROSS JOIN LATERAL (
    SELECT min(from_seq) AS from_seq, max(to_seq) AS to_seq FROM ledger_month_totals
    WHERE account = a.id AND ($6::text IS NULL OR cause = $6)
      AND ($7::timestamptz IS NULL OR month >= to_char($7 AT TIME ZONE 'UTC', 'YYYY-MM'))
      AND ($8::timestamptz IS NULL OR month <= to_char($8 AT TIME ZONE 'UTC', 'YYYY-MM'))
  ) m
  WHERE a.owner = $1 AND a.kind = $2 AND a.mode = $3 AND ($4::text IS NULL OR a.asset = $4)
), page AS MATERIALIZED (
  SELECT line.* FROM own CROSS JOIN LATERAL (
    (${ownLine} AND ${seqIs('e', '>', 'own.counted')} ${bySeq('e', ' DESC')} LIMIT $9)
    UNION ALL
    (${ownLine} AND ${seqIs('e', '>=', 'own.from_seq')} AND ${seqIs('e', '<=', 'own.to_seq')} ${bySeq('e', ' DESC')} LIMIT $9)
  ) line
  ORDER BY line.seq DESC LIMIT $9
), later AS (
  SELECT l.account, l.seq, sum(l.units) OVER (PARTITION BY l.account ORDER BY l.seq DESC) - l.units AS units
  FROM (SELECT account, min(seq) AS seq FROM page GROUP BY account) oldest
  CROSS JOIN LATERAL (
    SELECT e.account, e.seq, e.units FROM ledger_entries e
    WHERE e.account = oldest.account AND ${seqIs('e', '>=', 'oldest.seq')} ${bySeq('e', ' DESC')} LIMIT ${entriesAtMost}
  ) l
)
SELECT p.seq, own.asset, p.units, own.balance - later.units AS balance, p.transfer, p.cause, p.cause_id,
  other.kind AS other_kind, other.owner AS other_owner, p.created_at
FROM page p
JOIN own ON own.id = p.account
JOIN ledger_accounts other ON other.id = p.other
LEFT JOIN later ON later.account = p.account AND later.seq = p.seq
ORDER BY p.seq DESC`;

/** A holder's lines before `beforeSeq`, newest first. */
export async function linesOf(
  reader: Reader,
  { owner, kind, mode }: Holder,
  filter: LineFilter,
  { beforeSeq, limit }: { beforeSeq: bigint | null; limit: number },
): Promise<Line[]> {
  const { asset, cause, from, to } = filter;
  const { rows } = await reader.query<Line>(linesSql, [
    owner,
    kind,
    mode,
    asset,
    beforeSeq,
    cause,
    from,
    to,
    limit,
  ]);
  return rows;
}
