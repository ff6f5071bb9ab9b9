import type { FastifyReply, FastifyRequest } from 'fastify';
import { createCookies } from '../../identity/accounts/cookies.ts';
import { deviceSeconds, type Origin } from '../../identity/accounts/known-places.ts';
import type { SecurityLog } from '../../identity/audit/security-log.ts';
import type { Guards } from '../../identity/keys/guards.ts';
import type { Clock } from '../../kit/clock.ts';
import type { Database } from '../../kit/db/db.ts';
import { Refusal } from '../../kit/errors.ts';
import { randomBase62 } from '../../kit/ids.ts';
import type { Seal } from '../../kit/seal.ts';
import { rememberUserPlace, tryPassword } from '../../wallets/accounts/password-try.ts';
import type { UserId } from '../../wallets/users.ts';

export type WalletSignInDeps = {
  db: Database;
  guards: Guards;
  securityLog: SecurityLog;
  seal: Seal;
  payUrl: string;
  now: Clock;
};

/** The user whose name and password the form has, or null. Throws `rate_limited`. */
export type WalletSignIn = (
  form: { username: string; password: string },
  request: FastifyRequest,
  reply: FastifyReply,
) => Promise<UserId | null>;

/** Signs users in for one payment. The page keeps one cookie, by which it knows a device again. */
export function createWalletSignIn(deps: WalletSignInDeps): WalletSignIn {
  const { seal, payUrl } = deps;
  const { protocol, pathname } = new URL(payUrl);
  const secure = protocol === 'https:';
  const prefix = `${secure ? '__Secure-' : ''}florin-pay.`;
  const cookies = createCookies({
    names: { device: `${prefix}device` },
    prefix,
    secret: seal.derive('devices of the hosted page').toString('hex'),
    path: pathname,
    secure,
  });

  /** A damaged cookie is none: the page works without. */
  function originOf({ headers, ip }: FastifyRequest): Origin {
    try {
      return { device: cookies.read(headers.cookie).device, ip };
    } catch (error) {
      if (error instanceof Refusal) return { device: null, ip };
      throw error;
    }
  }

  return async (form, request, reply) => {
    const origin = originOf(request);
    const userId = await tryPassword(deps, form, origin);
    if (!userId) return null;
    const device = origin.device ?? randomBase62(32);
    void reply.header('set-cookie', cookies.set('device', device, deviceSeconds));
    await rememberUserPlace(deps, userId, { ...origin, device });
    return userId;
  };
}
