import { hash, verify } from '@node-rs/argon2';
import type { Reader, Tx } from '../kit/db/db.ts';
import { anyLength } from '../kit/db/sql-arrays.ts';
import { type Id, newId } from '../kit/ids.ts';
import { foldedName, lookOf } from './user-names.ts';

export type UserId = Id<'user'>;

/**
 * Makes a user with a wallet. The password is kept as an argon2id hash; null: the user signs in without one;
 * `isGiven`: the user chooses another one at the first sign-in. A unique
 * violation: there is a user with this name, or with one that looks like it.
 */
export async function createUser(
  tx: Tx,
  { username, password, isGiven = false }: { username: string; password: string | null; isGiven?: boolean },
  now: Date,
): Promise<UserId> {
  const id = newId<'user'>(now);
  await tx.query(
    `INSERT INTO users (id, username, folded, look, password_hash, password_given, created_at)
     VALUES ($1, $2, $3, $4, $5, $6, $7)`,
    [
      id,
      username,
      foldedName(username),
      lookOf(username),
      password === null ? null : await hash(password),
      isGiven,
      now,
    ],
  );
  return id;
}

/** The users of these names, by the names as asked for. A name in the same case comes before one in another case. */
export async function findUserIds(
  reader: Reader,
  usernames: readonly string[],
): Promise<Map<string, UserId>> {
  const { rows } = await reader.query<{ id: UserId; username: string; folded: string | null }>({
    name: 'find-users',
    text: `SELECT id, username, folded FROM users
           WHERE username = ANY ${anyLength('$1', 'text')} OR folded = ANY ${anyLength('$2', 'text')}`,
    values: [usernames, usernames.map(foldedName)],
  });
  const exact = new Map(rows.map((row) => [row.username, row.id]));
  const folded = new Map(rows.map((row) => [row.folded, row.id]));
  return new Map(
    usernames.flatMap((username) => {
      const id = exact.get(username) ?? folded.get(foldedName(username));
      return id === undefined ? [] : [[username, id] as const];
    }),
  );
}

/** Whether anybody has a wallet here. */
export async function hasUsers(reader: Reader): Promise<boolean> {
  const { rowCount } = await reader.query('SELECT FROM users LIMIT 1');
  return rowCount === 1;
}

/** The usernames of these users. */
export async function usernamesOf(reader: Reader, ids: string[]): Promise<Map<string, string>> {
  if (ids.length === 0) return new Map();
  const { rows } = await reader.query<{ id: string; username: string }>(
    'SELECT id, username FROM users WHERE id = ANY($1)',
    [ids],
  );
  return new Map(rows.map(({ id, username }) => [id, username]));
}

/** Whether the password was made by whoever made the user. */
export async function isPasswordGiven(reader: Reader, id: UserId): Promise<boolean> {
  const { rowCount } = await reader.query('SELECT FROM users WHERE id = $1 AND password_given', [id]);
  return rowCount === 1;
}

// Verified when there is no such user, so that the answer takes as long as for one that exists.
const nobody = hash('nobody');

/** Whether this is the user's password; it takes as long where there is no user or no password. */
export async function isPasswordOf(reader: Reader, id: UserId | null, password: string): Promise<boolean> {
  const { rows } = await reader.query<{ password_hash: string | null }>(
    'SELECT password_hash FROM users WHERE id = $1',
    [id],
  );
  const known = rows[0]?.password_hash ?? null;
  const right = await verify(known ?? (await nobody), password);
  return right && known !== null;
}
