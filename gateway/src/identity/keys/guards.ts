import type { FastifyReply, FastifyRequest, onRequestAsyncHookHandler } from 'fastify';
import { type ErrorRow, refuse } from '../../kit/errors.ts';
import type { BucketPolicy } from '../../kit/http/token-bucket.ts';
import { clientKey, isClientWithin } from '../../kit/net/client-address.ts';
import { scopeHere } from '../../kit/trace.ts';
import { identityErrors } from '../errors.ts';
import { type Action, actions, namedOnly } from './actions.ts';
import type { ApiKey } from './keys.ts';
import { type LimiterDeps, limiters } from './limiter.ts';
import { type SignInLimits, signInLimits } from './sign-in-limits.ts';
import { type VisitorLimits, visitorLimits } from './visitor-limits.ts';

export { type Action, actions } from './actions.ts';
export type { MailPurpose } from './visitor-limits.ts';

declare module 'fastify' {
  interface FastifyRequest {
    apiKey?: ApiKey;
  }
}

export type Guards = SignInLimits &
  VisitorLimits & {
    /** Allows a valid key that may do this, and puts it on the request. */
    key(action: Action, rows?: KeyRows, check?: CheckKey): onRequestAsyncHookHandler;
    /** Allows every valid key, which needs no right for it. */
    anyKey: onRequestAsyncHookHandler;
    /** Allows every restricted key that stands behind `token` in place of `Bearer` (contract.md#btcpay). */
    token: onRequestAsyncHookHandler;
    /** Allows a call without a key, or with a valid one; the key needs no right. */
    keyIfAny: onRequestAsyncHookHandler;
    /** Allows everybody, within the rate limit of the key if there is one, else of the address. */
    anyone: onRequestAsyncHookHandler;
    /** A limit for guessing references, by the answers that show whether one exists (409 and 404). */
    probe: { check(request: FastifyRequest): Promise<void>; count(request: FastifyRequest): Promise<void> };
  };

/** A further check of a valid key, which comes before the check of what it may do. */
type CheckKey = (key: ApiKey) => Promise<void>;

/** `action` null: any call. */
type Admission = {
  action: Action | null;
  rows: KeyRows;
  check?: CheckKey | undefined;
  scheme?: 'bearer' | 'token';
};

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
} satisfies Record<string, BucketPolicy>;

export type GuardDeps = LimiterDeps & {
  findKey: (secret: string) => Promise<ApiKey | null>;
  /** Called for every call that a key was allowed. */
  noteUse?: (keyId: string, address: string) => void;
};

/** The checks before a route: the key, its restrictions, and the rate limit (contract.md#answers, #keys and #calls). */
export function createGuards(deps: GuardDeps): Guards {
  const { findKey, noteUse } = deps;
  const limiter = limiters(deps);
  const byKey = limiter(policies.key);
  const byAddress = limiter(policies.address);
  const byProbe = limiter(policies.probe);

  /** Throws unless the request has a key that may be used from its address, and for `action`; null: for any call. */
  async function admit(
    request: FastifyRequest,
    reply: FastifyReply,
    { action, rows, check, scheme = 'bearer' }: Admission,
  ) {
    const secret = secretBehind(scheme, request.headers.authorization);
    if (secret === null) throw refuse(rows.missing);
    const key = await findKey(secret);
    if (!key) throw refuse(rows.invalid);
    // Before a refusal, so that the request log knows the key.
    request.apiKey = key;
    scopeHere()?.note({ 'florin.integration_id': key.integration.id, 'florin.mode': key.mode });
    await check?.(key);
    assertAllowed(key, action, request.ip);
    await byKey.take(key.id, reply);
    noteUse?.(key.id, request.ip);
  }

  return {
    ...signInLimits(limiter),
    ...visitorLimits(limiter),
    key(action, rows = anyCall, check) {
      const guard: onRequestAsyncHookHandler = (request, reply) =>
        admit(request, reply, { action, rows, check });
      actionsOfGuards.set(guard, action);
      return guard;
    },
    anyKey: (request, reply) => admit(request, reply, { action: null, rows: anyCall }),
    token: (request, reply) =>
      admit(request, reply, { action: null, rows: anyCall, check: refuseSigning, scheme: 'token' }),
    keyIfAny: async (request, reply) => {
      // A call without a key is allowed, so a key needs no right for it.
      if (request.headers.authorization !== undefined)
        await admit(request, reply, { action: null, rows: anyCall });
      else await byAddress.take(clientKey(request.ip), reply);
    },
    anyone: async (request, reply) => {
      const secret = secretBehind('bearer', request.headers.authorization);
      const key = secret === null ? null : await findKey(secret);
      if (key) await byKey.take(key.id, reply);
      else await byAddress.take(clientKey(request.ip), reply);
    },
    probe: {
      check: (request) => byProbe.check(prober(request)),
      count: async (request) => void (await byProbe.count(prober(request))),
    },
  };
}

const actionsOfGuards = new WeakMap<object, Action>();

/** What a key must be allowed to do for a route with these guards, as the API's document says it; undefined: nothing. */
export function actionOfGuards(guards: unknown): Action | undefined {
  return [guards].flat().flatMap((guard) => actionsOfGuards.get(guard as object) ?? [])[0];
}

const schemes = { bearer: /^Bearer +([^\s]+) *$/i, token: /^token +([^\s]+) *$/i };

function secretBehind(scheme: keyof typeof schemes, header: string | undefined): string | null {
  return schemes[scheme].exec(header ?? '')?.[1] ?? null;
}

async function refuseSigning({ isSigning }: ApiKey): Promise<void> {
  if (isSigning) throw refuse(identityErrors.authorization);
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

/** Whether a key may do this. A key without a list of rights may do everything but `namedOnly`. */
export const mayKey = ({ allowedActions }: ApiKey, action: Action): boolean =>
  allowedActions?.includes(action) ?? !namedOnly.includes(action);

/** Everything that a key may do now. */
export const actionsOf = (key: ApiKey): Action[] => actions.filter((action) => mayKey(key, action));

/** Throws `action_not_allowed` when a key may not do this. */
export function assertMay(key: ApiKey, action: Action): void {
  if (!mayKey(key, action)) throw refuse(identityErrors.action_not_allowed, { action });
}

/** The key that the guard allowed. Throws for a route without a guard, which is a bug. */
export function apiKeyOf(request: FastifyRequest): ApiKey {
  if (!request.apiKey) throw new Error('This route has no key guard');
  return request.apiKey;
}

/** The scope of an Idempotency-Key: integration, mode and route (contract.md#payments). */
export function idempotencyScope(key: ApiKey, route: string): string {
  return `${key.integration.id} ${key.mode} ${route}`;
}
