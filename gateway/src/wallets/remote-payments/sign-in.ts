import { hash } from 'node:crypto';
import { type Origin, rememberPlace } from '../../identity/accounts/known-places.ts';
import { transaction } from '../../kit/db/db.ts';
import { limitTry, noteTry, type TryDeps } from '../accounts/password-try.ts';
import type { PayOutcome, RemotePayer } from './pay.ts';

/** Outcomes that the other system only gives after it took the password. */
const proving: ReadonlySet<PayOutcome> = new Set(['paid', 'checking', 'too_late', 'insufficient_balance']);

/**
 * Limits tries to pay as a user of another system, by name and address, as tries to sign in here. A try that the other
 * system did not answer says nothing about its password, and is not counted. Throws `rate_limited`, or what `pay` throws.
 */
export async function payWithinLimits(
  deps: TryDeps,
  { username }: Pick<RemotePayer, 'username'>,
  origin: Origin,
  pay: () => Promise<PayOutcome>,
): Promise<{ outcome: PayOutcome; isProved: boolean }> {
  const elsewhere = standInOf(username);
  const tried = { id: null, username, elsewhere };
  const attempt = await limitTry(deps, tried, origin, 'wallet');
  const outcome = await pay().catch(async (error: unknown) => {
    await attempt.succeeded();
    throw error;
  });
  if (outcome === 'wrong_credentials') {
    noteTry(deps, tried, origin.ip, { action: 'failed to sign in', detail: 'wallet' });
    return { outcome, isProved: false };
  }
  await attempt.succeeded();
  return { outcome, isProved: proving.has(outcome) };
}

/** Notes that a user of another system proved there who they are. */
export async function rememberPayer(
  { db, now }: Pick<TryDeps, 'db' | 'now'>,
  { username }: Pick<RemotePayer, 'username'>,
  origin: Origin,
): Promise<void> {
  await transaction(db, async (tx) => {
    await rememberPlace(tx, standInOf(username), origin, now());
  });
}

/** An id that is always the same for a name, however it is spelled: limits and places need no name. */
function standInOf(username: string): string {
  const name = username.normalize('NFKC').toLowerCase().replaceAll(/\s/g, '');
  const digits = hash('sha256', `user elsewhere ${name}`).slice(0, 32);
  return digits.replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5');
}
