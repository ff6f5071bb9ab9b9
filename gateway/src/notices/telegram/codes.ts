import { createHash } from 'node:crypto';
import { after } from '../../kit/clock.ts';
import type { Tx } from '../../kit/db/db.ts';
import { randomCrockford } from '../../kit/ids.ts';

const codeLength = 20;
const codeSeconds = 600;

const hashOf = (code: string): Buffer => createHash('sha256').update(code).digest();

/** Makes the one code that links a chat to this account, in place of any before; it is good once, for ten minutes. */
export async function makeCode(
  tx: Tx,
  accountId: string,
  now: Date,
): Promise<{ code: string; expiresAt: Date }> {
  const code = randomCrockford(codeLength);
  const expiresAt = after(now, codeSeconds);
  await tx.query(
    `INSERT INTO notice_codes (account_id, code_hash, expires_at) VALUES ($1, $2, $3)
     ON CONFLICT (account_id) DO UPDATE SET code_hash = excluded.code_hash, expires_at = excluded.expires_at`,
    [accountId, hashOf(code), expiresAt],
  );
  return { code, expiresAt };
}

/** Uses a code up, and returns the account that it was made for; null: it is unknown, was used or is over. */
export async function useCode(tx: Tx, code: string, now: Date): Promise<string | null> {
  const { rows } = await tx.query<{ id: string; expires_at: Date }>(
    'DELETE FROM notice_codes WHERE code_hash = $1 RETURNING account_id AS id, expires_at',
    [hashOf(code.toUpperCase())],
  );
  const row = rows[0];
  return row && row.expires_at > now ? row.id : null;
}
