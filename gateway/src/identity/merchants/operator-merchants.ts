import type { Reader, Tx } from '../../kit/db/db.ts';
import type { Change } from '../audit/audit-log.ts';
import type { Approval, FeePayer, FeeTerms } from '../integration.ts';
import { type Decision, decideApproval } from '../integrations/approval.ts';
import type { MemberRole } from '../roles.ts';

/** A business as operators see it in a list. */
export type MerchantLine = {
  id: string;
  name: string;
  created_at: Date;
  suspended_at: Date | null;
  members: number;
  integrations: number;
  /** How many integrations may take live payments. */
  approved: number;
  owner_email: string | null;
};

/** `search`: any part of a name or an address; an empty text finds everything. */
type Search = { search: string; before: string | null; limit: number };

/** Merchants by name or by the e-mail address of a member, newest first. */
export async function searchMerchants(
  reader: Reader,
  { search, before, limit }: Search,
): Promise<MerchantLine[]> {
  const { rows } = await reader.query<MerchantLine>(
    `SELECT m.id, m.name, m.created_at, m.suspended_at,
       (SELECT count(*) FROM members b WHERE b.merchant_id = m.id)::int AS members,
       (SELECT count(*) FROM integrations i WHERE i.merchant_id = m.id)::int AS integrations,
       (SELECT count(*) FROM integrations i WHERE i.merchant_id = m.id AND i.approval = 'approved')::int AS approved,
       (SELECT a.email FROM members b JOIN accounts a ON a.id = b.account_id
        WHERE b.merchant_id = m.id AND b.role = 'owner' ORDER BY b.created_at LIMIT 1) AS owner_email
     FROM merchants m
     WHERE ($2::uuid IS NULL OR m.id < $2)
       AND ($1 = '' OR position(lower($1) IN lower(m.name)) > 0
         OR EXISTS (SELECT FROM members b JOIN accounts a ON a.id = b.account_id
                    WHERE b.merchant_id = m.id AND position(lower($1) IN a.email) > 0))
     ORDER BY m.id DESC LIMIT $3`,
    [search, before, limit],
  );
  return rows;
}

/** An integration as operators see it; `merchant_id` is null for one that was made on the command line. */
export type IntegrationLine = {
  id: string;
  name: string;
  approval: Approval;
  fee: FeeTerms;
  fee_payer: FeePayer;
  merchant_id: string | null;
  merchant_name: string | null;
  created_at: Date;
};

/** Integrations by their own or their merchant's name, newest first; only of one merchant when it is given. */
export async function searchIntegrations(
  reader: Reader,
  { search, before, limit, merchantId }: Search & { merchantId: string | null },
): Promise<IntegrationLine[]> {
  const { rows } = await reader.query<IntegrationLine>(
    `SELECT i.id, i.name, i.approval, i.fee, i.fee_payer, m.id AS merchant_id, m.name AS merchant_name, i.created_at
     FROM integrations i LEFT JOIN merchants m ON m.id = i.merchant_id
     WHERE ($2::uuid IS NULL OR i.id < $2) AND ($4::uuid IS NULL OR i.merchant_id = $4)
       AND ($1 = '' OR position(lower($1) IN lower(i.name)) > 0
         OR position(lower($1) IN lower(coalesce(m.name, ''))) > 0)
     ORDER BY i.id DESC LIMIT $3`,
    [search, before, limit, merchantId],
  );
  return rows;
}

export type MerchantDetail = {
  id: string;
  name: string;
  created_at: string;
  suspension: { since: string; reason: string } | null;
  members: { account_id: string; email: string; name: string; role: MemberRole }[];
};

const shownMembers = 100;

/** A business with its members; null for an unknown id. */
export async function merchantDetail(reader: Reader, id: string): Promise<MerchantDetail | null> {
  const { rows } = await reader.query<{
    name: string;
    created_at: Date;
    suspended_at: Date | null;
    suspended_reason: string | null;
  }>('SELECT name, created_at, suspended_at, suspended_reason FROM merchants WHERE id = $1', [id]);
  const row = rows[0];
  if (!row) return null;
  const members = await reader.query<MerchantDetail['members'][number]>(
    `SELECT a.id AS account_id, a.email, a.name, b.role
     FROM members b JOIN accounts a ON a.id = b.account_id
     WHERE b.merchant_id = $1 ORDER BY b.created_at LIMIT $2`,
    [id, shownMembers],
  );
  return {
    id,
    name: row.name,
    created_at: row.created_at.toISOString(),
    suspension: row.suspended_at && {
      since: row.suspended_at.toISOString(),
      reason: row.suspended_reason ?? '',
    },
    members: members.rows,
  };
}

/**
 * Suspends every approved integration of a merchant, and stores which they were. Returns the changes for the audit log;
 * null when there is no such merchant, or it is suspended already.
 */
export async function suspendMerchant(
  tx: Tx,
  id: string,
  reason: string,
  now: Date,
): Promise<Change[] | null> {
  const { rowCount } = await tx.query(
    'SELECT FROM merchants WHERE id = $1 AND suspended_at IS NULL FOR UPDATE',
    [id],
  );
  if (rowCount === 0) return null;
  const { rows } = await tx.query<{ id: string }>(
    `SELECT id FROM integrations WHERE merchant_id = $1 AND approval = 'approved' ORDER BY id`,
    [id],
  );
  const stopped = rows.map((row) => row.id);
  const changes = await decideAll(tx, stopped, { decision: 'suspend', reason }, now);
  await tx.query(
    `UPDATE merchants SET suspended_at = $2, suspended_reason = $3, suspended_integrations = $4 WHERE id = $1`,
    [id, now, reason, stopped],
  );
  return changes;
}

/**
 * Approves again the integrations that the suspension stopped, except those that an operator has decided about since.
 * Returns the changes; null when the merchant is not suspended.
 */
export async function resumeMerchant(tx: Tx, id: string, now: Date): Promise<Change[] | null> {
  const { rows } = await tx.query<{ suspended_integrations: string[] }>(
    'SELECT suspended_integrations FROM merchants WHERE id = $1 AND suspended_at IS NOT NULL FOR UPDATE',
    [id],
  );
  const [merchant] = rows;
  if (!merchant) return null;
  await tx.query(
    `UPDATE merchants SET suspended_at = NULL, suspended_reason = NULL, suspended_integrations = '{}' WHERE id = $1`,
    [id],
  );
  const stopped = await tx.query<{ id: string }>(
    `SELECT id FROM integrations WHERE id = ANY ($1) AND approval = 'suspended' ORDER BY id`,
    [merchant.suspended_integrations],
  );
  const ids = stopped.rows.map((row) => row.id);
  return await decideAll(tx, ids, { decision: 'resume', reason: null }, now);
}

async function decideAll(
  tx: Tx,
  ids: string[],
  how: { decision: Decision; reason: string | null },
  now: Date,
): Promise<Change[]> {
  const changes: Change[] = [];
  for (const id of ids) changes.push((await decideApproval(tx, { id, ...how }, now)).change);
  return changes;
}
