import { getAdapter } from 'better-auth/db/adapter';
import { betterAuth } from 'better-auth/minimal';
import type { Logger } from 'pino';
import type { Database } from '../../kit/db/db.ts';
import type { Seal } from '../../kit/seal.ts';
import { authOptions } from './auth-options.ts';
import { cookieNames, type Place, passkeyCookie } from './auth-place.ts';
import { withHashedTokens } from './auth-storage.ts';
import { withSealedFactors } from './sealed-factors.ts';

export type AuthLibrary = {
  endpoints: Readonly<Record<string, AuthEndpoint>>;
};

export type AuthEndpoint = (input: {
  body?: object;
  query?: object;
  headers: Headers;
  asResponse: true;
}) => Promise<Response>;

type LibraryDeps = { db: Database; seal: Seal; place: Place; secret: string; log: Logger };

/** better-auth on our tables. Throws when its cookies have other names than `cookies.ts` reads. */
export async function openAuthLibrary({ db, seal, place, secret, log }: LibraryDeps): Promise<AuthLibrary> {
  const options = authOptions(place, secret, log);
  const plain = await getAdapter({ ...options, database: db });
  const storage = withSealedFactors(withHashedTokens(plain), seal);
  const auth = betterAuth({ ...options, database: () => storage });
  const context = await auth.$context;
  const { device: _, ...own } = cookieNames(place);
  const theirs: typeof own = {
    session: context.authCookies.sessionToken.name,
    twoFactor: context.createAuthCookie('two_factor').name,
    passkey: context.createAuthCookie(passkeyCookie).name,
  };
  if (Object.values(own).join() !== Object.values(theirs).join()) {
    throw new Error(`better-auth names its cookies ${Object.values(theirs).join(', ')}`);
  }
  return { endpoints: auth.api as unknown as Record<string, AuthEndpoint> };
}
