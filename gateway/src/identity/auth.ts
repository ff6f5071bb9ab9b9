import { createEmailVerificationToken } from 'better-auth/api';
import { getAdapter } from 'better-auth/db/adapter';
import { betterAuth } from 'better-auth/minimal';
import type { Logger } from 'pino';
import type { Database } from '../kit/db.ts';
import type { Seal } from '../kit/seal.ts';
import { type AuthMails, authOptions, confirmSeconds } from './auth-options.ts';
import { placeOf } from './auth-place.ts';
import { withHashedTokens } from './auth-storage.ts';
import { type Letter, queueMail } from './mail.ts';
import { confirmAddressLetter, resetPasswordLetter } from './mail-texts.ts';

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

/** Joins better-auth to our database, mail and keys. It makes and alters no table, and tells nobody of itself. */
export async function createAuth({ db, seal, baseUrl, log }: AuthDeps): Promise<Auth> {
  const place = placeOf(baseUrl);
  if (place.secure && !place.origin.startsWith('https:')) {
    log.warn('the dashboard needs https: browsers drop its cookies without');
  }
  const secret = seal.derive('console sessions').toString('hex');
  const link = (page: string, token: string) => `${baseUrl}/app/${page}?token=${encodeURIComponent(token)}`;
  const confirmLetter = (token: string) => confirmAddressLetter(link('verify-email', token));

  // better-auth would only note a fault, and answer as if the mail were on its way.
  async function send(to: string, letter: Letter): Promise<void> {
    await queueMail(db, { to, ...letter }).catch((error: unknown) => {
      log.error({ err: error }, 'a mail could not be queued');
      throw error;
    });
  }
  const mails: AuthMails = {
    resetPassword: (email, token) => send(email, resetPasswordLetter(link('reset-password', token))),
    confirmAddress: (email, token) => send(email, confirmLetter(token)),
  };

  const options = authOptions(place, secret, mails, log);
  const storage = withHashedTokens(await getAdapter({ ...options, database: db }));
  const auth = betterAuth({ ...options, database: () => storage });
  const context = await auth.$context;
  return {
    endpoints: auth.api as unknown as Record<string, AuthEndpoint>,
    secret,
    origin: place.origin,
    cookies: {
      session: context.authCookies.sessionToken.name,
      twoFactor: context.createAuthCookie('two_factor').name,
    },
    async confirmAddress(email) {
      return confirmLetter(await createEmailVerificationToken(secret, email, undefined, confirmSeconds));
    },
  };
}
