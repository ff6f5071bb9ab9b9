import type { FastifyRequest } from 'fastify';
import { Type } from 'typebox';
import { transaction } from '../../kit/db/db.ts';
import { refuse } from '../../kit/errors.ts';
import { Nothing } from '../../kit/http/answers.ts';
import { nameField } from '../../kit/http/fields.ts';
import {
  accountByEmail,
  accountEmail,
  createAccount,
  givenUntil,
  isAccountEmail,
  isPasswordOf,
  judgeAccountEmail,
} from '../accounts/accounts.ts';
import { verificationValue } from '../accounts/auth-storage.ts';
import { mailLink, makeLink } from '../accounts/links.ts';
import { plainCode } from '../accounts/one-time-code.ts';
import {
  accountOfPasskey,
  assertUserVerified,
  PasskeyBody,
  signInOptions,
} from '../accounts/passkey-checks.ts';
import { faultOfPassword, judgeNewPassword } from '../accounts/passwords.ts';
import { endSession } from '../accounts/sessions.ts';
import { identityErrors } from '../errors.ts';
import type { Attempt } from '../keys/sign-in-limits.ts';
import { awaitsOperator } from '../setup/setup-link.ts';
import { recordAccountEvent, warnOwner, withCode } from './account-events.ts';
import { PasskeyOptions, SignInStep } from './answers/account.ts';
import { linkRoutes } from './auth-links.ts';
import { noteCall } from './security-watch.ts';
import { callAuth, type RequestAndReply } from './sign-in/auth-call.ts';
import { type AuthRoutesDeps, openCalls } from './sign-in/auth-open.ts';
import { countTry, rememberHere } from './sign-in/sign-in-tries.ts';

const Email = Type.String({ maxLength: 254 });
const Password = Type.String({ maxLength: 1000 });
const SignUpBody = Type.Object({
  name: nameField(100),
  email: Email,
  password: Password,
});
const SignInBody = Type.Object({ email: Email, password: Password });
const CodeBody = Type.Object({ code: Type.String({ maxLength: 30, format: 'text' }) });
const NoBody = Type.Object({});

/** The calls that start or end a session. Those that need one are in `account-routes.ts`. */
export function authRoutes(deps: AuthRoutesDeps): void {
  signUp(deps);
  passwordSignIn(deps);
  secondStep(deps);
  signOut(deps);
  passkeySignIn(deps);
  linkRoutes(deps);
}

function signUp(deps: AuthRoutesDeps): void {
  const { db, guards, auth, now } = deps;
  const post = openCalls(deps);

  // The answer shows that an address is taken, because a new account is signed in at once. Attempts are limited.
  post(
    '/sign-up',
    {
      body: SignUpBody,
      judges: { email: judgeAccountEmail, password: judgeNewPassword },
      answer: Nothing,
    },
    async (input, exchange) => {
      const email = input.email.toLowerCase();
      await guards.creating(exchange.request, 'sign-up');
      if (await awaitsOperator(db)) throw refuse(identityErrors.not_set_up);
      const mayMail = await guards.mayMail(email, 'confirm');
      const accountId = await transaction(db, async (tx) => {
        const id = await createAccount(tx, input, now());
        const link = { accountId: id, purpose: 'confirm_address', email, newEmail: null } as const;
        if (mayMail) await mailLink(tx, auth.baseUrl, link, now());
        await recordAccountEvent(tx, exchange.request, { accountId: id, action: 'signed up' }, now());
        await rememberHere(tx, deps, exchange, id);
        return id;
      });
      const body = { email, password: input.password };
      await callAuth(auth, 'signInEmail', exchange, { accountId, body });
      return { message: 'Account created', data: null };
    },
  );
}

function passwordSignIn(deps: AuthRoutesDeps): void {
  const { db, auth, now } = deps;
  const post = openCalls(deps);

  post('/sign-in', { body: SignInBody, answer: SignInStep }, async (input, exchange) => {
    const email = input.email.toLowerCase();
    // A text that is not an address has no account, and the database may refuse it.
    const isAddress = isAccountEmail(email);
    const account = isAddress ? await accountByEmail(db, email) : null;
    const tried = { name: email, accountId: account?.id ?? null };
    if (account) exchange.request.triedAccount = { id: account.id, email };
    const attempt = await countTry(deps, exchange.request, 'sign-in', tried);
    // Checked here, by the same statements and the same work for every address: better-auth does less for an unknown one,
    // and the time would show which addresses have accounts.
    if (!isAddress || !(await isPasswordOf(db, account?.id ?? null, input.password))) {
      throw refuse(identityErrors.sign_in_wrong);
    }
    const given = account && (await givenUntil(db, account.id));
    if (given && given <= now()) throw refuse(identityErrors.sign_in_wrong);
    if (account && (given || faultOfPassword(input.password) !== null)) {
      await attempt.succeeded();
      const link = { accountId: account.id, purpose: 'reset_password', email, newEmail: null } as const;
      const reset_token = await transaction(db, (tx) => makeLink(tx, link, now()));
      return { message: 'Choose another password', data: { two_factor_needed: false, reset_token } };
    }
    const answer = await callAuth(auth, 'signInEmail', exchange, {
      accountId: account?.id ?? null,
      body: { email, password: input.password },
    });
    await attempt.succeeded();
    if (answer.twoFactorRedirect === true) {
      return { message: 'Code needed', data: { two_factor_needed: true, reset_token: null } };
    }
    // better-auth signs in only an account that exists.
    if (!account) throw refuse(identityErrors.sign_in_wrong);
    await noteSignIn(deps, exchange, account.id);
    return { message: 'Signed in', data: { two_factor_needed: false, reset_token: null } };
  });
}

