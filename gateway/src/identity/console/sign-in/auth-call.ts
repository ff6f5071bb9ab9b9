import type { FastifyReply, FastifyRequest } from 'fastify';
import { type ErrorRow, kitErrors, refuse } from '../../../kit/errors.ts';
import type { Auth } from '../../accounts/auth.ts';
import { addressHeader } from '../../accounts/auth-place.ts';
import { tokenHash, verificationValue } from '../../accounts/auth-storage.ts';
import type { CookieUse } from '../../accounts/cookies.ts';
import { markSecondFactor, type Session } from '../../accounts/sessions.ts';
import { identityErrors } from '../../errors.ts';

/** A request that is being answered. */
export type RequestAndReply = { request: FastifyRequest; reply: FastifyReply };

/** Our errors for better-auth's refusals. */
const rows: Record<string, ErrorRow> = {
  UNAUTHORIZED: identityErrors.not_signed_in,
  INVALID_EMAIL: identityErrors.sign_in_wrong,
  INVALID_EMAIL_OR_PASSWORD: identityErrors.sign_in_wrong,
  INVALID_PASSWORD: identityErrors.password_wrong,
  PASSWORD_TOO_SHORT: identityErrors.password_too_short,
  PASSWORD_TOO_LONG: identityErrors.password_too_long,
  INVALID_CODE: identityErrors.code_wrong,
  INVALID_BACKUP_CODE: identityErrors.code_wrong,
  // Another call used a recovery code at the same moment: the only refusal without a code.
  'Failed to verify backup code. Please try again.': identityErrors.code_wrong,
  INVALID_TWO_FACTOR_COOKIE: identityErrors.sign_in_expired,
  TOTP_NOT_ENABLED: identityErrors.two_factor_off,
  BACKUP_CODES_NOT_ENABLED: identityErrors.two_factor_off,
  TWO_FACTOR_NOT_ENABLED: identityErrors.two_factor_off,
  PASSKEY_NOT_FOUND: identityErrors.passkey_unknown,
  CHALLENGE_NOT_FOUND: identityErrors.passkey_refused,
  AUTHENTICATION_FAILED: identityErrors.passkey_refused,
  FAILED_TO_VERIFY_REGISTRATION: identityErrors.passkey_refused,
  VALIDATION_ERROR: kitErrors.bad_request,
};

type Answer = {
  user?: { id?: string };
  session?: { userId?: string };
  code?: string;
  message?: string;
} & Record<string, unknown>;

/** The account in the answer of each call that has one. */
const accountIn: Record<string, (answer: Answer) => string | undefined> = {
  signInEmail: ({ user }) => user?.id,
  verifyTOTP: ({ user }) => user?.id,
  verifyBackupCode: ({ user }) => user?.id,
  changePassword: ({ user }) => user?.id,
  verifyPasskeyAuthentication: ({ session }) => session?.userId,
};

export type AuthCallInput = {
  /** The account for which better-auth must answer: the signed-in one, or the credential's. Null: none. */
  accountId: string | null;
  /** The cookies of the request that better-auth gets; it gets no others. */
  cookies?: readonly CookieUse[];
  body?: object;
  /** When a second factor was shown, by this call or in its session: a new session keeps it. Null: none was. */
  secondFactor?: { at: Date | null } | null;
};

/** A call for the signed-in account. */
export function asOwner({
  session,
}: {
  session: Session;
}): Pick<AuthCallInput, 'accountId' | 'cookies' | 'secondFactor'> {
  const { account, hasSecondFactor, factorAt } = session;
  const secondFactor = hasSecondFactor ? { at: factorAt } : null;
  return { accountId: account.id, cookies: ['session'], secondFactor };
}

/**
 * Calls an endpoint of better-auth and sets its cookies on the reply. Returns its answer unchanged. Throws a row of the
 * error table for each refusal, and an error when it answered for another account; then no cookie is sent.
 */
export async function callAuth(
  auth: Auth,
  endpoint: string,
  { request, reply }: RequestAndReply,
  { accountId, cookies = [], body, secondFactor = null }: AuthCallInput,
): Promise<Answer> {
  const call = (await auth.library()).endpoints[endpoint];
  if (!call) throw new Error(`better-auth has no endpoint ${endpoint}`);
  const own = auth.cookiesOf(request);
  const response = await call({
    ...(body && { body }),
    headers: new Headers({
      [addressHeader]: request.ip,
      'user-agent': request.headers['user-agent'] ?? '',
      cookie: auth.cookies.write(Object.fromEntries(cookies.map((use) => [use, own[use]]))),
    }),
    asResponse: true,
  });
  const answer = ((await response.json()) ?? {}) as Answer;
  if (!response.ok) {
    const code = `${answer.code ?? answer.message}`;
    const row = rows[code];
    if (!row) throw new Error(`better-auth refused ${endpoint} with ${response.status} ${code}`);
    throw refuse(row);
  }
  const lines = response.headers.getSetCookie();
  const token = await requireAccount(auth, endpoint, { answer, lines }, accountId);
  if (token !== null && secondFactor) await markSecondFactor(auth.db, { token }, secondFactor.at);
  if (lines.length > 0) void reply.header('set-cookie', lines);
  return answer;
}

/**
 * Throws when an answer or one of its cookies is for another account, and ends a session that was made for it. Returns
 * what names the session of the answer in the database; null: it has none.
 */
async function requireAccount(
  { db, cookies }: Auth,
  endpoint: string,
  { answer, lines }: { answer: Answer; lines: readonly string[] },
  accountId: string | null,
): Promise<string | null> {
  const pairs = lines.map((line) => line.split(';', 1)[0] ?? '');
  const given = cookies.read(pairs.filter((pair) => !pair.endsWith('=')).join('; '));
  const token = given.session === null ? null : tokenHash(given.session);
  const { rows: sessions } = await db.query<{ account_id: string }>(
    'SELECT account_id FROM sessions WHERE token = $1',
    [token],
  );
  const accounts = [
    accountIn[endpoint]?.(answer),
    ...sessions.map(({ account_id }) => account_id),
    given.twoFactor === null ? null : await verificationValue(db, given.twoFactor),
  ].filter((id) => id !== null && id !== undefined);
  const isNamed = accounts.length > 0 || !(endpoint in accountIn);
  if (isNamed && accounts.every((id) => id === accountId)) return token;
  await db.query('DELETE FROM sessions WHERE token = $1', [token]);
  throw new Error(`better-auth answered ${endpoint} for another account`);
}
