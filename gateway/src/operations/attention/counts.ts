import type { Owner } from '../../identity/owner.ts';
import type { Reader } from '../../kit/db/db.ts';
import { needsOperatorSql } from '../../payouts/payout/history.ts';
import type { MerchantAttention, OperatorAttention } from './answers.ts';

/** Counting stops here. */
export const mostCounted = 100;

type Found<Counts> = { what: keyof Omit<Counts, 'counted_up_to'> };

const upTo = (what: string, from: string): string =>
  `(SELECT '${what}' AS what FROM ${from} LIMIT ${mostCounted})`;

// A row for each thing that waits, with a limit, so that no more rows are read than are counted.
const ofMerchantSql = [
  upTo('appeals', 'appeals WHERE integration_id = $1 AND mode = $2 AND closed_at IS NULL'),
  upTo('payouts', "payouts WHERE integration_id = $1 AND mode = $2 AND status = 'awaiting_approval'"),
  upTo(
    'endpoints',
    `webhook_endpoints WHERE integration_id = $1 AND mode = $2 AND deleted_at IS NULL AND channel = 'webhook'
       AND (status = 'disabled' OR status = 'active' AND failing_since IS NOT NULL)`,
  ),
].join(' UNION ALL ');

const ofOperatorSql = [
  upTo('approvals', "integrations WHERE approval = 'requested'"),
  upTo('proposals', "proposals WHERE state = 'open'"),
  upTo('unmatched', "unmatched_deposits WHERE state = 'open'"),
  upTo('disputes', 'appeals WHERE closed_at IS NULL'),
  upTo('payouts', `payouts p WHERE ${needsOperatorSql}`),
  upTo('deliveries', "deliveries WHERE status = 'failed'"),
].join(' UNION ALL ');

/** What waits for a person of a business: appeals, payouts to approve, endpoints that do not answer. */
export async function merchantAttention(reader: Reader, owner: Owner): Promise<MerchantAttention> {
  const { rows } = await reader.query<Found<MerchantAttention>>({
    name: 'merchant-attention',
    text: ofMerchantSql,
    values: [owner.integrationId, owner.mode],
  });
  const count = counterOf(rows);
  return {
    counted_up_to: mostCounted,
    appeals: count('appeals'),
    payouts: count('payouts'),
    endpoints: count('endpoints'),
  };
}

/** Rates follow from more than rows that wait. */
type Counted = Omit<OperatorAttention, 'rates'>;

/** What waits for an operator, over the whole installation. */
export async function operatorAttention(reader: Reader): Promise<Counted> {
  const { rows } = await reader.query<Found<Counted>>({
    name: 'operator-attention',
    text: ofOperatorSql,
    values: [],
  });
  const count = counterOf(rows);
  return {
    counted_up_to: mostCounted,
    approvals: count('approvals'),
    proposals: count('proposals'),
    unmatched: count('unmatched'),
    disputes: count('disputes'),
    payouts: count('payouts'),
    deliveries: count('deliveries'),
  };
}

const counterOf =
  <What extends string>(rows: readonly { what: What }[]) =>
  (wanted: What): number =>
    rows.filter(({ what }) => what === wanted).length;
