import { passkey } from '@better-auth/passkey';
import type { BetterAuthOptions } from 'better-auth/minimal';
import { twoFactor } from 'better-auth/plugins/two-factor';
import type { Logger } from 'pino';
import { newId } from '../../kit/ids.ts';
import { accountModels, passkeyModel, twoFactorModels } from './auth-models.ts';
import { addressHeader, cookieScopeOf, type Place, passkeyCookie } from './auth-place.ts';
import { hashPassword, isPassword, passwordLength } from './passwords.ts';
import { newRecoveryCodes } from './recovery-codes.ts';
import { sessionSeconds } from './session-life.ts';

/** How long a person may take from their password to their code. */
const secondStepSeconds = 600;

/**
 * The options of better-auth. What Florin does itself is turned off: limits, sign-up, links in mails, freshness,
 * origins.
 */
export function authOptions(place: Place, secret: string, log: Logger) {
  const { prefix, path } = cookieScopeOf(place);
  return {
    appName: 'Florin',
    baseURL: place.origin,
    basePath: place.path,
    // With versions, so that better-auth does not read a secret from the environment.
    secrets: [{ version: 1, value: secret }],
    trustedOrigins: place.origins,
    ...accountModels,
    session: sessionOptions,
    verification: { ...accountModels.verification, storeIdentifier: 'hashed' },
    emailAndPassword: passwordOptions,
    plugins: [
      twoFactor({
        issuer: 'Florin',
        twoFactorCookieMaxAge: secondStepSeconds,
        backupCodeOptions: { customBackupCodesGenerate: newRecoveryCodes, storeBackupCodes: 'encrypted' },
        schema: twoFactorModels,
      }),
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
      // Its own prefix would be a weaker one; it adds the dot itself.
      cookiePrefix: prefix.slice(0, -1),
      useSecureCookies: false,
      defaultCookieAttributes: { path, secure: place.secure, sameSite: 'lax', httpOnly: true },
      ipAddress: { ipAddressHeaders: [addressHeader] },
      database: { generateId: () => newId() },
    },
    // `guards.ts` limits calls; refusals are answered to the caller, and faults are thrown.
    rateLimit: { enabled: false },
    telemetry: { enabled: false },
    logger: { level: 'debug', log: (level, message) => log.debug({ level }, `sign-in: ${message}`) },
  } satisfies BetterAuthOptions;
}

// Only `sessionOf` prolongs sessions, and only `console.ts` checks whether one is fresh.
const sessionOptions = {
  ...accountModels.session,
  // An idle one ends sooner.
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
