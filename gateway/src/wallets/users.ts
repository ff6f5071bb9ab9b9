import { hash, verify } from '@node-rs/argon2';
import type { Reader, Tx } from '../kit/db/db.ts';
import { type Id, newId } from '../kit/ids.ts';

export type UserId = Id<'user'>;

/** Makes a user with a wallet. The password is kept as an argon2id hash. */
export async function createUser(
  tx: Tx,
  input: { username: string; password: string },
  now: Date,
): Promise<UserId> {
  const id = newId<'user'>(now);
  await tx.query('INSERT INTO users (id, username, password_hash, created_at) VALUES ($1, $2, $3, $4)', [
    id,
    input.username,
    await hash(input.password),
    now,
  ]);
  return id;
}

/** Ids of the usernames that exist. */
export async function findUserIds(reader: Reader, usernames: string[]): Promise<Map<string, UserId>> {
  const { rows } = await reader.query<{ id: UserId; username: string }>({
    name: 'find-users',
    text: 'SELECT id, username FROM users WHERE username = ANY($1)',
    values: [usernames],
  });
  return new Map(rows.map((row) => [row.username, row.id]));
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

// Verified when there is no such user, so that the answer takes as long as for one that exists.
const nobody = hash('nobody');

/** The user whose password this is, or null. */
export async function signIn(reader: Reader, username: string, password: string): Promise<UserId | null> {
  const { rows } = await reader.query<{ id: UserId; password_hash: string }>(
    'SELECT id, password_hash FROM users WHERE username = $1',
    [username],
  );
  const user = rows[0];
  const right = await verify(user?.password_hash ?? (await nobody), password);
  return user && right ? user.id : null;
}
