import type { Reader } from '../../kit/db/db.ts';
import type { Level } from '../standing.ts';
import type { UserId } from '../users.ts';

/** A user as operators see one in the list. */
export type UserLine = {
  id: UserId;
  username: string;
  level: Level;
  frozen_at: Date | null;
  created_at: Date;
};

/** Users whose name contains `search` in any case, the newest first. */
export async function searchUsers(
  reader: Reader,
  {
    search,
    isFrozen,
    before,
    limit,
  }: { search: string; isFrozen: boolean; before: string | null; limit: number },
): Promise<UserLine[]> {
  const { rows } = await reader.query<UserLine>(
    `SELECT id, username, level, frozen_at, created_at FROM users
     WHERE strpos(lower(username), lower($1)) > 0 AND (NOT $2 OR frozen_at IS NOT NULL)
       AND ($3::uuid IS NULL OR id < $3)
     ORDER BY id DESC LIMIT $4`,
    [search, isFrozen, before, limit],
  );
  return rows;
}

export type UserDetail = UserLine & { frozen_why: string | null; has_second_factor: boolean };

/** One user; null: there is none. */
export async function userDetail(reader: Reader, id: string): Promise<UserDetail | null> {
  const { rows } = await reader.query<UserDetail>(
    `SELECT id, username, level, frozen_at, frozen_why, created_at,
       EXISTS (SELECT FROM user_factors WHERE user_id = users.id AND confirmed_at IS NOT NULL) AS has_second_factor
     FROM users WHERE id = $1`,
    [id],
  );
  return rows[0] ?? null;
}
