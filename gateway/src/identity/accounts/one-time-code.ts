import type { Database } from '../../kit/db/db.ts';
import { oneRow } from '../../kit/db/one-row.ts';
import { refuse } from '../../kit/errors.ts';
import { identityErrors } from '../errors.ts';

/** Longer than a code is valid, with the steps before and after its own. */
const keptSeconds = 120;

const claim = `
  WITH claimed AS (
    UPDATE two_factors
    SET used_codes = CASE WHEN used_at > now() - $3 * interval '1 second' THEN used_codes ELSE '{}' END || $2::text,
      used_at = now()
    WHERE account_id = $1 AND NOT ($2 = ANY(used_codes) AND used_at > now() - $3 * interval '1 second')
    RETURNING id)
  SELECT EXISTS (SELECT FROM two_factors WHERE account_id = $1) AS enrolled,
    EXISTS (SELECT FROM claimed) AS claimed`;

/**
 * Runs `work`, which checks a code of an authenticator app, unless the account has used that code before. When `work`
 * throws, the code counts as unused. better-auth itself takes a code any number of times.
 */
export async function withUnusedCode<T>(
  db: Database,
  accountId: string,
  code: string,
  work: () => Promise<T>,
): Promise<T> {
  const { enrolled, claimed } = oneRow(
    await db.query<{ enrolled: boolean; claimed: boolean }>(claim, [accountId, code, keptSeconds]),
    'claim of a one-time code',
  );
  if (enrolled && !claimed) throw refuse(identityErrors.code_used);
  try {
    return await work();
  } catch (error) {
    await db.query('UPDATE two_factors SET used_codes = array_remove(used_codes, $2) WHERE account_id = $1', [
      accountId,
      code,
    ]);
    throw error;
  }
}

/** A code without spaces: apps show one, and people type it. */
export function plainCode(code: string): string {
  return code.replace(/\s/g, '');
}
