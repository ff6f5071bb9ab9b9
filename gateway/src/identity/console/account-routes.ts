import { Type } from 'typebox';
import { transaction } from '../../kit/db/db.ts';
import { kitErrors, refuse } from '../../kit/errors.ts';
import { Nothing } from '../../kit/http/answers.ts';
import { fieldReader, nameField } from '../../kit/http/fields.ts';
import { isUuid } from '../../kit/ids.ts';
import { accountByEmail, judgeAccountEmail, passwordHashOf } from '../accounts/accounts.ts';
import { mailLink } from '../accounts/links.ts';
import { plainCode } from '../accounts/one-time-code.ts';
import { isPassword, judgeNewPassword } from '../accounts/passwords.ts';
import { endOtherSessions, endSession, listSessions, markConfirmed } from '../accounts/sessions.ts';
import { identityErrors } from '../errors.ts';
import { noteMethodChange, subjectOf, withCode } from './account-events.ts';
import { passkeyRoutes } from './account-passkeys.ts';
import { twoFactorRoutes } from './account-two-factor.ts';
import { Ended, Named, SessionPage } from './answers/account.ts';
import type { Console } from './console.ts';
import { noteCall } from './security-watch.ts';
import { asOwner, callAuth } from './sign-in/auth-call.ts';
import type { AuthRoutesDeps } from './sign-in/auth-open.ts';
import { rememberHere } from './sign-in/sign-in-tries.ts';

const readName = fieldReader(Type.Object({ name: nameField(100) }));
const readEmail = fieldReader(Type.Object({ email: Type.String() }), { email: judgeAccountEmail });
const Secret = Type.String({ maxLength: 1000 });
const readPasswords = fieldReader(Type.Object({ current_password: Secret, new_password: Secret }), {
  new_password: judgeNewPassword,
});
const readProof = fieldReader(
  Type.Object({
    password: Type.Optional(Secret),
    code: Type.Optional(Type.String({ maxLength: 30, format: 'text' })),
  }),
);

/** What signed-in people do with their own account. */
export function accountRoutes(dashboard: Console, deps: AuthRoutesDeps): void {
  profileRoutes(dashboard, deps);
  sessionRoutes(dashboard, deps);
  twoFactorRoutes(dashboard, deps);
  passkeyRoutes(dashboard, deps);
}

function profileRoutes(dashboard: Console, { db, guards, auth, now }: AuthRoutesDeps): void {
  dashboard.write(
    'POST',
    'account',
    '/name',
    { answer: Named },
    async (tx, { session: { account }, body }) => {
      const { name } = readName(body);
      await tx.query('UPDATE accounts SET name = $2 WHERE id = $1', [account.id, name]);
      const change = { action: 'changed the name', before: { name: account.name }, after: { name } };
      return { message: 'Name changed', data: { name }, change: { ...change, subject: subjectOf(account) } };
    },
  );

  dashboard.act('POST', 'account', '/email', { fresh: true, answer: Nothing }, async (call) => {
    const { account } = call.session;
    const newEmail = readEmail(call.body).email.toLowerCase();
    if (newEmail === account.email) throw refuse(identityErrors.address_unchanged);
    await guards.rare(call.request, `e-mail of ${account.id}`);
    const mayMail = await guards.mayMail(newEmail, 'change');
    await transaction(db, async (tx) => {
      // The answer is the same for a taken address, so that it does not show who has an account.
      if (!mayMail || (await accountByEmail(tx, newEmail))) return;
      const link = {
        accountId: account.id,
        purpose: 'change_address',
        email: account.email,
        newEmail,
      } as const;
      await mailLink(tx, auth.baseUrl, link, now());
    });
    return { message: 'Confirm the new address by the link that was sent there', data: null };
  });

  dashboard.act(
    'POST',
    'account',
    '/email/send-again',
    { unproven: 'always', answer: Nothing },
    async (call) => {
      const { id: accountId, email, emailVerified } = call.session.account;
      await guards.rare(call.request, `e-mail of ${accountId}`);
      if (emailVerified) throw refuse(identityErrors.address_confirmed);
      await guards.mail(email, 'confirm');
      const link = { accountId, purpose: 'confirm_address', email, newEmail: null } as const;
      await transaction(db, (tx) => mailLink(tx, auth.baseUrl, link, now()));
      return { message: 'Mail sent', data: null };
    },
  );

  // The new session is fresh, so a password must not be enough where a second factor is on.
  dashboard.act('POST', 'account', '/password', { fresh: true, answer: Nothing }, async (call, record) => {
    const input = readPasswords(call.body);
    const attempt = await guards.bySession(call.session, 'password');
    const passwords = { currentPassword: input.current_password, newPassword: input.new_password };
    await callAuth(auth, 'changePassword', call, {
      ...asOwner(call),
      body: { ...passwords, revokeOtherSessions: true },
    });
    await attempt.succeeded();
    const note = { action: 'changed the password', warning: 'the password was changed' };
    await noteMethodChange(db, call, record, note);
    return { message: 'Password changed, and other sessions ended', data: null };
  });
}

