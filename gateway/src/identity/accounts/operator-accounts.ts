import type { Reader, Tx } from '../../kit/db/db.ts';
import type { MemberRole } from '../roles.ts';

/** A person as operators see them. */
export type AccountLine = {
  id: string;
  email: string;
  name: string;
  email_verified: boolean;
  is_operator: boolean;
  has_two_factor: boolean;
  has_passkey: boolean;
  created_at: Date;
  sessions: number;
  last_seen_at: Date | null;
  merchants: { id: string; name: string; role: MemberRole }[];
};

/** Accounts by address or name, newest first; with `operators` only those. */
export async function searchAccounts(
  reader: Reader,
  query: { search: string; operatorsOnly: boolean; before: string | null; limit: number; now: Date },
): Promise<AccountLine[]> {
  const { rows } = await reader.query<AccountLine>(
    `SELECT a.id, a.email, a.name, a.email_verified, a.is_operator, a.two_factor_enabled AS has_two_factor,
       EXISTS (SELECT FROM passkeys p WHERE p.account_id = a.id) AS has_passkey, a.created_at,
       s.sessions, s.last_seen_at, coalesce(b.merchants, '[]') AS merchants
     FROM accounts a
     CROSS JOIN LATERAL (
       SELECT count(*)::int AS sessions, max(seen_at) AS last_seen_at FROM sessions
       WHERE account_id = a.id AND expires_at > $5
     ) s
     CROSS JOIN LATERAL (
       SELECT json_agg(json_build_object('id', m.id, 'name', m.name, 'role', b.role) ORDER BY m.name) AS merchants
       FROM members b JOIN merchants m ON m.id = b.merchant_id WHERE b.account_id = a.id
     ) b
     WHERE a.closed_at IS NULL AND ($3::uuid IS NULL OR a.id < $3) AND ($2 = false OR a.is_operator)
       AND ($1 = '' OR position(lower($1) IN a.email) > 0 OR position(lower($1) IN lower(a.name)) > 0)
     ORDER BY a.id DESC LIMIT $4`,
    [query.search, query.operatorsOnly, query.before, query.limit, query.now],
  );
  return rows;
}

export type OperatorChange =
  | { outcome: 'changed' | 'unchanged'; email: string }
  | { outcome: 'unknown' }
  /** `by` is no longer an operator. */
  | { outcome: 'refused' }
  /** It would leave the installation without an operator. */
  | { outcome: 'last'; email: string };

/** Makes an account an operator, or takes that away, except from the last one. `by` is null on the command line. */
export async function changeOperator(
  tx: Tx,
  { id, isOperator, by }: { id: string; isOperator: boolean; by: string | null },
): Promise<OperatorChange> {
  // One operator must remain when two take each other's rights at once.
  const { rows } = await tx.query<{ id: string; email: string; is_operator: boolean }>(
    'SELECT id, email, is_operator FROM accounts WHERE id = $1 OR is_operator ORDER BY id FOR UPDATE',
    [id],
  );
  if (by !== null && !rows.some((row) => row.id === by && row.is_operator)) return { outcome: 'refused' };
  const account = rows.find((row) => row.id === id);
  if (!account) return { outcome: 'unknown' };
  const { email } = account;
  if (account.is_operator === isOperator) return { outcome: 'unchanged', email };
  if (!isOperator && !rows.some((row) => row.is_operator && row.id !== id)) return { outcome: 'last', email };
  await tx.query('UPDATE accounts SET is_operator = $2 WHERE id = $1', [id, isOperator]);
  return { outcome: 'changed', email };
}

/** Signs an account out everywhere. Returns how many sessions ended; null when there is no such account. */
export async function endSessions(tx: Tx, id: string): Promise<number | null> {
  const { rowCount: known } = await tx.query('SELECT FROM accounts WHERE id = $1', [id]);
  if (known === 0) return null;
  const { rowCount } = await tx.query('DELETE FROM sessions WHERE account_id = $1', [id]);
  return rowCount ?? 0;
}
