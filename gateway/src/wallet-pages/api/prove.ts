import { transaction } from '../../kit/db/db.ts';
import { useCode } from '../../wallets/accounts/factors.ts';
import { noteTry } from '../../wallets/accounts/password-try.ts';
import { isFresh, markProved, type UserSession } from '../../wallets/accounts/sessions.ts';
import { isProved, type Shown, secondFactorShown } from '../../wallets/second-factor.ts';
import { isPasswordOf } from '../../wallets/users.ts';
import { onReuse } from '../letters.ts';
import { Fault } from '../notices.ts';
import type { OwnExchange } from './frame.ts';
import type { EntranceDeps } from './sign-in.ts';

// A user who changes how they sign in, or moves money, must confirm who they are.

/** Whether the user has a second factor: an authenticator app or a passkey. */
const hasAnyFactor = ({ user }: UserSession): boolean => user.hasFactor || user.hasPasskey;

/** Whether a second factor was shown in this session in the last five minutes. */
export function isFactorRecent({ user, factorAt }: UserSession, now: Date): boolean {
  return isProved(factorAt && secondFactorShown(user.id, factorAt), user.id, now);
}

/** How a form of the account asks for the factor: by a code, or by a code or a sign-in by passkey; null: it does not. */
export function codeAskedOf(session: UserSession, now: Date): 'code' | 'code or passkey' | null {
  const { hasFactor, hasRecoveryCodes } = session.user;
  if (!hasAnyFactor(session) || isFactorRecent(session, now)) return null;
  if (hasFactor) return 'code';
  return hasRecoveryCodes ? 'code or passkey' : null;
}

/** Whether the user has shown a second factor: by a code in this form, or a short time ago. */
export async function shownBy(deps: EntranceDeps, exchange: OwnExchange): Promise<Shown> {
  const { db, guards, now, seal, letters } = deps;
  const { session, field, request } = exchange;
  const { user } = session;
  const code = field('code');
  if (!code || !hasAnyFactor(session))
    return session.factorAt && secondFactorShown(user.id, session.factorAt);
  const attempt = await guards.bySession(session, 'two-factor');
  const reuse = { now: now(), onReuse: onReuse(letters, user.id, request.ip) };
  const isRight = await transaction(db, async (tx) => {
    if (!(await useCode(tx, seal, { userId: user.id, code }, reuse))) return false;
    await markProved(tx, session, true, now());
    return true;
  });
  if (!isRight) {
    noteTry(deps, user, request.ip, { action: 'failed to confirm who they are', detail: 'wallet' });
    throw new Fault('faultCode', 403);
  }
  await attempt.succeeded();
  return secondFactorShown(user.id, now());
}

/**
 * To be called before a change of how a user signs in. Needs the password, and from a user with an authenticator app or a
 * passkey also that, shown in this session within the last five minutes (contract.md#money-out). Throws a fault of 403.
 */
export async function proveChange(deps: EntranceDeps, exchange: OwnExchange): Promise<void> {
  await provePassword(deps, exchange);
  await proveFactor(deps, exchange);
}

async function provePassword(deps: EntranceDeps, { session, field, request }: OwnExchange): Promise<void> {
  const { db, guards, now } = deps;
  const { user } = session;
  if (!user.hasPassword) {
    if (!hasAnyFactor(session) && !isFresh(session, now())) throw new Fault('faultFresh', 403);
    return;
  }
  const attempt = await guards.bySession(session, 'confirm');
  if (!(await isPasswordOf(db, user.id, field('current') ?? ''))) {
    noteTry(deps, user, request.ip, { action: 'failed to confirm who they are', detail: 'wallet' });
    throw new Fault('faultPassword', 403);
  }
  await attempt.succeeded();
  await markProved(db, session, false, now());
}

/** Needs only the second factor, if there is one. */
export async function proveFactor(deps: EntranceDeps, exchange: OwnExchange): Promise<void> {
  const { session } = exchange;
  if (!hasAnyFactor(session)) return;
  const proof = await shownBy(deps, exchange);
  if (isProved(proof, session.user.id, deps.now())) return;
  throw new Fault(session.user.hasFactor ? 'faultFactor' : 'faultFresh', 403);
}
