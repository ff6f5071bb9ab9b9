import { createEmailVerificationToken } from 'better-auth/api';
import { getAdapter } from 'better-auth/db/adapter';
import { betterAuth } from 'better-auth/minimal';
import type { Logger } from 'pino';
import type { Database } from '../kit/db.ts';
import { type AuthMails, authOptions, confirmSeconds } from './auth-options.ts';
import { cookieNames, type Place } from './auth-place.ts';
import { withHashedTokens } from './auth-storage.ts';

export type AuthLibrary = {
  endpoints: Readonly<Record<string, AuthEndpoint>>;
  /** What the link holds that confirms an address. */
  confirmToken(email: string): Promise<string>;
};

export type AuthEndpoint = (input: {
  body?: object;
  query?: object;
  headers: Headers;
  asResponse: true;
}) => Promise<Response>;

type LibraryDeps = { db: Database; place: Place; secret: string; mails: AuthMails; log: Logger };

/** better-auth on our tables. Throws when its cookies have other names than `sessions.ts` reads. */
export async function openAuthLibrary({ db, place, secret, mails, log }: LibraryDeps): Promise<AuthLibrary> {
  const options = authOptions(place, secret, mails, log);
  const storage = withHashedTokens(await getAdapter({ ...options, database: db }));
  const auth = betterAuth({ ...options, database: () => storage });
  const context = await auth.$context;
  const names = cookieNames(place);
  const session = context.authCookies.sessionToken.name;
  const twoFactor = context.createAuthCookie('two_factor').name;
  if (session !== names.session || twoFactor !== names.twoFactor) {
    throw new Error(`better-auth names its cookies ${session} and ${twoFactor}`);
  }
  return {
    endpoints: auth.api as unknown as Record<string, AuthEndpoint>,
    confirmToken: (email) => createEmailVerificationToken(secret, email, undefined, confirmSeconds),
  };
}
