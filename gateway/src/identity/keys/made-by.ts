import type { Reader, Tx } from '../../kit/db/db.ts';
import { kitErrors, refuse } from '../../kit/errors.ts';
import { isUuid } from '../../kit/ids.ts';
import type { Change } from '../audit/audit-log.ts';
import { identityErrors } from '../errors.ts';
import type { IntegrationId, Mode } from '../integration.ts';
import { loses, mayRole, type Role } from '../roles.ts';
import type { MemberOf, RoleChange } from './held.ts';
import { revokeAsChange } from './key-acts.ts';
import { actionsLost } from './maker-rights.ts';

/** A valid key that a member made, as it is shown before their role changes or they leave. */
export type KeyOfMember = {
  id: string;
  integration: string;
  mode: Mode;
  /** Null: a signing key. */
  name: string | null;
  hint: string;
  last_used_at: Date | null;
  /** The calls that it may no longer make then. */
  loses: string[];
  /** False of the key that webhooks are signed with, which is rolled instead. */
  is_revocable: boolean;
};

type KeyRow = Omit<KeyOfMember, 'loses'> & { allowed: string[] | null };

const isValid = '(k.valid_until IS NULL OR k.valid_until > $3)';

/** The valid keys that a member made, in both modes, where the change takes a permission from them; else none. */
export async function keysMadeBy(
  reader: Reader,
  { merchantId, accountId }: MemberOf,
  { from, to }: RoleChange,
  now: Date,
): Promise<KeyOfMember[]> {
  if (!loses(from, to)) return [];
  const { rows } = await reader.query<KeyRow>(
    `SELECT k.id, i.name AS integration, k.mode, k.name, 'sk_' || k.mode || '_…' || k.hint AS hint, k.last_used_at,
       k.allowed_actions AS allowed, NOT (k.kind = 'signing' AND k.valid_until IS NULL) AS is_revocable
     FROM api_keys k JOIN integrations i ON i.id = k.integration_id
     WHERE i.merchant_id = $1 AND k.made_by = $2 AND ${isValid}
     ORDER BY i.name, k.mode, k.id`,
    [merchantId, accountId, now],
  );
  return rows.map(({ allowed, ...key }) => {
    const before = actionsLost(from, allowed);
    return { ...key, loses: actionsLost(to, allowed).filter((action) => !before.includes(action)) };
  });
}

/** Keys of a member that somebody in the role `as` revokes. */
export type KeysToRevoke = { ids: readonly string[]; as: Role };

/**
 * Revokes keys that a member made, and leaves out those that have ended meanwhile; returns the entries for the audit log.
 * Throws `role_may_not` where `as` may not manage keys, `not_found` for a key that the member did not make for this
 * business, and `key_signs` (contract.md#keys).
 */
export async function revokeMade(
  tx: Tx,
  { merchantId, accountId }: MemberOf,
  { ids, as }: KeysToRevoke,
  now: Date,
): Promise<Change[]> {
  if (ids.length === 0) return [];
  const permission = 'manage keys';
  if (!mayRole(as, permission)) throw refuse(identityErrors.role_may_not, { permission });
  if (!ids.every(isUuid)) throw refuse(kitErrors.not_found);
  const { rows } = await tx.query<{ id: string; integrationId: IntegrationId; mode: Mode; good: boolean }>(
    `SELECT k.id, k.integration_id AS "integrationId", k.mode, ${isValid} AS good
     FROM api_keys k JOIN integrations i ON i.id = k.integration_id
     WHERE i.merchant_id = $1 AND k.made_by = $2 AND k.id = ANY ($4::uuid[])
     ORDER BY k.integration_id, k.id`,
    [merchantId, accountId, now, ids],
  );
  if (rows.length !== new Set(ids).size) throw refuse(kitErrors.not_found);
  const changes: Change[] = [];
  for (const { id, good, ...owner } of rows) {
    if (good) changes.push({ merchantId, ...(await revokeAsChange(tx, owner, id, now)) });
  }
  return changes;
}
