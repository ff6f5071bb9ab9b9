import type { FastifyReply, FastifyRequest } from 'fastify';
import { type ErrorRow, kitErrors, refuse } from '../kit/errors.ts';
import type { Auth } from './auth.ts';
import { addressHeader } from './auth-place.ts';
import { identityErrors } from './errors.ts';

/** A request that is being answered. */
export type Exchange = { request: FastifyRequest; reply: FastifyReply };

/** What better-auth's refusals are called here. */
const rows: Record<string, ErrorRow> = {
  UNAUTHORIZED: identityErrors.not_signed_in,
  INVALID_EMAIL: identityErrors.sign_in_wrong,
  INVALID_EMAIL_OR_PASSWORD: identityErrors.sign_in_wrong,
  INVALID_PASSWORD: identityErrors.password_wrong,
  PASSWORD_TOO_SHORT: identityErrors.password_too_short,
  PASSWORD_TOO_LONG: identityErrors.password_too_long,
  EMAIL_ALREADY_VERIFIED: identityErrors.address_confirmed,
  INVALID_TOKEN: identityErrors.link_expired,
  TOKEN_EXPIRED: identityErrors.link_expired,
  USER_NOT_FOUND: identityErrors.link_expired,
  INVALID_USER: identityErrors.link_expired,
  INVALID_CODE: identityErrors.code_wrong,
  INVALID_BACKUP_CODE: identityErrors.code_wrong,
  // Another call used one at the same moment: the only refusal that has no code.
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

/**
 * Calls an endpoint of better-auth in the name of a request, or of whoever is `signedOut`; cookies go onto the
 * reply. Returns its answer as it is, and throws a row of the error table for each refusal.
 */
export async function callAuth(
  auth: Auth,
  endpoint: string,
  { request, reply }: Exchange,
  { signedOut = false, ...input }: { body?: object; query?: object; signedOut?: boolean } = {},
): Promise<Record<string, unknown>> {
  const call = (await auth.library()).endpoints[endpoint];
  if (!call) throw new Error(`better-auth has no endpoint ${endpoint}`);
  const response = await call({
    ...input,
    headers: headersOf(request, signedOut ? auth.cookies.session : null),
    asResponse: true,
  });
  const cookies = response.headers.getSetCookie();
  if (cookies.length > 0) void reply.header('set-cookie', cookies);
  const answer = (await response.json()) as Record<string, unknown> | null;
  if (response.ok) return answer ?? {};
  const code = String(answer?.code ?? answer?.message);
  const row = rows[code];
  if (!row) throw new Error(`better-auth refused ${endpoint} with ${response.status} ${code}`);
  throw refuse(row);
}

/** Only what better-auth has a use for: who is signed in, and from where. */
function headersOf(request: FastifyRequest, leftOut: string | null): Headers {
  const { cookie = '', 'user-agent': userAgent = '' } = request.headers;
  const kept = cookie.split(';').filter((pair) => leftOut === null || !pair.trim().startsWith(`${leftOut}=`));
  return new Headers({ [addressHeader]: request.ip, 'user-agent': userAgent, cookie: kept.join(';') });
}
