import type { Reader } from '../../kit/db/db.ts';
import { mayRole, memberRoles, type Permission } from '../roles.ts';

/** The names of accounts, by their ids. */
export async function namesOf(reader: Reader, accountIds: string[]): Promise<Map<string, string>> {
  if (accountIds.length === 0) return new Map();
  const { rows } = await reader.query<{ id: string; name: string }>(
    'SELECT id, name FROM accounts WHERE id = ANY($1)',
    [accountIds],
  );
  return new Map(rows.map(({ id, name }) => [id, name]));
}

/** The verified e-mail addresses of an integration's members who have this permission, but for one account. */
export async function addressesOf(
  reader: Reader,
  integrationId: string,
  permission: Permission,
  except: string | null = null,
): Promise<string[]> {
  const { rows } = await reader.query<{ email: string }>(
    `SELECT a.email
     FROM integrations i
     JOIN members b ON b.merchant_id = i.merchant_id
     JOIN accounts a ON a.id = b.account_id
     WHERE i.id = $1 AND b.role = ANY($2) AND a.email_verified AND a.id IS DISTINCT FROM $3::uuid
     ORDER BY a.email`,
    [integrationId, rolesWith(permission), except],
  );
  return rows.map(({ email }) => email);
}

/** How many members of a business have this permission, but for one account. */
export async function countMembers(
  reader: Reader,
  merchantId: string,
  permission: Permission,
  except: string | null = null,
): Promise<number> {
  const { rows } = await reader.query<{ count: number }>(
    `SELECT count(*)::integer AS count FROM members
     WHERE merchant_id = $1 AND role = ANY($2) AND account_id IS DISTINCT FROM $3::uuid`,
    [merchantId, rolesWith(permission), except],
  );
  return rows[0]?.count ?? 0;
}

/** Which of these accounts are members of an integration's business and have this permission. */
export async function membersWith(
  reader: Reader,
  integrationId: string,
  permission: Permission,
  accountIds: readonly string[],
): Promise<Set<string>> {
  const { rows } = await reader.query<{ id: string }>(
    `SELECT b.account_id AS id FROM integrations i JOIN members b ON b.merchant_id = i.merchant_id
     WHERE i.id = $1 AND b.role = ANY ($2) AND b.account_id = ANY ($3)`,
    [integrationId, rolesWith(permission), accountIds],
  );
  return new Set(rows.map(({ id }) => id));
}

const rolesWith = (permission: Permission) => memberRoles.filter((role) => mayRole(role, permission));

/** SQL: whether the account with this id is an operator. */
export const isOperatorSql = (accountId: string): string =>
  `EXISTS (SELECT FROM accounts o WHERE o.id = ${accountId} AND o.is_operator AND o.closed_at IS NULL)`;

/** SQL: whether the account with this id is open, and belongs to the business of the integration with that id. */
export const isMemberSql = (accountId: string, integrationId: string): string =>
  `EXISTS (SELECT FROM integrations i JOIN members b ON b.merchant_id = i.merchant_id JOIN accounts a ON a.id = b.account_id
    WHERE i.id = ${integrationId} AND a.id = ${accountId} AND a.closed_at IS NULL)`;

/** Which of these accounts are operators. */
export async function operatorsAmong(reader: Reader, accountIds: readonly string[]): Promise<Set<string>> {
  const { rows } = await reader.query<{ id: string }>(
    `SELECT id FROM unnest($1::uuid[]) AS t (id) WHERE ${isOperatorSql('t.id')}`,
    [accountIds],
  );
  return new Set(rows.map(({ id }) => id));
}

/** The verified e-mail addresses of the operators, but for one account. */
export async function operatorAddresses(reader: Reader, except: string | null = null): Promise<string[]> {
  const { rows } = await reader.query<{ email: string }>(
    `SELECT email FROM accounts WHERE is_operator AND email_verified AND id IS DISTINCT FROM $1::uuid
     ORDER BY email`,
    [except],
  );
  return rows.map(({ email }) => email);
}

/** The verified e-mail addresses of the owners of a business; of every business with live mode where none is named. */
export async function ownerAddresses(reader: Reader, merchantId: string | null): Promise<string[]> {
  const { rows } = await reader.query<{ email: string }>(
    `SELECT DISTINCT a.email FROM members b JOIN accounts a ON a.id = b.account_id
     WHERE b.role = 'owner' AND a.email_verified AND (b.merchant_id = $1 OR ($1::uuid IS NULL AND EXISTS (
       SELECT FROM integrations i WHERE i.merchant_id = b.merchant_id AND i.approval = 'approved')))
     ORDER BY a.email`,
    [merchantId],
  );
  return rows.map(({ email }) => email);
}

/** Whether an account is open, and belongs to the business of an integration. */
export async function isMember(reader: Reader, accountId: string, integrationId: string): Promise<boolean> {
  const { rowCount } = await reader.query(`SELECT WHERE ${isMemberSql('$1::uuid', '$2::uuid')}`, [
    accountId,
    integrationId,
  ]);
  return rowCount === 1;
}
