import type { Logger } from 'pino';
import type { Database } from '../kit/db.ts';
import type { Seal } from '../kit/seal.ts';
import type { AuthLibrary } from './auth-library.ts';
import type { AuthMails } from './auth-options.ts';
import { cookieNames, placeOf } from './auth-place.ts';
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
  /** Loaded when somebody first signs in: it takes half a second and 90 MB, which most gateways never need. */
  library(): Promise<AuthLibrary>;
  /** Signs cookies and links. */
  secret: string;
  /** The dashboard's own origin, as in an Origin header. */
  origin: string;
  cookies: { session: string; twoFactor: string };
  /** The mail that confirms an address. */
  confirmAddress(email: string): Promise<Letter>;
};

/** Joins better-auth to our database, mail and keys. It makes and alters no table, and tells nobody of itself. */
export function createAuth({ db, seal, baseUrl, log }: AuthDeps): Auth {
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

  let loaded: Promise<AuthLibrary> | undefined;
  async function load(): Promise<AuthLibrary> {
    const { openAuthLibrary } = await import('./auth-library.ts');
    return await openAuthLibrary({ db, place, secret, mails, log });
  }
  const library = () => {
    // One that failed is tried again by whoever comes next.
    loaded ??= load().catch((error: unknown) => {
      loaded = undefined;
      throw error;
    });
    return loaded;
  };
  return {
    library,
    secret,
    origin: place.origin,
    cookies: cookieNames(place),
    confirmAddress: async (email) => confirmLetter(await (await library()).confirmToken(email)),
  };
}
