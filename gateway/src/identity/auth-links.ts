import type { FastifyRequest } from 'fastify';
import { Type } from 'typebox';
import { isUniqueViolation, type Tx, transaction } from '../kit/db.ts';
import { refuse } from '../kit/errors.ts';
import { recordAccountEvent, warnOwner } from './account-events.ts';
import { accountByEmail, accountEmail, claimAccount, isAccountEmail } from './accounts.ts';
import { callAuth } from './auth-call.ts';
import { type AuthRoutesDeps, openCalls } from './auth-open.ts';
import { verificationValue } from './auth-storage.ts';
import { identityErrors } from './errors.ts';
import { judgeNewPassword } from './passwords.ts';

const ForgottenBody = Type.Object({ email: Type.String({ format: 'email', maxLength: 254 }) });
const Token = Type.String({ maxLength: 2000 });
const ResetBody = Type.Object({ token: Token, new_password: Type.String({ maxLength: 1000 }) });
const ConfirmBody = Type.Object({ token: Token });

/** What the links in mails are for: a new password, and the confirmation of an address. */
export function linkRoutes(deps: AuthRoutesDeps): void {
  const { db, guards, auth, now } = deps;
  const post = openCalls(deps);

  post('/password/forgotten', ForgottenBody, async (input, exchange) => {
    const email = input.email.toLowerCase();
    guards.signIn(exchange.request, email);
    guards.mail(email, 'link');
    await callAuth(auth, 'requestPasswordReset', exchange, { body: { email } });
    return { message: 'If there is an account with this address, a mail is on its way', data: null };
  });

  post(
    '/password/reset',
    ResetBody,
    async ({ token, new_password }, exchange) => {
      guards.signIn(exchange.request, `link ${token.slice(0, 100)}`);
      const accountId = await verificationValue(db, `reset-password:${token}`);
      if (accountId === null) throw refuse(identityErrors.link_expired);
      await transaction(db, (tx) => claimAccount(tx, accountId));
      await callAuth(auth, 'resetPassword', exchange, { body: { token, newPassword: new_password } });
      await transaction(db, async (tx) => {
        await recordAccountEvent(tx, exchange.request, { accountId, action: 'reset the password' }, now());
        await warnOwner(tx, exchange.request, await accountEmail(tx, accountId), 'the password was reset');
      });
      return { message: 'Password changed: sign in with it', data: null };
    },
    { new_password: judgeNewPassword },
  );

  post('/email/confirm', ConfirmBody, async ({ token }, exchange) => {
    const { email, updateTo = null } = claimsOf(token);
    // better-auth would sign in whoever holds the link of a changed address, past the second step.
    if (updateTo !== null && !(await deps.sessionOf(exchange.request)))
      throw refuse(identityErrors.not_signed_in);
    const account = await accountByEmail(db, email);
    await callAuth(auth, 'verifyEmail', exchange, { query: { token } }).catch((error: unknown) => {
      throw isUniqueViolation(error) ? refuse(identityErrors.link_expired) : error;
    });
    if (account) {
      await transaction(db, (tx) => noteConfirmed(tx, exchange.request, account, { email, updateTo }, now()));
    }
    return { message: 'E-mail address confirmed', data: { email: updateTo ?? email } };
  });
}

async function noteConfirmed(
  tx: Tx,
  request: FastifyRequest,
  account: { id: string; emailVerified: boolean },
  { email, updateTo }: { email: string; updateTo: string | null },
  now: Date,
): Promise<void> {
  const accountId = account.id;
  if (updateTo !== null) {
    const change = { action: 'changed the e-mail address', before: { email }, after: { email: updateTo } };
    await recordAccountEvent(tx, request, { accountId, ...change }, now);
    await warnOwner(tx, request, email, `the e-mail address was changed to ${updateTo}`);
  } else if (!account.emailVerified) {
    await recordAccountEvent(tx, request, { accountId, action: 'confirmed the e-mail address' }, now);
  }
}

type Claims = { email: string; updateTo?: string };

/** What a link says, before anybody has checked its signature. */
function claimsOf(token: string): Claims {
  try {
    const claims = JSON.parse(Buffer.from(token.split('.')[1] ?? '', 'base64url').toString('utf8')) as Claims;
    if (typeof claims.email === 'string' && isAccountEmail(claims.email)) return claims;
  } catch {
    // Not a link of ours.
  }
  throw refuse(identityErrors.link_expired);
}
