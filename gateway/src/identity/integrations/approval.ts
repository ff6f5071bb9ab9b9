import type { Reader, Tx } from '../../kit/db/db.ts';
import { oneRow } from '../../kit/db/one-row.ts';
import { kitErrors, refuse } from '../../kit/errors.ts';
import type { Change } from '../audit/audit-log.ts';
import { identityErrors } from '../errors.ts';
import type { Approval, IntegrationId } from '../integration.ts';
import { hasOwnAddressSql } from '../own-addresses.ts';

/** Something to do before live mode. `done` follows from the data; nobody can set it. `optional`: live mode needs it not. */
export type ApprovalTask = { slug: string; title: string; done: boolean; optional?: true };

/** The tasks of one slice. */
export type ApprovalTasks = (reader: Reader, id: IntegrationId) => Promise<ApprovalTask[]>;

export type ApprovalState = {
  status: Approval;
  /** Why it was rejected or suspended. */
  reason: string | null;
  requested_at: Date | null;
  decided_at: Date | null;
};

export const decisions = ['approve', 'reject', 'suspend', 'resume'] as const;
export type Decision = (typeof decisions)[number];

/** For each decision: the states in which it is possible, the state that follows, and its word. */
const outcomes: Record<Decision, { from: readonly Approval[]; to: Approval; word: string }> = {
  approve: { from: ['none', 'requested', 'rejected'], to: 'approved', word: 'approved' },
  reject: { from: ['requested'], to: 'rejected', word: 'rejected' },
  suspend: { from: ['approved'], to: 'suspended', word: 'suspended' },
  resume: { from: ['suspended'], to: 'approved', word: 'resumed' },
};

/** The word for a decision that was taken: `approved`. */
export function wordOf(decision: Decision): string {
  return outcomes[decision].word;
}

export async function approvalOf(reader: Reader, id: IntegrationId): Promise<ApprovalState> {
  const result = await reader.query<ApprovalState>(
    `SELECT approval AS status, approval_reason AS reason, approval_requested_at AS requested_at,
       approval_decided_at AS decided_at
     FROM integrations WHERE id = $1`,
    [id],
  );
  return oneRow(result, 'approval of an integration');
}

/** The tasks of this slice. */
export async function ownApprovalTasks(reader: Reader, id: IntegrationId): Promise<ApprovalTask[]> {
  const result = await reader.query<Record<'email' | 'business' | 'domain' | 'fee', boolean>>(
    `SELECT i.merchant_id IS NOT NULL AS business, i.domain_verified_at IS NOT NULL AS domain,
       i.fee_accepted_at IS NOT NULL AS fee,
       EXISTS (SELECT FROM members m JOIN accounts a ON a.id = m.account_id
               WHERE m.merchant_id = i.merchant_id AND m.role = 'owner' AND a.email_verified) AS email
     FROM integrations i WHERE i.id = $1`,
    [id],
  );
  const { email, business, domain, fee } = oneRow(result, 'approval tasks of an integration');
  return [
    {
      slug: 'email',
      title: 'An owner confirmed their e-mail address',
      done: email,
    },
    {
      slug: 'business',
      title: 'The business has a name',
      done: business,
    },
    {
      slug: 'domain',
      title: 'The shop’s domain is verified',
      done: domain,
    },
    {
      slug: 'fee',
      title: 'The fee is understood',
      done: fee,
    },
  ];
}

/** The task of installations that ask for own addresses (contract.md#direct): one is set for live payments, or rests. */
export async function ownAddressTask(reader: Reader, id: IntegrationId): Promise<ApprovalTask[]> {
  const result = await reader.query<{ done: boolean }>(
    `SELECT ${hasOwnAddressSql} AS done FROM integrations i WHERE i.id = $1`,
    [id],
  );
  const { done } = oneRow(result, 'own addresses of an integration');
  return [{ slug: 'own_address', title: 'Payments go to an address of your own', done, optional: true }];
}

/** Asks for live mode. Throws `approval_tasks_open`, or `approval_not_possible` after a request or a decision. */
export async function requestApproval(
  tx: Tx,
  id: IntegrationId,
  tasks: ApprovalTask[],
  now: Date,
): Promise<void> {
  const open = tasks.filter(({ done, optional }) => !done && !optional).map(({ title }) => title);
  if (open.length > 0) throw refuse(identityErrors.approval_tasks_open, { tasks: open.join('; ') });
  const { rowCount } = await tx.query(
    `UPDATE integrations SET approval = 'requested', approval_requested_at = $2, approval_reason = NULL
     WHERE id = $1 AND approval IN ('none', 'rejected')`,
    [id, now],
  );
  if (rowCount !== 0) return;
  const { status } = await approvalOf(tx, id);
  throw refuse(identityErrors.approval_not_possible, { decision: 'put forward', approval: status });
}

/** Notes that the merchant accepted the fee; false when that was noted before. */
export async function acceptFee(tx: Tx, id: IntegrationId, now: Date): Promise<boolean> {
  const { rowCount } = await tx.query(
    'UPDATE integrations SET fee_accepted_at = $2 WHERE id = $1 AND fee_accepted_at IS NULL',
    [id, now],
  );
  return rowCount === 1;
}

export type Decided = { name: string; change: Change };

/**
 * An operator's decision on an integration's live mode, which applies from the next request on in every process. Throws
 * `not_found`, `approval_not_possible` when the state does not allow it, or `merchant_suspended` when it would let an
 * integration of a suspended business take live payments.
 */
export async function decideApproval(
  tx: Tx,
  { id, decision, reason }: { id: string; decision: Decision; reason: string | null },
  now: Date,
): Promise<Decided> {
  const { from, to, word } = outcomes[decision];
  // Suspending a business locks it first too, so the later of two decisions sees the earlier one.
  const { rows: merchants } = await tx.query<{ is_suspended: boolean }>(
    `SELECT m.suspended_at IS NOT NULL AS is_suspended FROM integrations i JOIN merchants m ON m.id = i.merchant_id
     WHERE i.id = $1 FOR SHARE OF m`,
    [id],
  );
  const { rows } = await tx.query<{ name: string; approval: Approval; approval_reason: string | null }>(
    'SELECT name, approval, approval_reason FROM integrations WHERE id = $1 FOR NO KEY UPDATE',
    [id],
  );
  const current = rows[0];
  if (!current) throw refuse(kitErrors.not_found);
  if (!from.includes(current.approval)) {
    throw refuse(identityErrors.approval_not_possible, { decision: word, approval: current.approval });
  }
  if (to === 'approved' && merchants[0]?.is_suspended) throw refuse(identityErrors.merchant_suspended);
  await tx.query(
    'UPDATE integrations SET approval = $2, approval_reason = $3, approval_decided_at = $4 WHERE id = $1',
    [id, to, reason, now],
  );
  const change = {
    action: `${word} live mode`,
    subject: { kind: 'integration', id },
    before: { approval: current.approval, reason: current.approval_reason },
    after: { approval: to, reason },
    integrationId: id,
  };
  return { name: current.name, change };
}