function sessionRoutes(dashboard: Console, deps: AuthRoutesDeps): void {
  const { db, guards, auth, now } = deps;

  dashboard.get('account', '/sessions', { answer: SessionPage }, async ({ session }) => {
    const sessions = await listSessions(db, session, now());
    const items = sessions.map((each) => ({ ...each, current: each.id === session.id }));
    return { message: 'Sessions', data: { items, next_cursor: null } };
  });

  dashboard.write(
    'DELETE',
    'account',
    '/sessions/:session',
    { fresh: true, answer: Nothing },
    async (tx, { session, params }) => {
      const { account } = session;
      const id = params.session ?? '';
      if (!isUuid(id) || !(await endSession(tx, account.id, id))) throw refuse(kitErrors.not_found);
      const change = { action: 'ended a session', subject: subjectOf(account), before: { session: id } };
      return { message: 'Session ended', data: null, change };
    },
  );

  const ending = { fresh: true, answer: Ended } as const;
  dashboard.write('POST', 'account', '/sessions/end-others', ending, async (tx, { session }) => {
    const ended = await endOtherSessions(tx, session);
    const change = {
      action: 'ended the other sessions',
      subject: subjectOf(session.account),
      after: { ended },
    };
    return { message: 'Other sessions ended', data: { ended }, change: ended > 0 ? change : null };
  });

  // With two-factor sign-in a password is not enough: somebody may have seen it.
  dashboard.act('POST', 'account', '/confirm', { unproven: 'always', answer: Nothing }, async (call) => {
    const { account } = call.session;
    const { password, code } = readProof(call.body);
    const attempt = await guards.bySession(call.session, 'confirm');
    if (account.hasTwoFactor) {
      if (code === undefined) throw refuse(identityErrors.code_needed);
      const body = { code: plainCode(code) };
      await withCode(deps, call.request, { ...account, ...body }, () =>
        callAuth(auth, 'verifyTOTP', call, { ...asOwner(call), body }),
      );
    } else if (account.hasPasskey) {
      // The passkey is the second factor. To be fresh, the person signs in by it.
      throw refuse(identityErrors.second_factor_unshown);
    } else {
      const hash = await passwordHashOf(db, account.id);
      if (hash === null || password === undefined || !(await isPassword(hash, password))) {
        throw refuse(identityErrors.password_wrong);
      }
    }
    await attempt.succeeded();
    await transaction(db, async (tx) => {
      await markConfirmed(tx, call.session, { bySecondFactor: account.hasTwoFactor, now: now() });
      await rememberHere(tx, deps, call, account.id);
    });
    noteCall(deps.securityLog, call.request, { action: 'confirmed who they are', detail: null });
    return { message: 'Confirmed', data: null };
  });
}
