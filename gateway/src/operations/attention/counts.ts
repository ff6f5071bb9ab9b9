import type { Mode } from '../../identity/integration.ts';
import type { Owner } from '../../identity/owner.ts';
import type { Reader } from '../../kit/db/db.ts';
import { needsOperatorSql } from '../../payouts/payout/history.ts';
import { isUnordered } from '../../treasury/orders.ts';
import type { MerchantAttention, OperatorAttention } from './answers.ts';

type Found = { what: string };

/** Counting stops here. */
export const mostCounted = 100;

const upTo = (what: string, from: string): string =>
  `(SELECT '${what}' AS what FROM ${from} LIMIT ${mostCounted})`;

// A row for each thing that waits, with a limit, so that no more rows are read than are counted.
const ofMerchantSql = [
  upTo('appeals', 'appeals WHERE integration_id = $1 AND mode = $2 AND closed_at IS NULL'),
  upTo('payouts', "payouts WHERE integration_id = $1 AND mode = $2 AND status = 'awaiting_approval'"),
  upTo('refunds', "direct_refunds WHERE integration_id = $1 AND mode = $2 AND status = 'awaiting_transfer'"),
  upTo(
    'endpoints',
    `webhook_endpoints WHERE integration_id = $1 AND mode = $2 AND deleted_at IS NULL AND channel = 'webhook'
       AND (status = 'disabled' OR status = 'active' AND failing_since IS NOT NULL)`,
  ),
].join(' UNION ALL ');

type CountedOfMode = keyof OperatorAttention['test'];

/** Of each mode, so that what waits in one never counts as the other's. */
const ofMode = (mode: Mode): string[] => {
  const inMode = (what: CountedOfMode, from: string) =>
    upTo(`${mode} ${what}`, `${from} AND mode = '${mode}'`);
  return [
    inMode('unmatched', "unmatched_deposits WHERE state = 'open'"),
    inMode('moves', `treasury_moves m WHERE ${isUnordered}`),
    inMode('appeals', 'appeals WHERE closed_at IS NULL'),
    inMode('payouts', `payouts p WHERE ${needsOperatorSql}`),
    inMode('deliveries', "deliveries WHERE status = 'failed'"),
  ];
};

const ofOperatorSql = [
  upTo('approvals', "integrations WHERE approval = 'requested'"),
  upTo('proposals', "proposals WHERE state = 'open'"),
  upTo(
    'faults',
    `(SELECT findings FROM doctor_reports ORDER BY at DESC LIMIT 1) newest
       CROSS JOIN LATERAL jsonb_array_elements(newest.findings) each WHERE each ->> 'level' = 'fault'`,
  ),
  upTo('setup steps', 'setup_steps WHERE done_at IS NULL'),
  ...ofMode('live'),
  ...ofMode('test'),
].join(' UNION ALL ');

/** What waits for a person of a business: appeals, payouts to approve, refunds to send, endpoints that do not answer. */
export async function merchantAttention(reader: Reader, owner: Owner): Promise<MerchantAttention> {
  const { rows } = await reader.query<Found>({
    name: 'merchant-attention',
    text: ofMerchantSql,
    values: [owner.integrationId, owner.mode],
  });
  const count = counterOf(rows);
  return {
    counted_up_to: mostCounted,
    appeals: count('appeals'),
    payouts: count('payouts'),
    refunds: count('refunds'),
    endpoints: count('endpoints'),
  };
}

/** Rates and backups follow from more than rows that wait. */
type Counted = Omit<OperatorAttention, 'rates' | 'backups'>;

/** What waits for an operator, over the whole installation. */
export async function operatorAttention(reader: Reader): Promise<Counted> {
  const { rows } = await reader.query<Found>({
    name: 'operator-attention',
    text: ofOperatorSql,
    values: [],
  });
  const count = counterOf(rows);
  const counted = (mode: Mode): OperatorAttention['test'] => ({
    unmatched: count(`${mode} unmatched`),
    moves: count(`${mode} moves`),
    appeals: count(`${mode} appeals`),
    payouts: count(`${mode} payouts`),
    deliveries: count(`${mode} deliveries`),
  });
  return {
    counted_up_to: mostCounted,
    approvals: count('approvals'),
    proposals: count('proposals'),
    faults: count('faults'),
    setup_steps: count('setup steps'),
    ...counted('live'),
    test: counted('test'),
  };
}

const counterOf =
  (rows: readonly Found[]) =>
  (wanted: string): number =>
    rows.filter(({ what }) => what === wanted).length;
