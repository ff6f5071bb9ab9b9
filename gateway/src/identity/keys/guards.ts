import type { FastifyReply, FastifyRequest, onRequestAsyncHookHandler } from 'fastify';
import { type ErrorRow, Refusal, refuse } from '../../kit/errors.ts';
import type { BucketPolicy } from '../../kit/http/token-bucket.ts';
import { clientKey, isClientWithin } from '../../kit/net/client-address.ts';
import { identityErrors } from '../errors.ts';
import { type Action, namedOnly } from './actions.ts';
import type { ApiKey } from './keys.ts';
import { type LimiterDeps, limiters } from './limiter.ts';
import { type SignInLimits, signInLimits } from './sign-in-limits.ts';

export { type Action, actions, namedOnly } from './actions.ts';

declare module 'fastify' {
  interface FastifyRequest {
    apiKey?: ApiKey;
  }
}

export type Guards = SignInLimits & {
  /** Lets a valid key that may do this through, and puts it on the request. */
  key(action: Action, rows?: KeyRows, judge?: JudgeKey): onRequestAsyncHookHandler;
  /** Lets a call without a key through, and one with a valid key as `key` does; an invalid one is refused. */
  keyIfAny: onRequestAsyncHookHandler;
  /** Lets anyone through, within the rate limit of the key if there is one, otherwise of the address. */
  anyone: onRequestAsyncHookHandler;
  /** A limit for guessing references, by the answers that show whether one exists (409 and 404). */
  probe: { check(request: FastifyRequest): Promise<void>; count(request: FastifyRequest): Promise<void> };
  /** A limit for guessing names of users, by the answers that show that there is no such user; for an integration as a whole. */
  userProbe: { check(integrationId: string): Promise<void>; count(integrationId: string): Promise<void> };
  /** Counts what somebody who is signed in does as rarely, against the address and the subject. */
  rare(request: FastifyRequest, about: string): Promise<void>;
  /** Counts one mail of a purpose to a recipient, whoever caused it, against the purpose and against all of them. */
  mail(recipient: string, purpose: MailPurpose): Promise<void>;
  /** The same, but returns whether it may be sent: for callers who must not learn what others asked for. */
  mayMail(recipient: string, purpose: MailPurpose): Promise<boolean>;
  /** Counts one message of a customer against the address and the subject. */
  message(request: FastifyRequest, about: string): Promise<void>;
  /** Counts one payment that a customer makes by a payment link, against the address. */
  payByLink(request: Pick<FastifyRequest, 'ip'>): Promise<void>;
  /** Counts one search for a transaction on the chains against the address and the payment. */
  claim(request: Pick<FastifyRequest, 'ip'>, paymentId: string): Promise<void>;
  /** Counts one receipt that a customer has mailed, against the address, the payment and the recipient. */
  receipt(request: Pick<FastifyRequest, 'ip'>, paymentId: string, recipient: string): Promise<void>;
  /** Counts one request to the Pi platform against the address and the payment. */
  piBrowser(request: Pick<FastifyRequest, 'ip'>, paymentId: string): Promise<void>;
  /** Counts one gift of demo coins against the address that asks and the wallet that gets them. */
  faucet(request: Pick<FastifyRequest, 'ip'>, wallet: string): Promise<void>;
};

/** Mails that a stranger may cause. */
export type MailPurpose = 'reset' | 'confirm' | 'change' | 'invitation' | 'reused code' | 'receipt';

/** Refuses a valid key for a reason that comes before what it may do. */
type JudgeKey = (key: ApiKey) => Promise<void>;

type KeyRows = { missing: ErrorRow; invalid: ErrorRow };

const anyCall: KeyRows = { missing: identityErrors.authorization, invalid: identityErrors.authorization };
/** Creating a payment has different refusals for a missing key and an unknown one. */
export const createCall: KeyRows = {
  missing: identityErrors.secret_key_missing,
  invalid: identityErrors.secret_key_invalid,
};

const policies = {
  key: { name: 'key', perSecond: 1000, burst: 2000, isLeased: true },
  address: { name: 'address', perSecond: 50, burst: 200, isLeased: true },
  probe: { name: 'probe', perSecond: 5, burst: 300 },
  userProbe: { name: 'user-probe', perSecond: 0.1, burst: 100 },
  rare: { name: 'rare', perSecond: 0.1, burst: 10 },
  mail: { name: 'mail', perSecond: 1 / 600, burst: 5 },
  mails: { name: 'mails', perSecond: 10 / 3600, burst: 10 },
  message: { name: 'message', perSecond: 0.05, burst: 10 },
  link: { name: 'link', perSecond: 0.2, burst: 20 },
  claim: { name: 'claim', perSecond: 0.1, burst: 6 },
  receipt: { name: 'receipt', perSecond: 1 / 1200, burst: 3 },
  piBrowser: { name: 'pi-browser', perSecond: 0.5, burst: 20 },
  faucet: { name: 'faucet', perSecond: 1 / 60, burst: 5 },
} satisfies Record<string, BucketPolicy>;

export type GuardDeps = LimiterDeps & {
  findKey: (secret: string) => Promise<ApiKey | null>;
  /** Called for every call that a key was let in for. */
  noteUse?: (keyId: string, address: string) => void;
};

