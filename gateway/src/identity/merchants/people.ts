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

/** The verified e-mail addresses of an integration's members who have this permission. */
export async function addressesOf(
  reader: Reader,
  integrationId: string,
  permission: Permission,
): Promise<string[]> {
  const { rows } = await reader.query<{ email: string }>(
    `SELECT a.email
     FROM integrations i
     JOIN members b ON b.merchant_id = i.merchant_id
     JOIN accounts a ON a.id = b.account_id
     WHERE i.id = $1 AND b.role = ANY($2) AND a.email_verified
     ORDER BY a.email`,
    [integrationId, memberRoles.filter((role) => mayRole(role, permission))],
  );
  return rows.map(({ email }) => email);
}

/** The verified e-mail addresses of the operators. */
export async function operatorAddresses(reader: Reader): Promise<string[]> {
  const { rows } = await reader.query<{ email: string }>(
    'SELECT email FROM accounts WHERE is_operator AND email_verified ORDER BY email',
  );
  return rows.map(({ email }) => email);
}
