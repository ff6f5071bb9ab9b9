import type { Tx } from '../kit/db/db.ts';
import type { UserId } from './users.ts';

/** Users of a higher level may do more; the first is 0. */
export const levels = [0, 1, 2, 3] as const;
export type Level = (typeof levels)[number];

/** What operators decided about a user. */
export type Standing = { id: UserId; username: string; level: Level; isFrozen: boolean };

/**
 * Locks users until the end of the transaction, in the order of their ids; ids of nobody are left out. Code that takes
 * money out of wallets locks payments and payouts before this, and accounts after it. So the transactions of a user come
 * one after the other, and a freeze holds for each that begins after it.
 */
export async function lockUsers(tx: Tx, ids: readonly UserId[]): Promise<Map<UserId, Standing>> {
  const { rows } = await tx.query<Standing>(
    `SELECT id, username, level, frozen_at IS NOT NULL AS "isFrozen" FROM users
     WHERE id = ANY ($1) ORDER BY id FOR NO KEY UPDATE`,
    [ids],
  );
  return new Map(rows.map((row) => [row.id, row]));
}

/** The same for one user, who is there. */
export async function lockUser(tx: Tx, id: UserId): Promise<Standing> {
  const user = (await lockUsers(tx, [id])).get(id);
  if (!user) throw new Error(`No user ${id}`);
  return user;
}