/** The checks before a route: the key, its restrictions, and the rate limit (contract.md#answers, #keys and #calls). */
export function createGuards(deps: GuardDeps): Guards {
  const { findKey, noteUse } = deps;
  const limiter = limiters(deps);
  const byKey = limiter(policies.key);
  const byAddress = limiter(policies.address);
  const byProbe = limiter(policies.probe);
  const byUserProbe = limiter(policies.userProbe);
  const byRare = limiter(policies.rare);
  const byMail = limiter(policies.mail);
  const byRecipient = limiter(policies.mails);
  const byMessage = limiter(policies.message);
  const byLink = limiter(policies.link);
  const byClaim = limiter(policies.claim);
  const byReceipt = limiter(policies.receipt);
  const byPiBrowser = limiter(policies.piBrowser);
  const byFaucet = limiter(policies.faucet);

  async function mail(recipient: string, purpose: MailPurpose): Promise<void> {
    await byMail.take(`${purpose} ${recipient}`);
    // The other mails of a stranger must not keep an owner from the link of a reset.
    if (purpose === 'reset') await byRecipient.count(recipient);
    else await byRecipient.take(recipient);
  }

  /** Lets the request's key through if it may be used from there, and for `action`; null: it needs no right. */
  async function admit(
    request: FastifyRequest,
    reply: FastifyReply,
    action: Action | null,
    rows: KeyRows,
    judge?: JudgeKey,
  ) {
    const secret = bearer(request.headers.authorization);
    if (secret === null) throw refuse(rows.missing);
    const key = await findKey(secret);
    if (!key) throw refuse(rows.invalid);
    // Before a refusal, so that the request log knows the key.
    request.apiKey = key;
    await judge?.(key);
    assertAllowed(key, action, request.ip);
    await byKey.take(key.id, reply);
    noteUse?.(key.id, request.ip);
  }

  return {
    ...signInLimits(limiter),
    key:
      (action, rows = anyCall, judge) =>
      (request, reply) =>
        admit(request, reply, action, rows, judge),
    keyIfAny: async (request, reply) => {
      // Whoever sends no key may call it, so a key needs no right for it.
      if (request.headers.authorization !== undefined) await admit(request, reply, null, anyCall);
      else await byAddress.take(clientKey(request.ip), reply);
    },
    anyone: async (request, reply) => {
      const secret = bearer(request.headers.authorization);
      const key = secret === null ? null : await findKey(secret);
      if (key) await byKey.take(key.id, reply);
      else await byAddress.take(clientKey(request.ip), reply);
    },
    probe: {
      check: (request) => byProbe.check(prober(request)),
      count: async (request) => void (await byProbe.count(prober(request))),
    },
    userProbe: {
      check: (integrationId) => byUserProbe.check(integrationId),
      count: async (integrationId) => void (await byUserProbe.count(integrationId)),
    },
    async rare(request, about) {
      await byRare.take(`address ${clientKey(request.ip)}`);
      await byRare.take(`about ${about}`);
    },
    mail,
    async mayMail(recipient, purpose) {
      try {
        await mail(recipient, purpose);
        return true;
      } catch (error) {
        if (error instanceof Refusal) return false;
        throw error;
      }
    },
    async message(request, about) {
      await byMessage.take(`address ${clientKey(request.ip)}`);
      await byMessage.take(`about ${about}`);
    },
    async payByLink(request) {
      await byLink.take(clientKey(request.ip));
    },
    async claim(request, paymentId) {
      await byClaim.take(`address ${clientKey(request.ip)}`);
      await byClaim.take(`payment ${paymentId}`);
    },
    async receipt(request, paymentId, recipient) {
      await byReceipt.take(`address ${clientKey(request.ip)}`);
      await byReceipt.take(`payment ${paymentId}`);
      await mail(recipient, 'receipt');
    },
    async piBrowser(request, paymentId) {
      await byPiBrowser.take(`address ${clientKey(request.ip)}`);
      await byPiBrowser.take(`payment ${paymentId}`);
    },
    async faucet(request, wallet) {
      await byFaucet.take(`address ${clientKey(request.ip)}`);
      await byFaucet.take(`wallet ${wallet}`);
    },
  };
}

function bearer(header: string | undefined): string | null {
  return /^Bearer +([^\s]+) *$/i.exec(header ?? '')?.[1] ?? null;
}

function prober(request: FastifyRequest): string {
  return `${clientKey(request.ip)} ${request.apiKey?.id ?? ''}`;
}

function assertAllowed(key: ApiKey, action: Action | null, ip: string): void {
  if (action !== null) assertMay(key, action);
  if (key.allowedAddresses && !key.allowedAddresses.some((range) => isClientWithin(range, ip))) {
    throw refuse(identityErrors.address_not_allowed, { ip });
  }
}

/** Whether a key may do this: without a list of rights it may do all that need not be named. */
export const mayKey = ({ allowedActions }: ApiKey, action: Action): boolean =>
  allowedActions?.includes(action) ?? !namedOnly.includes(action);

/** Refuses `action_not_allowed` where a key may not do this. */
export function assertMay(key: ApiKey, action: Action): void {
  if (!mayKey(key, action)) throw refuse(identityErrors.action_not_allowed, { action });
}

/** The key that the guard let through. Throws for a route without a guard, which is a bug. */
export function apiKeyOf(request: FastifyRequest): ApiKey {
  if (!request.apiKey) throw new Error('This route has no key guard');
  return request.apiKey;
}

/** The scope of an Idempotency-Key: integration, mode and route (contract.md#payments). */
export function idempotencyScope(key: ApiKey, route: string): string {
  return `${key.integration.id} ${key.mode} ${route}`;
}
