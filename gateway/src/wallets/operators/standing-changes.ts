import type { Tx } from '../../kit/db/db.ts';
import { refuse } from '../../kit/errors.ts';
import { walletErrors } from '../errors.ts';
import { recordNotices } from '../notices.ts';
import { type Level, lockUsers, type Standing } from '../standing.ts';
import type { UserId } from '../users.ts';

/**
 * Freezes a wallet: nothing is sent, paid or withdrawn from it any more, what is under way goes on, and what comes is
 * booked. The reason is the operators' alone; the user is told that it is so. Throws `user_not_found`, `frozen_already`.
 */
export async function freezeUser(tx: Tx, id: UserId, why: string, now: Date): Promise<Standing> {
  const user = await lockKnown(tx, id);
  if (user.isFrozen) throw refuse(walletErrors.frozen_already);
  await tx.query('UPDATE users SET frozen_at = $2, frozen_why = $3 WHERE id = $1', [id, now, why]);
  await recordNotices(tx, [{ userId: id, mode: null, kind: 'frozen' }], now);
  return user;
}

/** Ends that; returns the reason that there was. Throws `user_not_found`, `not_frozen`. */
export async function unfreezeUser(tx: Tx, id: UserId, now: Date): Promise<string> {
  const user = await lockKnown(tx, id);
  if (!user.isFrozen) throw refuse(walletErrors.not_frozen);
  const { rows } = await tx.query<{ why: string }>(
    `UPDATE users u SET frozen_at = NULL, frozen_why = NULL
     FROM (SELECT frozen_why AS why FROM users WHERE id = $1) was WHERE u.id = $1 RETURNING was.why`,
    [id],
  );
  await recordNotices(tx, [{ userId: id, mode: null, kind: 'unfrozen' }], now);
  return rows[0]?.why ?? '';
}

/** Sets a user's level, and tells the user where it is another one. Returns the level before. Throws `user_not_found`. */
export async function setLevel(tx: Tx, id: UserId, level: Level, now: Date): Promise<Level> {
  const user = await lockKnown(tx, id);
  if (user.level === level) return level;
  await tx.query('UPDATE users SET level = $2 WHERE id = $1', [id, level]);
  await recordNotices(tx, [{ userId: id, mode: null, kind: 'level', other: `${level}` }], now);
  return user.level;
}

async function lockKnown(tx: Tx, id: UserId): Promise<Standing> {
  const user = (await lockUsers(tx, [id])).get(id);
  if (!user) throw refuse(walletErrors.user_not_found);
  return user;
}
