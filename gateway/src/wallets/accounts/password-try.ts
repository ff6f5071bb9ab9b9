import { hash } from 'node:crypto';
import { knownPlace, type Origin, rememberPlace } from '../../identity/accounts/known-places.ts';
import type { SecurityEvent, SecurityLog } from '../../identity/audit/security-log.ts';
import type { Guards } from '../../identity/keys/guards.ts';
import type { Clock } from '../../kit/clock.ts';
import { type Database, transaction } from '../../kit/db/db.ts';
import { clientKey } from '../../kit/net/client-address.ts';
import { foldedName } from '../user-names.ts';
import { findUserIds, isPasswordOf, type UserId } from '../users.ts';

export type TryDeps = { db: Database; guards: Pick<Guards, 'signIn'>; securityLog: SecurityLog; now: Clock };

/**
 * Whose secret is tried; `id` is null where there is no such user here. `elsewhere` stands for a user of another system,
 * whether there is one or not.
 */
export type Tried = { id: UserId | null; username: string; elsewhere?: string };

/** Notes in the security log what happened at a sign-in; a name that nobody has is not written down. */
export function noteTry(
  { securityLog }: Pick<TryDeps, 'securityLog'>,
  { id, username }: Tried,
  ip: string,
  event: Pick<SecurityEvent, 'action' | 'detail'>,
): void {
  const actor = { kind: 'stranger', id: null, name: id === null ? 'somebody' : username } as const;
  const subject = id === null ? { kind: 'address', id: clientKey(ip) } : { kind: 'user', id };
  securityLog.note({ ...event, actor, subject, address: ip });
}

/** Counts a try as a failure until it succeeds; throws `rate_limited`. `purpose`: whether a password or a code is tried. */
export async function limitTry(
  deps: TryDeps,
  tried: Tried,
  origin: Origin,
  purpose: 'wallet' | 'code',
): Promise<{ succeeded(): Promise<void> }> {
  const owner = tried.id ?? tried.elsewhere ?? null;
  const place = await knownPlace(deps.db, owner, origin);
  const account = owner ?? nobodysName(tried.username);
  return await deps.guards.signIn(origin, purpose, { account, knownPlace: place }).catch((error: unknown) => {
    noteTry(deps, tried, origin.ip, { action: 'reached a limit', detail: 'wallet' });
    throw error;
  });
}

/** A limit's key for a name that no user has, however long it is. */
function nobodysName(username: string): string {
  const name = foldedName(username);
  return name.length <= longestName ? name : hash('sha256', name);
}

const longestName = 64;

/** The user whose name and password these are, or null. Throws `rate_limited`. */
export async function tryPassword(
  deps: TryDeps,
  { username, password }: { username: string; password: string },
  origin: Origin,
): Promise<UserId | null> {
  const id = (await findUserIds(deps.db, [username])).get(username) ?? null;
  const tried = { id, username };
  const attempt = await limitTry(deps, tried, origin, 'wallet');
  const isRight = await isPasswordOf(deps.db, id, password);
  if (!isRight || id === null) {
    noteTry(deps, tried, origin.ip, { action: 'failed to sign in', detail: 'wallet' });
    return null;
  }
  await attempt.succeeded();
  return id;
}

/** Notes that a user proved there who they are; returns whether the device is new to a user who has had others. */
export async function rememberUserPlace(
  { db, now }: Pick<TryDeps, 'db' | 'now'>,
  userId: UserId,
  origin: Origin,
): Promise<boolean> {
  return await transaction(db, async (tx) => {
    const { isNew, isFirst } = await rememberPlace(tx, userId, origin, now());
    return isNew && !isFirst;
  });
}
