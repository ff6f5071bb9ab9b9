import type { FastifyReply, FastifyRequest } from 'fastify';
import { createCookies } from '../../identity/accounts/cookies.ts';
import {
  deviceSeconds,
  knownPlace,
  type Origin,
  rememberPlace,
} from '../../identity/accounts/known-places.ts';
import type { SecurityEvent, SecurityLog } from '../../identity/audit/security-log.ts';
import type { Guards } from '../../identity/keys/guards.ts';
import type { Clock } from '../../kit/clock.ts';
import { type Database, transaction } from '../../kit/db/db.ts';
import { Refusal } from '../../kit/errors.ts';
import { randomBase62 } from '../../kit/ids.ts';
import { clientKey } from '../../kit/net/client-address.ts';
import type { Seal } from '../../kit/seal.ts';
import { foldedName } from '../../wallets/user-names.ts';
import { findUserIds, signIn, type UserId } from '../../wallets/users.ts';

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
  const { db, guards, securityLog, seal, payUrl, now } = deps;
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

  return async ({ username, password }, request, reply) => {
    const origin = originOf(request);
    const owner = (await findUserIds(db, [username])).get(username) ?? null;
    const note = (action: SecurityEvent['action']): void => {
      const actor = { kind: 'stranger', id: null, name: owner === null ? 'somebody' : username } as const;
      const subject =
        owner === null ? { kind: 'address', id: clientKey(request.ip) } : { kind: 'user', id: owner };
      securityLog.note({ action, actor, subject, address: request.ip, detail: 'wallet' });
    };
    const place = await knownPlace(db, owner, origin);
    const attempt = await guards
      .signIn(request, 'wallet', { account: owner ?? foldedName(username), knownPlace: place })
      .catch((error: unknown) => {
        // The page shows a notice in place of the refusal, so nobody else sees it.
        note('reached a limit');
        throw error;
      });
    const userId = await signIn(db, username, password);
    if (!userId) {
      note('failed to sign in');
      return null;
    }
    await attempt.succeeded();
    const device = origin.device ?? randomBase62(32);
    void reply.header('set-cookie', cookies.set('device', device, deviceSeconds));
    await transaction(db, (tx) => rememberPlace(tx, userId, { ...origin, device }, now()));
    return userId;
  };
}
