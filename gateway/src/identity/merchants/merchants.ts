import type { Reader, Tx } from '../../kit/db/db.ts';
import { type Id, newId } from '../../kit/ids.ts';
import {
  type Integration,
  type IntegrationId,
  type IntegrationRow,
  integrationColumns,
  integrationOf,
} from '../integration.ts';
import { logoUrlSql } from '../integrations/settings.ts';
import type { MemberRole } from '../roles.ts';

export type MerchantId = Id<'merchant'>;

export type Merchant = { id: MerchantId; name: string };

/** Makes a merchant with an owner as its first member. */
export async function createMerchant(
  tx: Tx,
  input: { name: string; ownerId: string },
  now: Date,
): Promise<MerchantId> {
  const id = newId<'merchant'>(now);
  await tx.query('INSERT INTO merchants (id, name, created_at) VALUES ($1, $2, $3)', [id, input.name, now]);
  await addMember(tx, { merchantId: id, accountId: input.ownerId, role: 'owner' }, now);
  return id;
}

/** Makes an account a member with this role, or changes the role of a member. */
export async function addMember(
  tx: Tx,
  input: { merchantId: string; accountId: string; role: MemberRole },
  now: Date,
): Promise<void> {
  await tx.query(
    `INSERT INTO members (merchant_id, account_id, role, created_at) VALUES ($1, $2, $3, $4)
     ON CONFLICT (merchant_id, account_id) DO UPDATE SET role = excluded.role`,
    [input.merchantId, input.accountId, input.role, now],
  );
}

/** Locks the members of a business until the transaction ends. */
export async function lockTeam(tx: Tx, merchantId: string): Promise<void> {
  await tx.query('SELECT FROM merchants WHERE id = $1 FOR NO KEY UPDATE', [merchantId]);
}

export type Membership = {
  id: MerchantId;
  name: string;
  role: MemberRole;
  integrations: {
    id: IntegrationId;
    name: string;
    approval: Integration['approval'];
    logo_url: string | null;
  }[];
};

/** The merchants that an account is a member of, by name, each with its integrations. */
export async function membershipsOf(reader: Reader, accountId: string): Promise<Membership[]> {
  const { rows } = await reader.query<Membership>(
    `SELECT m.id, m.name, b.role, coalesce(i.list, '[]') AS integrations
     FROM members b
     JOIN merchants m ON m.id = b.merchant_id
     LEFT JOIN LATERAL (
       SELECT json_agg(json_build_object('id', i.id, 'name', i.name, 'approval', i.approval,
         'logo_url', ${logoUrlSql}) ORDER BY i.created_at) AS list
       FROM integrations i WHERE i.merchant_id = m.id
     ) i ON true
     WHERE b.account_id = $1
     ORDER BY lower(m.name), m.id`,
    [accountId],
  );
  return rows;
}

/** A merchant and the account's role in it; `role` is null for an account that is not a member. */
export type ReachedMerchant = Merchant & { role: MemberRole | null };

export async function reachMerchant(
  reader: Reader,
  accountId: string,
  id: string,
): Promise<ReachedMerchant | null> {
  const { rows } = await reader.query<ReachedMerchant>({
    name: 'reach-merchant',
    text: `SELECT m.id, m.name, b.role FROM merchants m
           LEFT JOIN members b ON b.merchant_id = m.id AND b.account_id = $2
           WHERE m.id = $1`,
    values: [id, accountId],
  });
  return rows[0] ?? null;
}

/** An integration and the account's role in it; `merchant` is null for one that was made on the command line. */
export type ReachedIntegration = {
  integration: Integration;
  merchant: Merchant | null;
  role: MemberRole | null;
};

type ReachRow = IntegrationRow & {
  merchant_id: MerchantId | null;
  merchant_name: string;
  role: MemberRole | null;
};

export async function reachIntegration(
  reader: Reader,
  accountId: string,
  id: string,
): Promise<ReachedIntegration | null> {
  const { rows } = await reader.query<ReachRow>({
    name: 'reach-integration',
    text: `SELECT ${integrationColumns}, m.id AS merchant_id, m.name AS merchant_name, b.role
           FROM integrations i
           LEFT JOIN merchants m ON m.id = i.merchant_id
           LEFT JOIN members b ON b.merchant_id = m.id AND b.account_id = $2
           WHERE i.id = $1`,
    values: [id, accountId],
  });
  const row = rows[0];
  if (!row) return null;
  const merchant = row.merchant_id === null ? null : { id: row.merchant_id, name: row.merchant_name };
  return { integration: integrationOf(row), merchant, role: row.role };
}
