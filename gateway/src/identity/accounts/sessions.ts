import type { FastifyRequest } from 'fastify';
import { after, type Clock } from '../../kit/clock.ts';
import type { Database, Reader, Tx } from '../../kit/db/db.ts';
import type { AccountId } from './accounts.ts';
import type { Auth } from './auth.ts';
import { tokenHash } from './auth-storage.ts';
import { needsSecondFactorSql } from './second-factor.ts';
import { idleSeconds, seenEverySeconds } from './session-life.ts';

/** A signed-in person. */
export type Session = {
  id: string;
  account: {
    id: AccountId;
    email: string;
    name: string;
    emailVerified: boolean;
    isOperator: boolean;
    /** Made with the demo. */
    isDemo: boolean;
    hasTwoFactor: boolean;
    hasPasskey: boolean;
    /** An operator, an owner, or somebody of finance of a business with live mode; see `second-factor.ts`. */
    needsSecondFactor: boolean;
  };
  /** The person showed a second factor when they signed in, or since. */
  hasSecondFactor: boolean;
  /** When they last did so; null: never, or before that was noted. */
  factorAt: Date | null;
  /**
   * When the person last proved who they are, at sign-in or by a confirmation since: by a second factor where the account
   * has one, so that a session and a password together change no factor (contract.md#money-out).
   */
  freshAt: Date | null;
};

type SessionRow = {
  id: string;
  factor_at: Date | null;
  fresh_at: Date | null;
  account_id: AccountId;
  email: string;
  name: string;
  email_verified: boolean;
  is_operator: boolean;
  is_demo: boolean;
  two_factor_enabled: boolean;
  has_passkey: boolean;
  needs_second_factor: boolean;
  has_second_factor: boolean;
};

// One statement for each call of the dashboard. It writes once a minute, to prolong the session.
// When only this machine reaches the gateway, unused sessions of the demo do not end: people leave the demo open.
const isAlive = 's.expires_at > $2 AND (s.seen_at > $3 OR (a.is_demo AND $5::boolean))';
const find = {
  name: 'find-session',
  text: `WITH seen AS (
           UPDATE sessions s SET seen_at = $2 FROM accounts a
           WHERE s.token = $1 AND a.id = s.account_id AND ${isAlive} AND s.seen_at < $4)
         SELECT s.id, s.factor_at, CASE WHEN a.two_factor_enabled OR p.has_passkey THEN s.factor_at
             ELSE greatest(s.created_at, s.confirmed_at) END AS fresh_at,
           s.account_id, a.email, a.name, a.email_verified, a.is_operator, a.is_demo, a.two_factor_enabled,
           s.has_second_factor, p.has_passkey, ${needsSecondFactorSql('a', '$5')} AS needs_second_factor
         FROM sessions s JOIN accounts a ON a.id = s.account_id
         CROSS JOIN LATERAL (
           SELECT EXISTS (SELECT FROM passkeys WHERE account_id = a.id) AS has_passkey) p
         WHERE s.token = $1 AND ${isAlive}`,
};

/**
 * Who is signed in on a request, or null. Sessions end 30 minutes after they were last used, and 12 hours after the
 * sign-in at the latest. Throws `cookies_refused`. `isLocal`: only this machine reaches the gateway.
 */
export function createSessionLookup(
  { db, now, isLocal }: { db: Database; now: Clock; isLocal: boolean },
  auth: Auth,
): (request: FastifyRequest) => Promise<Session | null> {
  return async (request) => {
    const { session: token } = auth.cookiesOf(request);
    if (token === null) return null;
    const time = now();
    const { rows } = await db.query<SessionRow>({
      ...find,
      values: [tokenHash(token), time, after(time, -idleSeconds), after(time, -seenEverySeconds), isLocal],
    });
    return rows[0] ? sessionFrom(rows[0]) : null;
  };
}

function sessionFrom(row: SessionRow): Session {
  return {
    id: row.id,
    account: {
      id: row.account_id,
      email: row.email,
      name: row.name,
      emailVerified: row.email_verified,
      isOperator: row.is_operator,
      isDemo: row.is_demo,
      hasTwoFactor: row.two_factor_enabled,
      hasPasskey: row.has_passkey,
      needsSecondFactor: row.needs_second_factor,
    },
    hasSecondFactor: row.has_second_factor,
    factorAt: row.factor_at,
    freshAt: row.fresh_at,
  };
}

/** A session as its owner sees it in a list. */
export type ListedSession = {
  id: string;
  created_at: Date;
  seen_at: Date;
  address: string | null;
  user_agent: string | null;
};

const mostSessions = 100;

/** The valid sessions of an account with the current one, the last used first; a hundred at most. */
export async function listSessions(reader: Reader, current: Session, now: Date): Promise<ListedSession[]> {
  const { rows } = await reader.query<ListedSession>(
    `SELECT id, created_at, seen_at, address, user_agent FROM sessions
     WHERE account_id = $1 AND (id = $5 OR expires_at > $2 AND seen_at > $3)
     ORDER BY seen_at DESC, id DESC LIMIT $4`,
    [current.account.id, now, after(now, -idleSeconds), mostSessions, current.id],
  );
  return rows;
}

/** Ends one session of an account; false when the account has none with this id. */
export async function endSession(tx: Tx, accountId: string, id: string): Promise<boolean> {
  const { rowCount } = await tx.query('DELETE FROM sessions WHERE account_id = $1 AND id = $2', [
    accountId,
    id,
  ]);
  return rowCount === 1;
}

/** Ends every session of an account. */
export async function endSessions(tx: Tx, accountId: string): Promise<void> {
  await tx.query('DELETE FROM sessions WHERE account_id = $1', [accountId]);
}

/** Ends every other session of the account; returns how many. */
export async function endOtherSessions(tx: Tx, session: Session): Promise<number> {
  const { rowCount } = await tx.query('DELETE FROM sessions WHERE account_id = $1 AND id <> $2', [
    session.account.id,
    session.id,
  ]);
  return rowCount ?? 0;
}

/** Notes that the person proved again who they are; `bySecondFactor`: by a code. */
export async function markConfirmed(
  tx: Tx,
  session: Session,
  { bySecondFactor, now }: { bySecondFactor: boolean; now: Date },
): Promise<void> {
  await tx.query(
    `UPDATE sessions SET confirmed_at = $2, has_second_factor = has_second_factor OR $3,
       factor_at = CASE WHEN $3 THEN $2 ELSE factor_at END
     WHERE id = $1`,
    [session.id, now, bySecondFactor],
  );
}

/** Notes that the person of a session has shown a second factor, and when; null: before that was noted. */
export async function markSecondFactor(
  reader: Reader,
  session: { id: string } | { token: string },
  at: Date | null,
): Promise<void> {
  const [column, value] = 'id' in session ? ['id', session.id] : ['token', session.token];
  await reader.query(`UPDATE sessions SET has_second_factor = true, factor_at = $2 WHERE ${column} = $1`, [
    value,
    at,
  ]);
}

/** Deletes expired sessions, second steps, challenges and links. */
export async function forgetSessions(db: Database, now: Date): Promise<void> {
  await db.query('DELETE FROM sessions WHERE expires_at < $1', [now]);
  await db.query('DELETE FROM verifications WHERE expires_at < $1', [now]);
  await db.query('DELETE FROM account_links WHERE expires_at < $1', [now]);
}
