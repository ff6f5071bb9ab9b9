import type { FastifyRequest } from 'fastify';
import type { Logger } from 'pino';
import type { Database } from '../../kit/db/db.ts';
import { type IsOwnOrigin, ownOrigins } from '../../kit/net/own-origins.ts';
import type { Seal } from '../../kit/seal.ts';
import type { AuthLibrary } from './auth-library.ts';
import { cookieNames, cookieScopeOf, placeOf } from './auth-place.ts';
import { type Cookies, createCookies, type OwnCookies } from './cookies.ts';

export type AuthDeps = {
  db: Database;
  seal: Seal;
  /** BASE_URL: the address in the links of mails, and the host of cookies and passkeys. */
  baseUrl: string;
  /** Further origins by which people reach the dashboard. */
  origins?: readonly string[];
  log: Logger;
};

/** better-auth as this gateway uses it: by its functions, never by its own routes. */
export type Auth = {
  db: Database;
  /** Loaded at the first sign-in: it takes half a second and 90 MB, which many gateways never need. */
  library(): Promise<AuthLibrary>;
  baseUrl: string;
  /** Whether an Origin header names the dashboard. */
  isOwnOrigin: IsOwnOrigin;
  cookies: Cookies;
  /** Florin's cookies of a request. Throws `cookies_refused`. */
  cookiesOf(request: FastifyRequest): OwnCookies;
};

/** Connects better-auth to our database and keys. It changes no table and sends no telemetry. */
export function createAuth({ db, seal, baseUrl, origins = [], log }: AuthDeps): Auth {
  const place = placeOf(baseUrl);
  if (place.secure && !place.origin.startsWith('https:')) {
    log.warn('the dashboard needs https: without it browsers drop its cookies');
  }
  const secret = seal.derive('console sessions').toString('hex');

  let loaded: Promise<AuthLibrary> | undefined;
  async function load(): Promise<AuthLibrary> {
    const { openAuthLibrary } = await import('./auth-library.ts');
    return await openAuthLibrary({ db, seal, place, secret, log });
  }
  const library = () => {
    // The next call tries again after a failure.
    loaded ??= load().catch((error: unknown) => {
      loaded = undefined;
      throw error;
    });
    return loaded;
  };
  const cookies = createCookies({
    names: cookieNames(place),
    ...cookieScopeOf(place),
    secret,
    secure: place.secure,
  });
  return {
    db,
    library,
    baseUrl,
    isOwnOrigin: ownOrigins([baseUrl, ...origins]),
    cookies,
    cookiesOf: ({ headers }) => cookies.read(headers.cookie),
  };
}
