import { hash } from 'node:crypto';
import { after } from '../../kit/clock.ts';
import type { Database, Reader, Tx } from '../../kit/db/db.ts';
import { randomBase62 } from '../../kit/ids.ts';
import type { UserId } from '../users.ts';

export type TokenPurpose = 'confirm_email' | 'reset_password' | 'second_step' | 'passkey';

const lifeSeconds: Readonly<Record<TokenPurpose, number>> = {
  confirm_email: 24 * 3600,
  reset_password: 3600,
  second_step: 600,
  passkey: 600,
};

/** 190 random bits need no slow hash. */
export function tokenHash(token: string): string {
  return hash('sha256', token, 'base64url');
}

export function newToken(): string {
  return randomBase62(32);
}

export type Token = { userId: UserId | null; value: string };

/** Makes a token; a user has one for each purpose, the newest, so that a new link ends the one before. */
export async function makeToken(
  tx: Reader,
  purpose: TokenPurpose,
  { userId, value }: Token,
  now: Date,
): Promise<string> {
  const token = newToken();
  if (userId !== null) await endTokens(tx, userId, purpose);
  await tx.query(
    'INSERT INTO user_tokens (token_hash, purpose, user_id, value, expires_at) VALUES ($1, $2, $3, $4, $5)',
    [tokenHash(token), purpose, userId, value, after(now, lifeSeconds[purpose])],
  );
  return token;
}

/** What a token is about, without using it; null when it is unknown, used or too old. */
export async function readToken(
  reader: Reader,
  purpose: TokenPurpose,
  token: string,
  now: Date,
): Promise<Token | null> {
  const { rows } = await reader.query<Token>(
    `SELECT user_id AS "userId", value FROM user_tokens
     WHERE token_hash = $1 AND purpose = $2 AND expires_at > $3`,
    [tokenHash(token), purpose, now],
  );
  return rows[0] ?? null;
}

/** Uses a token: of two uses at once, the second finds none. */
export async function useToken(
  tx: Reader,
  purpose: TokenPurpose,
  token: string,
  now: Date,
): Promise<Token | null> {
  const { rows } = await tx.query<Token>(
    `DELETE FROM user_tokens WHERE token_hash = $1 AND purpose = $2 AND expires_at > $3
     RETURNING user_id AS "userId", value`,
    [tokenHash(token), purpose, now],
  );
  return rows[0] ?? null;
}

async function endTokens(tx: Reader, userId: UserId, purpose: TokenPurpose): Promise<void> {
  await tx.query('DELETE FROM user_tokens WHERE user_id = $1 AND purpose = $2', [userId, purpose]);
}

/** Deletes what has expired: tokens and sessions. */
export async function forgetExpired(db: Database, now: Date): Promise<void> {
  await db.query('DELETE FROM user_tokens WHERE expires_at < $1', [now]);
  await db.query('DELETE FROM user_sessions WHERE expires_at < $1', [now]);
}

/** Ends all tokens of a user: each could let somebody in without the present password. */
export async function endAllTokens(tx: Tx, userId: UserId): Promise<void> {
  await tx.query('DELETE FROM user_tokens WHERE user_id = $1', [userId]);
}
