import { passkey } from '@better-auth/passkey';
import { createEmailVerificationToken } from 'better-auth/api';
import { getAdapter } from 'better-auth/db/adapter';
import { type BetterAuthOptions, betterAuth } from 'better-auth/minimal';
import { twoFactor } from 'better-auth/plugins/two-factor';
import ipaddr from 'ipaddr.js';
import type { Logger } from 'pino';
import type { Database } from '../kit/db.ts';
import { newId } from '../kit/ids.ts';
import type { Seal } from '../kit/seal.ts';
import { accountModels, passkeyModel, twoFactorModels } from './auth-models.ts';
import { withHashedTokens } from './auth-storage.ts';
import { type Letter, queueMail } from './mail.ts';
import { confirmAddressLetter, resetPasswordLetter } from './mail-texts.ts';
import { hashPassword, isPassword, passwordLength } from './passwords.ts';

export type AuthDeps = {
  db: Database;
  seal: Seal;
  /** BASE_URL: links in mails lead there, cookies and passkeys belong to its host. */
  baseUrl: string;
  log: Logger;
};

/** better-auth as this gateway uses it: through its functions, never by its own routes. */
export type Auth = {
  endpoints: Readonly<Record<string, AuthEndpoint>>;
  /** Signs cookies and links. */
  secret: string;
  /** The dashboard's own origin, as in an Origin header. */
  origin: string;
  cookies: { session: string; twoFactor: string };
  /** The mail that confirms an address. */
  confirmAddress(email: string): Promise<Letter>;
};

export type AuthEndpoint = (input: {
  body?: object;
  query?: object;
  headers: Headers;
  asResponse: true;
}) => Promise<Response>;

/** The header that tells better-auth where a call came from; callers cannot set it. */
export const addressHeader = 'x-florin-address';

const hourSeconds = 3600;
const daySeconds = 24 * hourSeconds;
/** Longest life of a session; an idle one ends sooner, see `sessions.ts`. */
const sessionSeconds = 30 * daySeconds;
/** How long a person may take from their password to their code. */
const secondStepSeconds = 600;

/** Joins better-auth to our database, mail and keys. It makes and alters no table, and tells nobody of itself. */
export async function createAuth({ db, seal, baseUrl, log }: AuthDeps): Promise<Auth> {
  const { origin, pathname, hostname, protocol } = new URL(`${baseUrl}/console`);
  const loopback = isLoopback(hostname);
  const secure = !(loopback && protocol === 'http:');
  if (secure && protocol === 'http:')
    log.warn('the dashboard needs https: browsers drop its cookies without');
  const secret = seal.derive('console sessions').toString('hex');
  const origins = loopback ? [origin, ...loopbackNames.map((name) => withHost(origin, name))] : [origin];
  const app = (path: string, token: string) => `${baseUrl}/app/${path}?token=${encodeURIComponent(token)}`;

  // better-auth would only note a fault, and answer as if the mail were on its way.
  async function send(to: string, letter: Letter): Promise<void> {
    await queueMail(db, { to, ...letter }).catch((error: unknown) => {
      log.error({ err: error }, 'a mail could not be queued');
      throw error;
    });
  }

  const options = {
    appName: 'Florin',
    baseURL: origin,
    basePath: pathname,
    secret,
    trustedOrigins: origins,
    ...accountModels,
    user: { ...accountModels.user, changeEmail: { enabled: true } },
    // Sessions are prolonged by `sessionOf` alone, and whether one is fresh is asked there.
    session: {
      ...accountModels.session,
      expiresIn: sessionSeconds,
      disableSessionRefresh: true,
      freshAge: 0,
    },
    verification: { ...accountModels.verification, storeIdentifier: 'hashed' },
    emailAndPassword: {
      enabled: true,
      // An account and the mail that confirms it are made in one transaction: `accounts.ts`.
      disableSignUp: true,
      minPasswordLength: passwordLength.min,
      maxPasswordLength: passwordLength.max,
      password: { hash: hashPassword, verify: ({ hash, password }) => isPassword(hash, password) },
      resetPasswordTokenExpiresIn: hourSeconds,
      revokeSessionsOnPasswordReset: true,
      sendResetPassword: ({ user, token }) =>
        send(user.email, resetPasswordLetter(app('reset-password', token))),
    },
    emailVerification: {
      expiresIn: daySeconds,
      sendVerificationEmail: ({ user, token }) =>
        send(user.email, confirmAddressLetter(app('verify-email', token))),
    },
    plugins: [
      twoFactor({ issuer: 'Florin', twoFactorCookieMaxAge: secondStepSeconds, schema: twoFactorModels }),
      passkey({
        rpName: 'Florin',
        // Browsers make no passkey for an IP address: on the machine itself it takes the name.
        rpID: loopback ? 'localhost' : hostname,
        origin: origins,
        authenticatorSelection: { residentKey: 'required', userVerification: 'required' },
        schema: passkeyModel,
      }),
    ],
    advanced: {
      cookiePrefix: 'florin',
      useSecureCookies: secure,
      // The hosted page and whatever else lives on this host has no use for them.
      defaultCookieAttributes: { path: pathname, sameSite: 'lax', httpOnly: true },
      ipAddress: { ipAddressHeaders: [addressHeader] },
      database: { generateId: () => newId() },
    },
    // Limits are those of `guards.ts`; refusals are told to the caller, and faults are thrown.
    rateLimit: { enabled: false },
    telemetry: { enabled: false },
    logger: { level: 'debug', log: (level, message) => log.debug({ level }, `sign-in: ${message}`) },
  } satisfies BetterAuthOptions;

  const storage = withHashedTokens(await getAdapter({ ...options, database: db }));
  const auth = betterAuth({ ...options, database: () => storage });
  const context = await auth.$context;
  return {
    endpoints: auth.api as unknown as Record<string, AuthEndpoint>,
    secret,
    origin,
    cookies: {
      session: context.authCookies.sessionToken.name,
      twoFactor: context.createAuthCookie('two_factor').name,
    },
    async confirmAddress(email) {
      const token = await createEmailVerificationToken(secret, email, undefined, daySeconds);
      return confirmAddressLetter(app('verify-email', token));
    },
  };
}

const loopbackNames = ['localhost', '127.0.0.1'];

function isLoopback(hostname: string): boolean {
  const address = hostname.replace(/^\[|\]$/g, '');
  return (
    hostname === 'localhost' || (ipaddr.isValid(address) && ipaddr.parse(address).range() === 'loopback')
  );
}

function withHost(origin: string, name: string): string {
  const url = new URL(origin);
  url.hostname = name;
  return url.origin;
}