/** The second step of a sign-in, up to ten minutes after the right password. */
function secondStep(deps: AuthRoutesDeps): void {
  const { auth, now } = deps;
  const post = openCalls(deps);
  const proof = () => ({ cookies: ['twoFactor'], secondFactor: { at: now() } }) as const;

  post('/sign-in/code', { body: CodeBody, answer: Nothing }, async (input, exchange) => {
    const body = { code: plainCode(input.code) };
    const { accountId, email, attempt } = await pendingStep(deps, exchange.request);
    await withCode(deps, exchange.request, { id: accountId, email, ...body }, () =>
      callAuth(auth, 'verifyTOTP', exchange, { ...proof(), accountId, body }),
    );
    await attempt.succeeded();
    await noteSignIn(deps, exchange, accountId);
    return { message: 'Signed in', data: null };
  });

  post('/sign-in/recovery-code', { body: CodeBody, answer: Nothing }, async (input, exchange) => {
    const body = { code: plainCode(input.code) };
    const { accountId, attempt } = await pendingStep(deps, exchange.request);
    await callAuth(auth, 'verifyBackupCode', exchange, { ...proof(), accountId, body });
    await attempt.succeeded();
    await noteSignIn(deps, exchange, accountId, 'signed in with a recovery code');
    return { message: 'Signed in', data: null };
  });
}

function signOut(deps: AuthRoutesDeps): void {
  const { db, auth, now } = deps;
  const post = openCalls(deps);

  post('/sign-out', { body: NoBody, answer: Nothing }, async (_, { request, reply }) => {
    const session = await deps.sessionOf(request);
    if (session) {
      const event = { accountId: session.account.id, action: 'signed out' };
      await transaction(db, async (tx) => {
        await endSession(tx, session.account.id, session.id);
        await recordAccountEvent(tx, request, event, now());
      });
    }
    void reply.header('set-cookie', auth.cookies.expire(['session', 'twoFactor', 'passkey']));
    return { message: 'Signed out', data: null };
  });
}

function passkeySignIn(deps: AuthRoutesDeps): void {
  const { db, guards, auth, now } = deps;
  const post = openCalls(deps);

  post('/sign-in/passkey/options', { body: NoBody, answer: PasskeyOptions }, async (_, exchange) => {
    const options = await callAuth(auth, 'generatePasskeyAuthenticationOptions', exchange, {
      accountId: null,
    });
    return { message: 'Passkey options', data: signInOptions(options) };
  });

  post('/sign-in/passkey', { body: PasskeyBody, answer: Nothing }, async ({ response }, exchange) => {
    const attempt = await guards.unnamed(exchange.request, 'passkey');
    assertUserVerified(response);
    const accountId = await accountOfPasskey(db, response.id);
    if (accountId === null) throw refuse(identityErrors.passkey_unknown);
    await callAuth(auth, 'verifyPasskeyAuthentication', exchange, {
      accountId,
      cookies: ['passkey'],
      secondFactor: { at: now() },
      body: { response },
    });
    await attempt.succeeded();
    await noteSignIn(deps, exchange, accountId, 'signed in with a passkey');
    return { message: 'Signed in', data: null };
  });
}

/** Writes the audit log, remembers the device, and ends the previous session of this browser. */
async function noteSignIn(
  deps: AuthRoutesDeps,
  exchange: RequestAndReply,
  accountId: string,
  action = 'signed in',
): Promise<void> {
  const former = await deps.sessionOf(exchange.request);
  const { isNew, email } = await transaction(deps.db, async (tx) => {
    if (former) await endSession(tx, former.account.id, former.id);
    await recordAccountEvent(tx, exchange.request, { accountId, action }, deps.now());
    const email = await accountEmail(tx, accountId);
    const { isNew, isFirst } = await rememberHere(tx, deps, exchange, accountId);
    if (isNew && !isFirst) await warnOwner(tx, exchange.request, email, 'somebody signed in on a new device');
    return { isNew, email };
  });
  exchange.request.person = { id: accountId, email };
  const event = { action: 'signed in from a new device', detail: null } as const;
  if (isNew) noteCall(deps.securityLog, exchange.request, event);
}

/** The account for which this browser is at the second step. Counts the attempt. */
async function pendingStep(
  deps: AuthRoutesDeps,
  request: FastifyRequest,
): Promise<{ accountId: string; email: string; attempt: Attempt }> {
  const { twoFactor: step } = deps.auth.cookiesOf(request);
  const accountId = step === null ? null : await verificationValue(deps.db, step);
  if (accountId === null) throw refuse(identityErrors.sign_in_expired);
  const email = await accountEmail(deps.db, accountId);
  request.triedAccount = { id: accountId, email };
  const attempt = await countTry(deps, request, 'code', { name: accountId, accountId });
  return { accountId, email, attempt };
}
