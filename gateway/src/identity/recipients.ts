import type { Reader } from '../kit/db.ts';
import { mayRole, memberRoles, type Permission } from './roles.ts';

/** The e-mail addresses of an integration's members who may do this: whom to write to when it needs doing. */
export async function recipientsWho(
  reader: Reader,
  integrationId: string,
  permission: Permission,
): Promise<string[]> {
  const roles = memberRoles.filter((role) => mayRole(role, permission));
  const { rows } = await reader.query<{ email: string }>(
    `SELECT a.email FROM integrations i
     JOIN members m ON m.merchant_id = i.merchant_id AND m.role = ANY ($2)
     JOIN accounts a ON a.id = m.account_id
     WHERE i.id = $1 ORDER BY a.email`,
    [integrationId, roles],
  );
  return rows.map(({ email }) => email);
}
