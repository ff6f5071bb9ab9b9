import { judgeNewPassword } from '../../identity/accounts/passwords.ts';
import { type Tx, transaction } from '../../kit/db/db.ts';
import { confirmEmail, contactOf, resetPassword } from '../../wallets/accounts/changes.ts';
import { useRecoveryCode } from '../../wallets/accounts/factors.ts';
import { limitTry, noteTry, rememberUserPlace } from '../../wallets/accounts/password-try.ts';
import { makeToken, readToken, type TokenPurpose, useToken } from '../../wallets/accounts/tokens.ts';
import { findUserIds, type UserId, usernamesOf } from '../../wallets/users.ts';
import type { View } from '../context.ts';
import { mailUser } from '../letters.ts';
import { Fault } from '../notices.ts';
import { confirmView, forgottenView, resetView } from '../views/entrance.ts';
import { originOf } from './door.ts';
import type { Exchange, Frame } from './frame.ts';
import type { EntranceDeps } from './sign-in.ts';

/** Ways back in for users who forgot their password, and the link that confirms an address. */
export function recoveryForms(frame: Frame, deps: EntranceDeps): void {
  forgottenForm(frame, deps);
  recoveryCodeForm(frame, deps);
  resetForm(frame, deps);
  confirmForm(frame, deps);
}

function filled({ field }: Exchange) {
  return { username: field('username') ?? '', token: field('token') ?? '' };
}

function newPassword({ field }: Exchange): string {
  const password = field('password');
  const refusal = judgeNewPassword(password, {});
  if (refusal) throw refusal;
  return password ?? '';
}

type NewPassword = { userId: UserId; password: string };

/** Sets the new password. A user with a second factor must still show it at the sign-in. */
async function setNewPassword(
  tx: Tx,
  { now, letters }: EntranceDeps,
  { request }: Exchange,
  { userId, password }: NewPassword,
): Promise<void> {
  const contact = await contactOf(tx, userId);
  await resetPassword(tx, { ...contact, address: request.ip }, password, now());
  await mailUser(tx, contact, letters.changed(contact, request.ip));
}

async function leadToSignIn(deps: EntranceDeps, exchange: Exchange, userId: UserId) {
  const { request, reply, cookies } = exchange;
  if (cookies.device !== null) await rememberUserPlace(deps, userId, originOf(request, cookies));
  deps.door.expire(reply, 'session', 'step');
  const username = (await usernamesOf(deps.db, [userId])).get(userId) ?? '';
  return { to: 'sign-in', query: { username }, notice: 'resetDone' } as const;
}

/** The user of a link that was mailed, without using it; null: it is no longer good, which the page says at once. */
async function linkedUser(
  { db, now }: EntranceDeps,
  { field }: Exchange,
  purpose: TokenPurpose,
): Promise<{ username: string } | null> {
  const token = await readToken(db, purpose, field('token') ?? '', now());
  if (!token?.userId) return null;
  return { username: (await usernamesOf(db, [token.userId])).get(token.userId) ?? '' };
}

function forgottenForm(frame: Frame, { db, guards, now, letters }: EntranceDeps): void {
  frame.page('forgotten', async ({ context }) => forgottenView(context));
  frame.form(
    'forgotten',
    async ({ field, request }) => {
      const username = field('username') ?? '';
      await guards.creating(request, 'forgotten');
      const userId = (await findUserIds(db, [username])).get(username);
      const contact = userId && (await contactOf(db, userId));
      if (contact && contact.email !== null && (await guards.mayMail(contact.email, 'reset'))) {
        const token = await makeToken(db, 'reset_password', { userId, value: contact.email }, now());
        await mailUser(db, contact, letters.reset(contact, token));
      }
      return { to: 'forgotten', notice: 'forgottenMailed' };
    },
    (exchange) => forgottenView(exchange.context, filled(exchange)),
  );
}

function recoveryCodeForm(frame: Frame, deps: EntranceDeps): void {
  frame.form(
    'recover',
    async (exchange) => {
      const { field, request, cookies } = exchange;
      const username = field('username') ?? '';
      const password = newPassword(exchange);
      const id = (await findUserIds(deps.db, [username])).get(username) ?? null;
      const tried = { id, username };
      const attempt = await limitTry(deps, tried, originOf(request, cookies), 'code');
      const isRight = await transaction(deps.db, async (tx) => {
        if (id === null || !(await useRecoveryCode(tx, id, field('code') ?? ''))) return false;
        await setNewPassword(tx, deps, exchange, { userId: id, password });
        return true;
      });
      if (!isRight || id === null) {
        noteTry(deps, tried, request.ip, { action: 'failed to sign in', detail: 'recovery code' });
        throw new Fault('faultCode', 403);
      }
      await attempt.succeeded();
      return await leadToSignIn(deps, exchange, id);
    },
    (exchange) => forgottenView(exchange.context, filled(exchange), true),
  );
}

function resetForm(frame: Frame, deps: EntranceDeps): void {
  const { db, guards, now } = deps;

  async function show(exchange: Exchange): Promise<View> {
    const user = await linkedUser(deps, exchange, 'reset_password');
    return resetView(exchange.context, { ...filled(exchange), ...user }, user !== null);
  }

  frame.page('reset', show);
  frame.form(
    'reset',
    async (exchange) => {
      const attempt = await guards.unnamed(exchange.request, 'reset');
      const password = newPassword(exchange);
      const userId = await transaction(db, async (tx) => {
        const used = await useToken(tx, 'reset_password', exchange.field('token') ?? '', now());
        if (used?.userId) await setNewPassword(tx, deps, exchange, { userId: used.userId, password });
        return used?.userId ?? null;
      });
      if (!userId) throw new Fault('faultLink', 400);
      await attempt.succeeded();
      return await leadToSignIn(deps, exchange, userId);
    },
    show,
  );
}

function confirmForm(frame: Frame, deps: EntranceDeps): void {
  const { db, guards, now } = deps;

  async function show(exchange: Exchange): Promise<View> {
    const user = await linkedUser(deps, exchange, 'confirm_email');
    return confirmView(exchange.context, filled(exchange), user !== null);
  }

  frame.page('confirm', show);
  frame.form(
    'confirm',
    async (exchange) => {
      const attempt = await guards.unnamed(exchange.request, 'reset');
      const isGood = await transaction(db, (tx) => confirmEmail(tx, exchange.field('token') ?? '', now()));
      if (!isGood) throw new Fault('faultLink', 400);
      await attempt.succeeded();
      return { to: exchange.session ? 'account' : 'sign-in', notice: 'confirmDone' };
    },
    show,
  );
}
