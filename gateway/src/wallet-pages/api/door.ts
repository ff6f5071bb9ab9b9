import type { FastifyReply, FastifyRequest } from 'fastify';
import { placeOf } from '../../identity/accounts/auth-place.ts';
import { cookieScope, createCookies, type OwnCookies } from '../../identity/accounts/cookies.ts';
import { deviceSeconds, type Origin } from '../../identity/accounts/known-places.ts';
import { sessionSeconds } from '../../identity/accounts/session-life.ts';
import { kitErrors, Refusal, refuse } from '../../kit/errors.ts';
import { refuseForeign } from '../../kit/http/http.ts';
import type { IsOwnOrigin } from '../../kit/net/own-origins.ts';
import type { Seal } from '../../kit/seal.ts';

/** The session, the second step of a sign-in, and the device, which is recognised at the next sign-in. */
export type WalletCookie = 'session' | 'step' | 'device';

const seconds: Readonly<Record<WalletCookie, number>> = {
  session: sessionSeconds,
  step: 600,
  device: deviceSeconds,
};

/** The cookies of the wallet's pages, and the check of where a form comes from. */
export type Door = {
  /** The cookies of a request. Damaged or doubled ones count as missing, and are expired. */
  read(request: FastifyRequest, reply: FastifyReply): OwnCookies<WalletCookie>;
  set(reply: FastifyReply, use: WalletCookie, value: string): void;
  expire(reply: FastifyReply, ...uses: WalletCookie[]): void;
  /** Throws for a form of another site, and for one with cookies but without an origin. */
  refuseForeign(request: FastifyRequest, cookies: OwnCookies<WalletCookie>): void;
};

export function createDoor(given: {
  baseUrl: string;
  path: string;
  seal: Seal;
  isOwnOrigin: IsOwnOrigin;
}): Door {
  const { baseUrl, path, seal, isOwnOrigin } = given;
  const { secure } = placeOf(baseUrl);
  const scope = cookieScope('florin-wallet', { secure, path });
  const { prefix } = scope;
  const cookies = createCookies<WalletCookie>({
    names: { session: `${prefix}session`, step: `${prefix}step`, device: `${prefix}device` },
    ...scope,
    secret: seal.derive('cookies of the wallet').toString('hex'),
    secure,
  });
  return {
    read(request, reply) {
      try {
        return cookies.read(request.headers.cookie);
      } catch (error) {
        if (!(error instanceof Refusal)) throw error;
        void reply.headers(error.headers);
        return { session: null, step: null, device: null };
      }
    },
    set: (reply, use, value) => void reply.header('set-cookie', cookies.set(use, value, seconds[use])),
    expire: (reply, ...uses) => void reply.header('set-cookie', cookies.expire(uses)),
    refuseForeign(request, { session, step }) {
      refuseForeign(request, isOwnOrigin);
      const { origin, 'sec-fetch-site': site } = request.headers;
      const saysNothing = origin === undefined && site === undefined;
      if (saysNothing && (session !== null || step !== null)) throw refuse(kitErrors.foreign_form);
    },
  };
}

/** Where a call comes from. */
export function originOf({ ip }: FastifyRequest, { device }: OwnCookies<WalletCookie>): Origin {
  return { device, ip };
}
