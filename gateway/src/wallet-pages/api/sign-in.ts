import { faultOfPassword } from '../../identity/accounts/passwords.ts';
import type { SecurityLog } from '../../identity/audit/security-log.ts';
import type { Guards } from '../../identity/keys/guards.ts';
import { transaction } from '../../kit/db/db.ts';
import { newId, randomBase62 } from '../../kit/ids.ts';
import type { Seal } from '../../kit/seal.ts';
import { contactOf, noteLocale, recordUserChange } from '../../wallets/accounts/changes.ts';
import { useCode } from '../../wallets/accounts/factors.ts';
import { limitTry, noteTry, rememberUserPlace, tryPassword } from '../../wallets/accounts/password-try.ts';
import { endUserSession, openSession } from '../../wallets/accounts/sessions.ts';
import { makeToken, readToken, useToken } from '../../wallets/accounts/tokens.ts';
import { isPasswordGiven, type UserId, usernamesOf } from '../../wallets/users.ts';
import { mailUser, onReuse, type WalletLetters } from '../letters.ts';
import { Fault } from '../notices.ts';
import { codeView, signInView } from '../views/entrance.ts';
import { type Door, originOf } from './door.ts';
import type { Exchange, Frame, FrameDeps, Next } from './frame.ts';

export type EntranceDeps = FrameDeps & {
  guards: Guards;
  securityLog: SecurityLog;
  seal: Seal;
  door: Door;
  letters: WalletLetters;
};

/** Signs in a user who has proved who they are: makes the session and its cookies, and warns of a new device. */
export async function enter(
  deps: EntranceDeps,
  exchange: Exchange,
  userId: UserId,
  { byFactor }: { byFactor: boolean },
): Promise<Next> {
  const { db, door, now, letters } = deps;
  const { request, reply, cookies, session, context } = exchange;
  const device = cookies.device ?? randomBase62(32);
  const userAgent = request.headers['user-agent'];
  const token = await transaction(db, async (tx) => {
    if (session) await endUserSession(tx, session.user.id, session.id);
    await noteLocale(tx, userId, context.locale);
    return await openSession(tx, userId, { address: request.ip, userAgent, byFactor }, now());
  });
  const origin = { ...originOf(request, cookies), device };
  if (await rememberUserPlace(deps, userId, origin)) {
    const contact = await contactOf(db, userId);
    const tried = { id: userId, username: contact.username };
    noteTry(deps, tried, request.ip, { action: 'signed in from a new device', detail: 'wallet' });
    await mailUser(db, contact, letters.newPlace(contact, request.ip));
  }
  door.set(reply, 'session', token);
  door.set(reply, 'device', device);
  door.expire(reply, 'step');
  return context.next ?? { to: '' };
}

/** Signing in by password and code, and out again. */
export function signInForms(frame: Frame, deps: EntranceDeps): void {
  const { db, door, now, seal } = deps;
  const filled = ({ field }: Exchange) => ({ username: field('username') ?? '' });

  frame.page('sign-in', async (exchange) => signInView(exchange.context, filled(exchange)));
  frame.form(
    'sign-in',
    async (exchange) => {
      const { field, request, reply, cookies } = exchange;
      const form = { username: field('username') ?? '', password: field('password') ?? '' };
      const userId = await tryPassword(deps, form, originOf(request, cookies));
      if (!userId) throw new Fault('faultSignIn', 401);
      if (faultOfPassword(form.password) !== null || (await isPasswordGiven(db, userId))) {
        const token = await makeToken(db, 'reset_password', { userId, value: newId(now()) }, now());
        return { to: 'reset', query: { token }, notice: 'passwordWeak' };
      }
      const { rowCount: hasFactor } = await db.query(
        'SELECT FROM user_factors WHERE user_id = $1 AND confirmed_at IS NOT NULL',
        [userId],
      );
      if (hasFactor === 0) return await enter(deps, exchange, userId, { byFactor: false });
      const token = await makeToken(db, 'second_step', { userId, value: newId(now()) }, now());
      door.set(reply, 'step', token);
      return { to: 'code' };
    },
    (exchange) => signInView(exchange.context, filled(exchange)),
  );

  frame.page('code', async ({ context, cookies }) =>
    cookies.step === null ? { to: 'sign-in' } : codeView(context),
  );
  frame.form(
    'code',
    async (exchange) => {
      const { field, cookies, request, reply } = exchange;
      const step = cookies.step === null ? null : await readToken(db, 'second_step', cookies.step, now());
      const userId = step?.userId;
      if (!step || !userId) {
        door.expire(reply, 'step');
        throw new Fault('faultLate', 401);
      }
      const username = (await usernamesOf(db, [userId])).get(userId) ?? '';
      const tried = { id: userId, username };
      const attempt = await limitTry(deps, tried, originOf(request, cookies), 'code');
      const proof = await transaction(db, async (tx) => {
        const reuse = { now: now(), onReuse: onReuse(deps.letters, userId, request.ip) };
        const taken = await useCode(tx, seal, { userId, code: field('code') ?? '' }, reuse);
        if (taken && !(await useToken(tx, 'second_step', cookies.step ?? '', now()))) return null;
        if (taken === 'recovery') {
          const changer = { id: userId, username, address: request.ip };
          await recordUserChange(tx, changer, { action: 'signed in with a recovery code' }, now());
        }
        return taken;
      });
      if (!proof) {
        noteTry(deps, tried, request.ip, { action: 'failed the second step of a sign-in', detail: 'wallet' });
        throw new Fault('faultCode', 403);
      }
      await attempt.succeeded();
      return await enter(deps, exchange, userId, { byFactor: true });
    },
    ({ context, cookies }) => (cookies.step === null ? signInView(context) : codeView(context)),
  );

  frame.form(
    'sign-out',
    async ({ session, reply }) => {
      if (session) await endUserSession(db, session.user.id, session.id);
      door.expire(reply, 'session', 'step');
      return { to: 'sign-in' };
    },
    ({ context }) => signInView(context),
  );
}
