import { idleSeconds, seenEverySeconds, sessionSeconds } from '../../identity/accounts/session-life.ts';
import { after } from '../../kit/clock.ts';
import type { Reader, Tx } from '../../kit/db/db.ts';
import { newId } from '../../kit/ids.ts';
import type { PriceCurrency } from '../../money/price-currencies.ts';
import type { UserId } from '../users.ts';
import { newToken, tokenHash } from './tokens.ts';

/** A user who is signed in. */
export type UserSession = {
  id: string;
  user: {
    id: UserId;
    username: string;
    email: string | null;
    emailConfirmed: boolean;
    hasPassword: boolean;
    /** Whether a sign-in by password asks for a code. */
    hasFactor: boolean;
    hasPasskey: boolean;
    hasRecoveryCodes: boolean;
    isFrozen: boolean;
    /** In which the value of coins is shown; null: the user chose none. */
    valueCurrency: PriceCurrency | null;
    /** When the wallet was made. */
    since: Date;
  };
  /** When the user last proved who they are. */
  provedAt: Date;
  /** When they last did so by a second factor; null: never in this session. */
  factorAt: Date | null;
};

const longestAgent = 300;

/** How a user signed in: from where, and whether by a second factor. */
export type Entry = { address: string; userAgent: string | undefined; byFactor: boolean };

/** Makes a session and returns what its cookie carries. */
export async function openSession(tx: Tx, userId: UserId, entry: Entry, now: Date): Promise<string> {
  const token = newToken();
  await tx.query(
    `INSERT INTO user_sessions (id, user_id, token, created_at, seen_at, expires_at, proved_at, factor_at, address,
       user_agent)
     VALUES ($1, $2, $3, $4, $4, $5, $4, $6, $7, $8)`,
    [
      newId(now),
      userId,
      tokenHash(token),
      now,
      after(now, sessionSeconds),
      entry.byFactor ? now : null,
      entry.address,
      entry.userAgent?.slice(0, longestAgent) ?? null,
    ],
  );
  return token;
}

type Row = {
  id: string;
  proved_at: Date;
  factor_at: Date | null;
  user_id: UserId;
  username: string;
  email: string | null;
  email_confirmed: boolean;
  has_password: boolean;
  has_factor: boolean;
  has_passkey: boolean;
  has_codes: boolean;
  is_frozen: boolean;
  value_currency: PriceCurrency | null;
  since: Date;
};

// One statement for each page. It writes once a minute, to prolong the session.
const findSql = `
  WITH seen AS (
    UPDATE user_sessions SET seen_at = $2
    WHERE token = $1 AND expires_at > $2 AND seen_at > $3 AND seen_at < $4)
  SELECT s.id, s.proved_at, s.factor_at, s.user_id, u.username, u.email, u.email_confirmed,
    u.password_hash IS NOT NULL AS has_password, u.frozen_at IS NOT NULL AS is_frozen,
    u.value_currency, u.created_at AS since,
    EXISTS (SELECT FROM user_factors f WHERE f.user_id = u.id AND f.confirmed_at IS NOT NULL) AS has_factor,
    EXISTS (SELECT FROM user_passkeys p WHERE p.user_id = u.id) AS has_passkey,
    EXISTS (SELECT FROM user_recovery_codes c WHERE c.user_id = u.id) AS has_codes
  FROM user_sessions s JOIN users u ON u.id = s.user_id
  WHERE s.token = $1 AND s.expires_at > $2 AND s.seen_at > $3`;

/** Who is signed in by what a cookie carries; null: nobody. */
export async function findSession(reader: Reader, token: string, now: Date): Promise<UserSession | null> {
  const { rows } = await reader.query<Row>({
    name: 'find-user-session',
    text: findSql,
    values: [tokenHash(token), now, after(now, -idleSeconds), after(now, -seenEverySeconds)],
  });
  const row = rows[0];
  if (!row) return null;
  return {
    id: row.id,
    user: {
      id: row.user_id,
      username: row.username,
      email: row.email,
      emailConfirmed: row.email_confirmed,
      hasPassword: row.has_password,
      hasFactor: row.has_factor,
      hasPasskey: row.has_passkey,
      hasRecoveryCodes: row.has_codes,
      isFrozen: row.is_frozen,
      valueCurrency: row.value_currency,
      since: row.since,
    },
    provedAt: row.proved_at,
    factorAt: row.factor_at,
  };
}

/** A session as its owner sees it in a list. */
export type ListedUserSession = {
  id: string;
  created_at: Date;
  seen_at: Date;
  address: string;
  user_agent: string | null;
};

const mostSessions = 100;

/** The valid sessions of a user, the last used first; a hundred at most. */
export async function userSessions(reader: Reader, userId: UserId, now: Date): Promise<ListedUserSession[]> {
  const { rows } = await reader.query<ListedUserSession>(
    `SELECT id, created_at, seen_at, address, user_agent FROM user_sessions
     WHERE user_id = $1 AND expires_at > $2 AND seen_at > $3 ORDER BY seen_at DESC, id DESC LIMIT $4`,
    [userId, now, after(now, -idleSeconds), mostSessions],
  );
  return rows;
}

/** Ends one session of a user; false when there is none with this id. */
export async function endUserSession(tx: Reader, userId: UserId, id: string): Promise<boolean> {
  const { rowCount } = await tx.query('DELETE FROM user_sessions WHERE user_id = $1 AND id = $2', [
    userId,
    id,
  ]);
  return rowCount === 1;
}

/** Ends the sessions of a user, except the one with the id `but`; returns how many. */
export async function endUserSessions(
  tx: Reader,
  userId: UserId,
  but: string | null = null,
): Promise<number> {
  const { rowCount } = await tx.query(
    'DELETE FROM user_sessions WHERE user_id = $1 AND id IS DISTINCT FROM $2',
    [userId, but],
  );
  return rowCount ?? 0;
}

/** Notes that the user proved again who they are, and whether by a second factor. */
export async function markProved(
  tx: Reader,
  { id }: UserSession,
  byFactor: boolean,
  now: Date,
): Promise<void> {
  await tx.query(
    `UPDATE user_sessions SET proved_at = $2, factor_at = CASE WHEN $3 THEN $2 ELSE factor_at END WHERE id = $1`,
    [id, now, byFactor],
  );
}

const freshSeconds = 600;

/** Whether the user proved who they are a short time ago. */
export function isFresh({ provedAt }: UserSession, now: Date): boolean {
  return provedAt > after(now, -freshSeconds);
}
