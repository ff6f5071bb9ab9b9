import type { Tx } from '../../kit/db/db.ts';
import { refuse } from '../../kit/errors.ts';
import { changeOperator } from '../accounts/operator-accounts.ts';
import { type Actor, recordChange } from '../audit/audit-log.ts';
import { identityErrors } from '../errors.ts';
import { closedLetter } from '../mail/letters.ts';
import { queueMail } from '../mail/mail.ts';
import { withdrawInvitationsBy } from '../merchants/invitations.ts';
import { lockTeam } from '../merchants/merchants.ts';
import { type JudgeTeam, removeMember } from '../merchants/team.ts';
import type { MemberRole } from '../roles.ts';

/** Takes the name and the address of a person out of what another slice keeps. `by` is what it says in place of them. */
export type ForgetPerson = (tx: Tx, person: { id: string; email: string; by: string }) => Promise<void>;

export type ClosingDeps = {
  judgeTeam: JudgeTeam;
  /** Removes the person from what other slices keep. */
  forgetPerson: readonly ForgetPerson[];
};

/** The name of everybody whose account is closed. */
const closedName = 'Closed account';

/**
 * Closes an account for ever: ends its memberships, its sessions and its ways to sign in, and removes its name and its
 * address from everything that need not be kept. What must be kept has its id. Returns false when there is no such
 * account. Throws `last_owner` when a business would lose its only owner, `operator_last`, and what `judgeTeam` throws.
 */
export async function closeAccount(
  tx: Tx,
  deps: ClosingDeps,
  id: string,
  { actor, now }: { actor: Actor; now: Date },
): Promise<boolean> {
  const { rows } = await tx.query<{ email: string; is_operator: boolean }>(
    'SELECT email, is_operator FROM accounts WHERE id = $1 AND closed_at IS NULL FOR UPDATE',
    [id],
  );
  const account = rows[0];
  if (!account) return false;
  await leaveBusinesses(tx, deps, id, { actor, now });
  if (account.is_operator) {
    const { outcome } = await changeOperator(tx, { id, isOperator: false, by: null });
    if (outcome === 'last') throw refuse(identityErrors.operator_last);
  }
  await forgetAccount(tx, id, account.email);
  for (const forgetPerson of deps.forgetPerson) {
    await forgetPerson(tx, { id, email: account.email, by: closedName });
  }
  await tx.query(
    `UPDATE accounts SET email = 'closed ' || id, name = $2, email_verified = false, two_factor_enabled = false,
       closed_at = $3, updated_at = $3 WHERE id = $1`,
    [id, closedName, now],
  );
  await queueMail(tx, { to: account.email, ...closedLetter() });
  return true;
}

async function leaveBusinesses(
  tx: Tx,
  { judgeTeam }: ClosingDeps,
  accountId: string,
  { actor, now }: { actor: Actor; now: Date },
): Promise<void> {
  const { rows } = await tx.query<{ merchantId: string; role: MemberRole }>(
    'SELECT merchant_id AS "merchantId", role FROM members WHERE account_id = $1 ORDER BY merchant_id',
    [accountId],
  );
  for (const { merchantId, role } of rows) {
    const member = { merchantId, accountId };
    if (await isUnused(tx, member)) {
      await withdrawInvitationsBy(tx, member, now);
      await tx.query('DELETE FROM members WHERE merchant_id = $1 AND account_id = $2', [
        merchantId,
        accountId,
      ]);
    } else {
      await removeMember(tx, member, now);
      await judgeTeam(tx, { merchantId, from: role, to: null });
    }
    const subject = { kind: 'member', id: accountId };
    const change = {
      action: 'left the business, as the account was closed',
      subject,
      before: { role },
      merchantId,
    };
    await recordChange(tx, actor, change, now);
  }
}

/** Whether nobody else belongs to a business and no integration of it ever had live mode, so that nobody needs an owner. */
async function isUnused(
  tx: Tx,
  { merchantId, accountId }: { merchantId: string; accountId: string },
): Promise<boolean> {
  await lockTeam(tx, merchantId);
  const { rowCount } = await tx.query(
    `SELECT FROM members WHERE merchant_id = $1 AND account_id <> $2
     UNION ALL SELECT FROM integrations WHERE merchant_id = $1 AND approval IN ('approved', 'suspended') LIMIT 1`,
    [merchantId, accountId],
  );
  return rowCount === 0;
}

const ofAccount = ['sessions', 'credentials', 'two_factors', 'passkeys', 'account_links'] as const;

/** Deletes what belongs to the account alone, and its address from the rows that stay. */
async function forgetAccount(tx: Tx, id: string, email: string): Promise<void> {
  for (const table of ofAccount) await tx.query(`DELETE FROM ${table} WHERE account_id = $1`, [id]);
  await tx.query('DELETE FROM known_places WHERE owner = $1', [id]);
  await tx.query('DELETE FROM verifications WHERE value = $1', [id]);
  // Answers to calls of the dashboard, which may show the name.
  await tx.query(`DELETE FROM idempotency_keys WHERE scope LIKE $1`, [`console ${id} %`]);
  await tx.query('DELETE FROM asked_resets WHERE email = $1', [email]);
  await tx.query('DELETE FROM emails WHERE recipient = $1', [email]);
  await tx.query(
    `UPDATE invitations SET email = $2 WHERE email = $1 AND (accepted_at IS NOT NULL OR revoked_at IS NOT NULL)`,
    [email, closedName],
  );
  await tx.query('UPDATE security_events SET actor_name = $3 WHERE actor_id = $1 OR actor_name = $2', [
    ...[id, email, closedName],
  ]);
}
