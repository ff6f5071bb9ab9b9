import { hash } from 'node:crypto';
import { newRecoveryCodes } from '../../identity/accounts/recovery-codes.ts';
import type { Database, Reader, Tx } from '../../kit/db/db.ts';
import { random } from '../../kit/ids.ts';
import { type Seal, sealedColumn } from '../../kit/seal.ts';
import type { UserId } from '../users.ts';
import { matchingStep, secretBytes } from './totp.ts';

/** Secrets of authenticator apps, sealed. */
export const sealedUserFactors = sealedColumn('user_factors', 'secret', 'user_id');

type FactorRow = {
  secret: Buffer;
  confirmed_at: Date | null;
  last_step: number;
  session_id: string | null;
};

/** A session and its user. An app is turned on only in the session that began to set it up. */
export type Starter = { id: string; user: { id: UserId } };

/** Makes a secret for an authenticator app. Sign-ins need no code until a first code was right. */
export async function startFactor(reader: Reader, seal: Seal, starter: Starter, now: Date): Promise<Buffer> {
  const userId = starter.user.id;
  const secret = Buffer.from(random(secretBytes));
  await reader.query(
    `INSERT INTO user_factors (user_id, secret, created_at, session_id) VALUES ($1, $2, $3, $4)
     ON CONFLICT (user_id) DO UPDATE SET secret = $2, created_at = $3, last_step = 0, session_id = $4
       WHERE user_factors.confirmed_at IS NULL`,
    [userId, seal.seal(secret.toString('base64'), sealedUserFactors.at(userId)), now, starter.id],
  );
  return secret;
}

/** The secret that waits for its first code in this session; null: there is none. */
export async function waitingSecret(reader: Reader, seal: Seal, starter: Starter): Promise<Buffer | null> {
  const row = await factorRow(reader, starter.user.id);
  return row && isWaitingFor(row, starter) ? secretOf(seal, starter.user.id, row) : null;
}

function isWaitingFor({ confirmed_at, session_id }: FactorRow, { id }: Starter): boolean {
  return confirmed_at === null && session_id === id;
}

/** Turns the second factor on if the code is right; returns whether it was. */
export async function confirmFactor(
  tx: Tx,
  seal: Seal,
  { starter, code }: { starter: Starter; code: string },
  now: Date,
): Promise<boolean> {
  const userId = starter.user.id;
  if ((await useAppCode(tx, seal, { userId, code, starter }, now)) !== 'right') return false;
  await tx.query('UPDATE user_factors SET confirmed_at = $2, session_id = NULL WHERE user_id = $1', [
    userId,
    now,
  ]);
  return true;
}

/** A code as a user gave it. */
export type GivenCode = { userId: UserId; code: string };

/** How a second step was proved. */
export type Proof = 'app' | 'recovery';

/**
 * Uses a code of the app, or a recovery code; null: it is neither, or was used. `onReuse` is called for a code of the app
 * that was used before and has not run out yet: somebody else may have seen it.
 */
export async function useCode(
  tx: Tx,
  seal: Seal,
  { userId, code }: GivenCode,
  { now, onReuse }: { now: Date; onReuse: (tx: Tx) => Promise<void> },
): Promise<Proof | null> {
  const plain = code.replace(/[\s-]/g, '').toUpperCase();
  const outcome = await useAppCode(tx, seal, { userId, code: plain, starter: null }, now);
  if (outcome === 'right') return 'app';
  if (outcome === 'used') {
    await onReuse(tx);
    return null;
  }
  return (await useRecoveryCode(tx, userId, plain)) ? 'recovery' : null;
}

async function useAppCode(
  tx: Tx,
  seal: Seal,
  { userId, code, starter }: GivenCode & { starter: Starter | null },
  now: Date,
): Promise<'right' | 'used' | 'wrong'> {
  const row = await factorRow(tx, userId, 'FOR UPDATE');
  if (!row || !(starter ? isWaitingFor(row, starter) : row.confirmed_at !== null)) return 'wrong';
  const [secret, plain] = [secretOf(seal, userId, row), code.replace(/\s/g, '')];
  const step = matchingStep(secret, plain, now, row.last_step);
  if (step === null) return matchingStep(secret, plain, now, 0) === null ? 'wrong' : 'used';
  await tx.query('UPDATE user_factors SET last_step = $2 WHERE user_id = $1', [userId, step]);
  return 'right';
}

export async function endFactor(tx: Tx, userId: UserId): Promise<void> {
  await tx.query('DELETE FROM user_factors WHERE user_id = $1', [userId]);
}

async function factorRow(reader: Reader, userId: UserId, lock = ''): Promise<FactorRow | null> {
  const { rows } = await reader.query<FactorRow>(
    `SELECT secret, confirmed_at, last_step, session_id FROM user_factors WHERE user_id = $1 ${lock}`,
    [userId],
  );
  return rows[0] ?? null;
}

function secretOf(seal: Seal, userId: UserId, { secret }: FactorRow): Buffer {
  return Buffer.from(seal.open(secret, sealedUserFactors.at(userId)), 'base64');
}

// Of so many random bits a fast hash is enough.
const recoveryHash = (plain: string): string => hash('sha256', plain, 'base64url');

/** Makes ten recovery codes in place of those before, and returns them: they are not readable later. */
export async function makeRecoveryCodes(tx: Tx, userId: UserId): Promise<string[]> {
  const codes = newRecoveryCodes();
  await tx.query('DELETE FROM user_recovery_codes WHERE user_id = $1', [userId]);
  await tx.query('INSERT INTO user_recovery_codes (user_id, code_hash) SELECT $1, unnest($2::text[])', [
    userId,
    codes.map((code) => recoveryHash(code.replaceAll('-', ''))),
  ]);
  return codes;
}

/** Uses a recovery code; false: it is none of the user's. Letters that look like digits are read as these. */
export async function useRecoveryCode(tx: Tx, userId: UserId, code: string): Promise<boolean> {
  const plain = code.replace(/[\s-]/g, '').toUpperCase().replaceAll('O', '0').replace(/[IL]/g, '1');
  const { rowCount } = await tx.query(
    'DELETE FROM user_recovery_codes WHERE user_id = $1 AND code_hash = $2',
    [userId, recoveryHash(plain)],
  );
  return rowCount === 1;
}

export async function recoveryCodesLeft(db: Database, userId: UserId): Promise<number> {
  const { rowCount } = await db.query('SELECT FROM user_recovery_codes WHERE user_id = $1', [userId]);
  return rowCount ?? 0;
}

/**
 * Removes the app and the passkeys of a user who lost them, and ends the sessions: the next sign-in is by the password alone.
 * Returns how many passkeys there were; null for a user without a password, who would have no way in.
 */
export async function resetUserFactors(tx: Tx, userId: UserId): Promise<number | null> {
  const { rows } = await tx.query<{ password: boolean }>(
    'SELECT password_hash IS NOT NULL AS password FROM users WHERE id = $1 FOR UPDATE',
    [userId],
  );
  if (!rows[0]?.password) return null;
  await endFactor(tx, userId);
  const { rowCount } = await tx.query('DELETE FROM user_passkeys WHERE user_id = $1', [userId]);
  await tx.query('DELETE FROM user_sessions WHERE user_id = $1', [userId]);
  return rowCount ?? 0;
}
