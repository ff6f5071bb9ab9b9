import { createHash } from 'node:crypto';
import { after } from '../../kit/clock.ts';
import type { Reader, Tx } from '../../kit/db/db.ts';
import { kitErrors, refuse } from '../../kit/errors.ts';
import { newId, randomToken } from '../../kit/ids.ts';
import { identityErrors } from '../errors.ts';
import type { MemberRole } from '../roles.ts';
import { lockTeam, type Merchant } from './merchants.ts';

const lifeSeconds = 7 * 24 * 3600;
const mostOpen = 100;

/** An invitation that is not accepted yet, as the team sees it. After it expired it can be sent again. */
export type OpenInvitation = {
  id: string;
  email: string;
  role: MemberRole;
  invited_by: string;
  created_at: Date;
  expires_at: Date;
};

const isOpen = 'accepted_at IS NULL AND revoked_at IS NULL';

/** The open invitations of a business, the newest first; a hundred at most. */
export async function openInvitations(reader: Reader, merchantId: string): Promise<OpenInvitation[]> {
  const { rows } = await reader.query<OpenInvitation>(
    `SELECT i.id, i.email, i.role, a.email AS invited_by, i.created_at, i.expires_at
     FROM invitations i JOIN accounts a ON a.id = i.invited_by
     WHERE i.merchant_id = $1 AND ${isOpen} ORDER BY i.created_at DESC, i.id LIMIT $2`,
    [merchantId, mostOpen],
  );
  return rows;
}

/** An invitation and the token in its mail; only the token's hash is kept. */
export type SentInvitation = { id: string; email: string; role: MemberRole; token: string };

/**
 * Invites an address, for seven days. Throws `member_already`, `invitation_pending` when there is an open one for
 * the address, and `too_many_invitations`.
 */
export async function invite(
  tx: Tx,
  input: { merchantId: string; email: string; role: MemberRole; invitedBy: string },
  now: Date,
): Promise<SentInvitation> {
  const { merchantId, role, invitedBy } = input;
  const email = input.email.toLowerCase();
  await lockTeam(tx, merchantId);
  await assertNoMember(tx, merchantId, email);
  const open = await openInvitations(tx, merchantId);
  if (open.some((each) => each.email === email)) throw refuse(identityErrors.invitation_pending, { email });
  if (open.length >= mostOpen) throw refuse(identityErrors.too_many_invitations, { most: `${mostOpen}` });
  const id = newId(now);
  const token = randomToken();
  await tx.query(
    `INSERT INTO invitations (id, merchant_id, email, role, token_hash, invited_by, created_at, expires_at)
     VALUES ($1, $2, $3, $4, $5, $6, $7, $8)`,
    [id, merchantId, email, role, hashOf(token), invitedBy, now, after(now, lifeSeconds)],
  );
  return { id, email, role, token };
}

async function assertNoMember(tx: Tx, merchantId: string, email: string): Promise<void> {
  const { rowCount } = await tx.query(
    `SELECT FROM members b JOIN accounts a ON a.id = b.account_id WHERE b.merchant_id = $1 AND a.email = $2`,
    [merchantId, email],
  );
  if (rowCount !== 0) throw refuse(identityErrors.member_already, { email });
}

/** Gives an open invitation a new token and seven more days. The link of the old mail stops working. */
export async function renewInvitation(
  tx: Tx,
  { merchantId, id }: { merchantId: string; id: string },
  now: Date,
): Promise<SentInvitation> {
  const token = randomToken();
  const { rows } = await tx.query<Omit<SentInvitation, 'token'>>(
    `UPDATE invitations SET token_hash = $3, expires_at = $4
     WHERE merchant_id = $1 AND id = $2 AND ${isOpen} RETURNING id, email, role`,
    [merchantId, id, hashOf(token), after(now, lifeSeconds)],
  );
  if (!rows[0]) throw refuse(kitErrors.not_found);
  return { ...rows[0], token };
}

/** Withdraws an open invitation; returns its address and role. */
export async function withdrawInvitation(
  tx: Tx,
  { merchantId, id }: { merchantId: string; id: string },
  now: Date,
): Promise<{ email: string; role: MemberRole }> {
  const { rows } = await tx.query<{ email: string; role: MemberRole }>(
    `UPDATE invitations SET revoked_at = $3
     WHERE merchant_id = $1 AND id = $2 AND ${isOpen} RETURNING email, role`,
    [merchantId, id, now],
  );
  if (!rows[0]) throw refuse(kitErrors.not_found);
  return rows[0];
}

/** Withdraws the invitations of a member who may no longer invite: one of them may be to themselves. */
export async function withdrawInvitationsBy(
  tx: Tx,
  sender: { merchantId: string; accountId: string },
  now: Date,
): Promise<void> {
  await tx.query(
    `UPDATE invitations SET revoked_at = $3 WHERE merchant_id = $1 AND invited_by = $2 AND ${isOpen}`,
    [sender.merchantId, sender.accountId, now],
  );
}

/** An invitation as its link shows it. */
export type Invitation = {
  id: string;
  email: string;
  role: MemberRole;
  merchant: Merchant;
  invited_by: { name: string; email: string };
  /** Whether there is an account with the address, which then signs in instead of signing up. */
  has_account: boolean;
  expires_at: Date;
};

/** The invitation of a link; throws `invitation_over` when it was accepted or withdrawn, or has expired. */
export async function invitationByToken(reader: Reader, token: string, now: Date): Promise<Invitation> {
  const { rows } = await reader.query<Invitation>(
    `SELECT i.id, i.email, i.role, i.expires_at, json_build_object('id', m.id, 'name', m.name) AS merchant,
       json_build_object('name', a.name, 'email', a.email) AS invited_by,
       EXISTS (SELECT FROM accounts WHERE email = i.email) AS has_account
     FROM invitations i JOIN merchants m ON m.id = i.merchant_id JOIN accounts a ON a.id = i.invited_by
     WHERE i.token_hash = $1 AND i.expires_at > $2 AND ${isOpen}`,
    [hashOf(token), now],
  );
  if (!rows[0]) throw refuse(identityErrors.invitation_over);
  return rows[0];
}

/**
 * Makes an account a member by the token of an invitation to its address, which confirms that address. Throws
 * `invitation_over`, `invitation_for_other`, and `member_already`.
 */
export async function acceptInvitation(
  tx: Tx,
  { token, account }: { token: string; account: { id: string; email: string } },
  now: Date,
): Promise<Invitation> {
  const invitation = await invitationByToken(tx, token, now);
  const { email, merchant, role } = invitation;
  if (email !== account.email) throw refuse(identityErrors.invitation_for_other, { email });
  await lockTeam(tx, merchant.id);
  // It may have been accepted or withdrawn while this waited for the lock.
  const { rowCount: taken } = await tx.query(
    `UPDATE invitations SET accepted_at = $2 WHERE id = $1 AND ${isOpen}`,
    [invitation.id, now],
  );
  if (taken === 0) throw refuse(identityErrors.invitation_over);
  const { rowCount: joined } = await tx.query(
    `INSERT INTO members (merchant_id, account_id, role, created_at) VALUES ($1, $2, $3, $4)
     ON CONFLICT (merchant_id, account_id) DO NOTHING`,
    [merchant.id, account.id, role, now],
  );
  if (joined === 0) throw refuse(identityErrors.member_already, { email });
  await tx.query('UPDATE accounts SET email_verified = true WHERE id = $1', [account.id]);
  return invitation;
}

function hashOf(token: string): Buffer {
  return createHash('sha256').update(token).digest();
}
