import type { FastifyRequest } from 'fastify';
import { Type } from 'typebox';
import { isUniqueViolation, type Tx, transaction } from '../../kit/db/db.ts';
import { refuse } from '../../kit/errors.ts';
import { Nothing } from '../../kit/http/answers.ts';
import { changeAddress, changePassword, claimAccount, confirmAddress } from '../accounts/accounts.ts';
import { askReset } from '../accounts/asked-resets.ts';
import { forgetPlacesOf } from '../accounts/known-places.ts';
import { type Link, useLink } from '../accounts/links.ts';
import { judgeNewPassword } from '../accounts/passwords.ts';
import { endSessions } from '../accounts/sessions.ts';
import { identityErrors } from '../errors.ts';
import { recordAccountEvent, warnOwner } from './account-events.ts';
import { ConfirmedAddress } from './answers/account.ts';
import { type AuthRoutesDeps, openCalls } from './sign-in/auth-open.ts';
import { rememberHere } from './sign-in/sign-in-tries.ts';

const ForgottenBody = Type.Object({ email: Type.String({ format: 'email', maxLength: 254 }) });
const Token = Type.String({ maxLength: 2000 });
const ResetBody = Type.Object({ token: Token, new_password: Type.String({ maxLength: 1000 }) });
const ConfirmBody = Type.Object({ token: Token });

/** The links in mails: a new password, and the confirmation of an address. */
export function linkRoutes(deps: AuthRoutesDeps): void {
  const { db, guards, now } = deps;
  const post = openCalls(deps);

  post('/password/forgotten', { body: ForgottenBody, answer: Nothing }, async (input, { request }) => {
    const email = input.email.toLowerCase();
    await guards.creating(request, 'forgotten');
    // The same statements for each address, and the same answer where too many were asked for.
    if (await guards.mayMail(email, 'reset')) await askReset(db, email, now());
    return { message: 'If there is an account with this address, a mail is on its way', data: null };
  });

  post(
    '/password/reset',
    { body: ResetBody, judges: { new_password: judgeNewPassword }, answer: Nothing },
    async ({ token, new_password }, exchange) => {
      const { request } = exchange;
      const attempt = await guards.unnamed(request, 'reset');
      await transaction(db, async (tx) => {
        const link = await useLink(tx, token, ['reset_password'], now());
        if (!link) throw refuse(identityErrors.link_expired);
        const { accountId, email } = link;
        await claimAccount(tx, accountId);
        await changePassword(tx, accountId, new_password, now());
        await endSessions(tx, accountId);
        // The owner of the mailbox may sign in from here, however many tries of strangers fail.
        await forgetPlacesOf(tx, accountId);
        await rememberHere(tx, deps, exchange, accountId);
        await recordAccountEvent(tx, request, { accountId, action: 'reset the password' }, now());
        await warnOwner(tx, request, email, 'the password was reset');
      });
      await attempt.succeeded();
      return { message: 'Password changed: sign in with it', data: null };
    },
  );

  post('/email/confirm', { body: ConfirmBody, answer: ConfirmedAddress }, async ({ token }, { request }) => {
    const session = await deps.sessionOf(request);
    const email = await transaction(db, async (tx) => {
      const link = await useLink(tx, token, ['confirm_address', 'change_address'], now());
      if (!link) throw refuse(identityErrors.link_expired);
      if (link.newEmail === null) return await confirm(tx, request, link, now());
      // Reading the new mailbox does not sign anybody in.
      if (!session) throw refuse(identityErrors.not_signed_in);
      if (session.account.id !== link.accountId) throw refuse(identityErrors.link_expired);
      return await change(tx, request, { ...link, newEmail: link.newEmail }, now());
    }).catch((error: unknown) => {
      throw isUniqueViolation(error, 'accounts_email_key') ? refuse(identityErrors.link_expired) : error;
    });
    return { message: 'E-mail address confirmed', data: { email } };
  });
}

async function confirm(
  tx: Tx,
  request: FastifyRequest,
  { accountId, email }: Link,
  now: Date,
): Promise<string> {
  if (await confirmAddress(tx, accountId, now)) {
    await recordAccountEvent(tx, request, { accountId, action: 'confirmed the e-mail address' }, now);
  }
  return email;
}

async function change(
  tx: Tx,
  request: FastifyRequest,
  { accountId, email, newEmail }: Link & { newEmail: string },
  now: Date,
): Promise<string> {
  await changeAddress(tx, accountId, newEmail, now);
  const event = { action: 'changed the e-mail address', before: { email }, after: { email: newEmail } };
  await recordAccountEvent(tx, request, { accountId, ...event }, now);
  await warnOwner(tx, request, email, `the e-mail address was changed to ${newEmail}`);
  return newEmail;
}
