import type { Mode } from '../../identity/integration.ts';
import { isOperatorSql } from '../../identity/merchants/people.ts';
import type { Reader } from '../../kit/db/db.ts';
import { type Payout, type PayoutRow, type PayoutStatus, payoutOf } from './payout.ts';
import { payoutColumnsOf } from './sql.ts';

/** A change of a payout's status; `from` is null for its first. */
export type PayoutMove = {
  at: Date;
  from: PayoutStatus | null;
  to: PayoutStatus;
  transaction: string | null;
  why: string | null;
};

/** The changes of a payout's status, oldest first. */
export async function movesOf(reader: Reader, id: string): Promise<PayoutMove[]> {
  const { rows } = await reader.query<PayoutMove>(
    `SELECT at, from_status AS from, to_status AS to, transaction, why FROM payout_moves
     WHERE payout_id = $1 ORDER BY version LIMIT 500`,
    [id],
  );
  return rows;
}

/** Which payouts operators are shown: those that need them, all that are under way, or all. */
export const queueKinds = ['attention', 'open', 'all'] as const;
export type QueueKind = (typeof queueKinds)[number];

/** A condition on `payouts p`: an operator must approve it, or find out what holds it up. */
export const needsOperatorSql = `p.status IN ('awaiting_approval', 'queued') AND (p.held_up IS NOT NULL
  OR p.status = 'awaiting_approval' AND p.operator_approvals_needed >
    (SELECT count(*) FROM payout_approvals a WHERE a.payout_id = p.id AND a.side = 'operator'
      AND ${isOperatorSql('a.account_id')}))`;

const conditions: Record<QueueKind, string> = {
  attention: needsOperatorSql,
  open: `p.status IN ('awaiting_approval', 'queued', 'sending')`,
  all: 'true',
};

/** A payout with the integration that it belongs to; null: the operator's own. */
export type QueuedPayout = {
  payout: Payout;
  integration: { id: string; name: string; merchant: string | null } | null;
};

type QueueRow = PayoutRow & { integration_name: string | null; merchant_name: string | null };

/** Payouts of the whole installation before an id, newest first. */
export async function queuedPayouts(
  reader: Reader,
  filter: { kind: QueueKind; mode?: Mode | undefined; id?: string | undefined },
  { before, limit }: { before: string | null; limit: number },
): Promise<QueuedPayout[]> {
  const { rows } = await reader.query<QueueRow>(
    `SELECT ${payoutColumnsOf('p')}, i.name AS integration_name, m.name AS merchant_name
     FROM payouts p LEFT JOIN integrations i ON i.id = p.integration_id LEFT JOIN merchants m ON m.id = i.merchant_id
     WHERE ${conditions[filter.kind]} AND ($1::text IS NULL OR p.mode = $1) AND ($2::uuid IS NULL OR p.id = $2)
       AND ($3::uuid IS NULL OR p.id < $3)
     ORDER BY p.id DESC LIMIT $4`,
    [filter.mode ?? null, filter.id ?? null, before, limit],
  );
  return rows.map((row) => {
    const payout = payoutOf(row);
    const { integrationId: id } = payout;
    const name = row.integration_name ?? '';
    return { payout, integration: id === null ? null : { id, name, merchant: row.merchant_name } };
  });
}
