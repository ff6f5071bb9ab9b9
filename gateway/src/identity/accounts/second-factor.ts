import type { Tx } from '../../kit/db/db.ts';
import { refuse } from '../../kit/errors.ts';
import { isLoopbackHost } from '../../kit/net/addresses.ts';
import { identityErrors } from '../errors.ts';
import { mayRole, memberRoles } from '../roles.ts';

/** Whether only its own machine reaches a gateway: it listens there, and no proxy gives it another address. */
export function isLocalGateway({ host, baseUrl }: { host: string; baseUrl: string }): boolean {
  return isLoopbackHost(host) && isLoopbackHost(new URL(baseUrl).hostname);
}

const movesMoney = memberRoles
  .filter((role) => mayRole(role, 'make payouts'))
  .map((role) => `'${role}'`)
  .join(', ');

/**
 * SQL: whether an account must have a second factor, because it moves other people's money: operators, and whoever makes
 * and approves payouts of a business of which an integration was approved for live mode (contract.md#money-out). It is asked with
 * each call, so that a new role or an approval counts at once. Accounts of the demo are exempt where `isLocal` is true.
 */
export function needsSecondFactorSql(account: string, isLocal: string): string {
  return `(NOT (${account}.is_demo AND ${isLocal}::boolean) AND (${account}.is_operator OR EXISTS (
    SELECT FROM members m JOIN integrations i ON i.merchant_id = m.merchant_id
    WHERE m.account_id = ${account}.id AND m.role IN (${movesMoney}) AND i.approval IN ('approved', 'suspended'))))`;
}

/** What decides about a session: what its account needs and has, and what was shown in it. */
type Proven = {
  account: { id: string; needsSecondFactor: boolean; hasTwoFactor: boolean; hasPasskey: boolean };
  hasSecondFactor: boolean;
};

/** What a session has to do before anything else: set a first factor up, or show the one that there is; null: nothing. */
export function missingFactor({ account, hasSecondFactor }: Proven): 'set up' | 'show' | null {
  if (!account.needsSecondFactor) return null;
  if (!account.hasTwoFactor && !account.hasPasskey) return 'set up';
  return hasSecondFactor ? null : 'show';
}

/**
 * Throws when the last factor of an account that needs one would be removed. Locks the account's row, so that of two
 * factors that are removed at once one stays. `without` is the passkey that is removed; null: the authenticator app.
 */
export async function assertFactorLeft(
  tx: Tx,
  { account }: Pick<Proven, 'account'>,
  without: string | null,
): Promise<void> {
  const { rows } = await tx.query<{ two_factor_enabled: boolean }>(
    'SELECT two_factor_enabled FROM accounts WHERE id = $1 FOR UPDATE',
    [account.id],
  );
  if (!account.needsSecondFactor || (without !== null && rows[0]?.two_factor_enabled)) return;
  const { rowCount } = await tx.query(
    'SELECT FROM passkeys WHERE account_id = $1 AND id IS DISTINCT FROM $2::uuid LIMIT 1',
    [account.id, without],
  );
  if (rowCount === 0) throw refuse(identityErrors.second_factor_last);
}

/**
 * Removes every factor of an account and ends its sessions, for somebody who lost them: the next sign-in is by the
 * password alone and sets a new one up. Returns what it had; null when there is no such account.
 */
export async function resetFactors(
  tx: Tx,
  email: string,
): Promise<{ id: string; hadApp: boolean; passkeys: number } | null> {
  const { rows } = await tx.query<{ id: string; hadApp: boolean }>(
    'SELECT id, two_factor_enabled AS "hadApp" FROM accounts WHERE email = $1 FOR UPDATE',
    [email.toLowerCase()],
  );
  const account = rows[0];
  if (!account) return null;
  await tx.query('UPDATE accounts SET two_factor_enabled = false WHERE id = $1', [account.id]);
  await tx.query('DELETE FROM two_factors WHERE account_id = $1', [account.id]);
  const { rowCount } = await tx.query('DELETE FROM passkeys WHERE account_id = $1', [account.id]);
  await tx.query('DELETE FROM sessions WHERE account_id = $1', [account.id]);
  return { ...account, passkeys: rowCount ?? 0 };
}
