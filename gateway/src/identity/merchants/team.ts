import type { Reader, Tx } from '../../kit/db/db.ts';
import { kitErrors, refuse } from '../../kit/errors.ts';
import type { TimePlace } from '../../kit/http/cursor.ts';
import { identityErrors } from '../errors.ts';
import { type MemberRole, mayRole } from '../roles.ts';
import { withdrawInvitationsBy } from './invitations.ts';
import { lockTeam } from './merchants.ts';

/** A member of a business as the others see them. */
export type Member = {
  account_id: string;
  name: string;
  email: string;
  role: MemberRole;
  has_two_factor: boolean;
  has_passkey: boolean;
  joined_at: Date;
};

/** Up to `limit` members after `place`, in the order in which they joined. */
export async function listMembers(
  reader: Reader,
  merchantId: string,
  { place, limit }: { place: TimePlace | null; limit: number },
): Promise<Member[]> {
  const { rows } = await reader.query<Member>(
    `SELECT b.account_id, a.name, a.email, b.role, a.two_factor_enabled AS has_two_factor,
       EXISTS (SELECT FROM passkeys p WHERE p.account_id = a.id) AS has_passkey, b.created_at AS joined_at
     FROM members b JOIN accounts a ON a.id = b.account_id
     WHERE b.merchant_id = $1 AND ($2::timestamptz IS NULL OR (b.created_at, b.account_id) > ($2, $3::uuid))
     ORDER BY b.created_at, b.account_id LIMIT $4`,
    [merchantId, place?.at ?? null, place?.id ?? null, limit],
  );
  return rows;
}

/** A member's e-mail address, and the role that they had. */
export type FormerMember = { email: string; role: MemberRole };

/** A member's role in a business changed, or they left it: `to` is null. */
export type TeamChange = { merchantId: string; from: MemberRole; to: MemberRole | null };

/** Throws when the rules of another slice forbid a change of a team. The team is locked. */
export type JudgeTeam = (tx: Tx, change: TeamChange) => Promise<void>;

type MemberOf = { merchantId: string; accountId: string };

/** Changes a member's role. Throws `last_owner` for the only owner, and `not_found` for an account that is not a member. */
export async function changeRole(
  tx: Tx,
  member: MemberOf,
  role: MemberRole,
  now: Date,
): Promise<FormerMember> {
  const former = await lockMember(tx, member);
  await tx.query('UPDATE members SET role = $3 WHERE merchant_id = $1 AND account_id = $2', [
    member.merchantId,
    member.accountId,
    role,
  ]);
  await assertOwned(tx, member.merchantId);
  if (former.role === 'owner' && role !== 'owner') await withdrawInvitationsBy(tx, member, now);
  return former;
}

/** Removes a member and the invitations that they sent. Throws as `changeRole` does. */
export async function removeMember(tx: Tx, member: MemberOf, now: Date): Promise<FormerMember> {
  const former = await lockMember(tx, member);
  await tx.query('DELETE FROM members WHERE merchant_id = $1 AND account_id = $2', [
    member.merchantId,
    member.accountId,
  ]);
  await assertOwned(tx, member.merchantId);
  await withdrawInvitationsBy(tx, member, now);
  return former;
}

/**
 * Locks the team and checks that this member may still manage it, because their role may have changed since the call was
 * allowed. Returns the role. Throws `role_may_not`.
 */
export async function assertManagesTeam(tx: Tx, { merchantId, accountId }: MemberOf): Promise<MemberRole> {
  const permission = 'manage the team';
  await lockTeam(tx, merchantId);
  const { rows } = await readRole(tx, { merchantId, accountId });
  if (!rows[0] || !mayRole(rows[0].role, permission))
    throw refuse(identityErrors.role_may_not, { permission });
  return rows[0].role;
}

const readRole = (reader: Reader, { merchantId, accountId }: MemberOf) =>
  reader.query<{ role: MemberRole }>('SELECT role FROM members WHERE merchant_id = $1 AND account_id = $2', [
    merchantId,
    accountId,
  ]);

/** The role of a member. Throws `not_found`. */
export async function roleOf(reader: Reader, member: MemberOf): Promise<MemberRole> {
  const { rows } = await readRole(reader, member);
  if (!rows[0]) throw refuse(kitErrors.not_found);
  return rows[0].role;
}

async function lockMember(tx: Tx, { merchantId, accountId }: MemberOf): Promise<FormerMember> {
  await lockTeam(tx, merchantId);
  const { rows } = await tx.query<FormerMember>(
    `SELECT a.email, b.role FROM members b JOIN accounts a ON a.id = b.account_id
     WHERE b.merchant_id = $1 AND b.account_id = $2`,
    [merchantId, accountId],
  );
  if (!rows[0]) throw refuse(kitErrors.not_found);
  return rows[0];
}

/** Throws `last_owner` when no owner is left. The team is locked, so two owners cannot leave at once. */
async function assertOwned(tx: Tx, merchantId: string): Promise<void> {
  const { rowCount } = await tx.query(
    `SELECT FROM members WHERE merchant_id = $1 AND role = 'owner' LIMIT 1`,
    [merchantId],
  );
  if (rowCount === 0) throw refuse(identityErrors.last_owner);
}
