import { after } from '../kit/clock.ts';
import type { Reader } from '../kit/db/db.ts';
import { refuse } from '../kit/errors.ts';
import { walletErrors } from './errors.ts';
import type { UserId } from './users.ts';

declare const onlyMadeHere: unique symbol;

/** That a user has shown a second factor. Only `secondFactorShown` makes one. */
export type SecondFactor = { readonly userId: UserId; readonly at: Date; readonly [onlyMadeHere]: true };

/**
 * What a function that may need a second factor is given: the proof, or null where none was shown. It is never
 * optional, so that no caller forgets it.
 */
export type Shown = SecondFactor | null;

/** A user who moves their money, and what they have just shown. */
export type ActingUser = { userId: UserId; proof: Shown };

const shown = new WeakSet<object>();

/** To be called by the code that has just checked a second factor, or knows when it was checked. */
export function secondFactorShown(userId: UserId, at: Date): SecondFactor {
  const proof = Object.freeze({ userId, at }) as SecondFactor;
  shown.add(proof);
  return proof;
}

const goodSeconds = 5 * 60;

/** Whether a proof is this user's own, and not older than five minutes. */
export function isProved(proof: Shown, userId: UserId, now: Date): boolean {
  return proof !== null && shown.has(proof) && proof.userId === userId && after(proof.at, goodSeconds) >= now;
}

/** Throws `second_factor_required` unless it was shown. */
export function assertProved(proof: Shown, userId: UserId, now: Date): void {
  if (!isProved(proof, userId, now)) throw refuse(walletErrors.second_factor_required);
}

/** Whether a user turned a second factor on. */
export async function hasSecondFactor(reader: Reader, userId: UserId): Promise<boolean> {
  const { rowCount } = await reader.query(
    'SELECT FROM user_factors WHERE user_id = $1 AND confirmed_at IS NOT NULL',
    [userId],
  );
  return rowCount === 1;
}
