import { passkey } from '@better-auth/passkey';
import type { BetterAuthOptions } from 'better-auth/minimal';
import { twoFactor } from 'better-auth/plugins/two-factor';
import type { Logger } from 'pino';
import { newId } from '../../kit/ids.ts';
import { accountModels, passkeyModel, twoFactorModels } from './auth-models.ts';
import { addressHeader, cookiePrefix, type Place, passkeyCookie } from './auth-place.ts';
import { hashPassword, isPassword, passwordLength } from './passwords.ts';

const daySeconds = 24 * 3600;
/** Longest life of a session; an idle one ends sooner, see `sessions.ts`. */
const sessionSeconds = 30 * daySeconds;
/** How long a person may take from their password to their code. */
const secondStepSeconds = 600;

/**
 * better-auth as it is used here: what is ours alone (limits, sign-up, links in mails, freshness, origins) is turned
 * off in it.
 */
export function authOptions(place: Place, secret: string, log: Logger) {
  return {
    appName: 'Florin',
    baseURL: place.origin,
    basePath: place.path,
    // By version: then no variable of the environment takes its place.
    secrets: [{ version: 1, value: secret }],
    trustedOrigins: place.origins,
    ...accountModels,
    session: sessionOptions,
    verification: { ...accountModels.verification, storeIdentifier: 'hashed' },
    emailAndPassword: passwordOptions,
    plugins: [
      twoFactor({ issuer: 'Florin', twoFactorCookieMaxAge: secondStepSeconds, schema: twoFactorModels }),
      passkey({
        rpName: 'Florin',
        rpID: place.passkeyHost,
        origin: place.origins,
        authenticatorSelection: { residentKey: 'required', userVerification: 'required' },
        schema: passkeyModel,
        advanced: { webAuthnChallengeCookie: passkeyCookie },
      }),
    ],
    advanced: {
      cookiePrefix,
      useSecureCookies: place.secure,
      // The hosted page and whatever else lives on this host has no use for them.
      defaultCookieAttributes: { path: place.path, sameSite: 'lax', httpOnly: true },
      ipAddress: { ipAddressHeaders: [addressHeader] },
      database: { generateId: () => newId() },
    },
    // Limits are those of `guards.ts`; refusals are told to the caller, and faults are thrown.
    rateLimit: { enabled: false },
    telemetry: { enabled: false },
    logger: { level: 'debug', log: (level, message) => log.debug({ level }, `sign-in: ${message}`) },
  } satisfies BetterAuthOptions;
}

// Sessions are prolonged by `sessionOf` alone, and whether one is fresh is asked in `console.ts`.
const sessionOptions = {
  ...accountModels.session,
  expiresIn: sessionSeconds,
  disableSessionRefresh: true,
  freshAge: 0,
};

const passwordOptions = {
  enabled: true,
  // An account and the mail that confirms it are made in one transaction: `accounts.ts`.
  disableSignUp: true,
  minPasswordLength: passwordLength.min,
  maxPasswordLength: passwordLength.max,
  password: {
    hash: hashPassword,
    verify: ({ hash, password }: { hash: string; password: string }) => isPassword(hash, password),
  },
};
