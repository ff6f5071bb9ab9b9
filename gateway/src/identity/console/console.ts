import type { FastifyInstance, FastifyReply, FastifyRequest, HTTPMethods } from 'fastify';
import type { Static, TSchema } from 'typebox';
import { after, type Clock } from '../../kit/clock.ts';
import { type Database, type Tx, transaction } from '../../kit/db/db.ts';
import { kitErrors, refuse } from '../../kit/errors.ts';
import { answers, type Sent } from '../../kit/http/answers.ts';
import { envelope, idempotencyKeyOf, refuseForeign, sendAnswer, sendEnvelope } from '../../kit/http/http.ts';
import { once } from '../../kit/http/idempotency.ts';
import { isUuid } from '../../kit/ids.ts';
import type { IsOwnOrigin } from '../../kit/net/own-origins.ts';
import { missingFactor } from '../accounts/second-factor.ts';
import type { Session } from '../accounts/sessions.ts';
import { type Actor, type Change, recordChange } from '../audit/audit-log.ts';
import { identityErrors } from '../errors.ts';
import type { Integration, IntegrationId, Mode } from '../integration.ts';
import type { Guards } from '../keys/guards.ts';
import { type Merchant, reachIntegration, reachMerchant } from '../merchants/merchants.ts';
import { mayRole, type Permission, type Role } from '../roles.ts';

/** The subject of a route of the dashboard's API, which decides who may call it. */
export const scopes = {
  /** Any signed-in person, about themselves. */
  account: '/console/account',
  /** Members of the merchant. */
  merchant: '/console/merchants/:merchant',
  /** Members of the integration's merchant. */
  integration: '/console/integrations/:integration',
  /** The same, for one mode of the integration. */
  mode: '/console/integrations/:integration/:mode',
  /** Operators of this installation. */
  operator: '/console/operator',
} as const;

export type Scope = keyof typeof scopes;

type Reached = {
  account: object;
  merchant: { merchant: Merchant; role: Role };
  /** `merchant` is null for an integration that was made on the command line. */
  integration: { merchant: Merchant | null; role: Role; integration: Integration };
  mode: Reached['integration'] & { owner: { integrationId: IntegrationId; mode: Mode } };
  operator: object;
};

/** A call that was let in: the caller, the subject, and the input. */
export type Call<S extends Scope> = Reached[S] & {
  session: Session;
  actor: Actor;
  params: Record<string, string>;
  query: unknown;
  body: unknown;
  request: FastifyRequest;
  reply: FastifyReply;
};

type Unproven = 'always' | 'to set up';

type Permitted<S extends Scope> = S extends 'account' | 'operator' ? object : { may: Permission };

type Terms<S extends Scope, A extends TSchema> = Permitted<S> & {
  /** The schema of the answer's `data`; the compiler checks the handler against it. */
  answer: A;
  /** Requires a sign-in or a confirmation in the last ten minutes. */
  fresh?: boolean;
  /** Also before the second factor that the account needs was shown: at any time, or only to set the first one up. */
  unproven?: Unproven;
  /** A higher limit for the body. */
  bodyLimitBytes?: number;
};

export type Answered<D = unknown> = { message: string; data: D };
/** A write reports its change; null when nothing changed. */
export type Written<D = unknown> = Answered<D> & { change: Change | null };

export type ConsoleRoute = {
  method: HTTPMethods;
  url: string;
  scope: Scope;
  may: Permission | null;
  fresh: boolean;
  /** Whether it answers people who have not shown the second factor that their account needs. */
  unproven: Unproven | null;
  /** The schema of the answer's `data`; null for a file. */
  answer: TSchema | null;
};

export type Console = {
  /** Every route, for the test that calls each of them as people who may not. */
  routes: readonly ConsoleRoute[];
  /** Reads. */
  get<S extends Scope, A extends TSchema>(
    scope: S,
    path: string,
    terms: Terms<S, A>,
    handler: (call: Call<S>) => Promise<Answered<Sent<Static<A>>>>,
  ): void;
  /** Reads a file. The handler sends it by `call.reply`. */
  download<S extends Scope>(
    scope: S,
    path: string,
    terms: Permitted<S>,
    handler: (call: Call<S>) => Promise<FastifyReply>,
  ): void;
  /**
   * Writes in one transaction, together with the entry of the audit log, and once for each Idempotency-Key.
   * With `secrets` it takes no Idempotency-Key, because the answers of those are stored.
   */
  write<S extends Scope, A extends TSchema>(
    method: 'POST' | 'PUT' | 'PATCH' | 'DELETE',
    scope: S,
    path: string,
    terms: Terms<S, A> & { secrets?: boolean },
    handler: (tx: Tx, call: Call<S>) => Promise<Written<Sent<Static<A>>>>,
  ): void;
  /**
   * Does what does not fit one transaction, such as calling another system; `record` writes the audit log. A handler
   * that returns null has sent the answer itself, which was stored for its Idempotency-Key.
   */
  act<S extends Scope, A extends TSchema>(
    method: 'POST' | 'PUT' | 'PATCH' | 'DELETE',
    scope: S,
    path: string,
    terms: Terms<S, A>,
    handler: (
      call: Call<S>,
      record: (tx: Tx, change: Change) => Promise<void>,
    ) => Promise<Answered<Sent<Static<A>>> | null>,
  ): void;
};

export type ConsoleDeps = {
  app: FastifyInstance;
  db: Database;
  guards: Guards;
  sessionOf: (request: FastifyRequest) => Promise<Session | null>;
  /** Whether an origin is the dashboard's own. */
  isOwnOrigin: IsOwnOrigin;
  now: Clock;
};

const freshSeconds = 10 * 60;

/** The only place that checks calls of the dashboard: origin, session, tenant, role and freshness. */
export function createConsole(deps: ConsoleDeps): Console {
  const { app, db, now } = deps;
  const routes: ConsoleRoute[] = [];

  function route<S extends Scope>(
    method: HTTPMethods,
    scope: S,
    path: string,
    terms: {
      may?: Permission;
      answer?: TSchema | null;
      fresh?: boolean;
      unproven?: Unproven;
      bodyLimitBytes?: number;
    },
    handler: (call: Call<S>) => Promise<FastifyReply>,
  ): void {
    const { may = null, answer = null, fresh = false, unproven = null, bodyLimitBytes } = terms;
    const known = { method, url: `${scopes[scope]}${path}`, scope, may, fresh, unproven, answer };
    routes.push(known);
    const calls = new WeakMap<FastifyRequest, Call<S>>();
    app.route({
      method,
      url: known.url,
      schema: { hide: true, ...(answer && { response: answers(answer) }) },
      ...(bodyLimitBytes === undefined ? {} : { bodyLimit: bodyLimitBytes }),
      onRequest: [
        deps.guards.anyone,
        // Before the body is read, so that nobody else can make us read one.
        async (request, reply) => {
          calls.set(request, await admit(deps, known, request, reply));
        },
      ],
      handler: (request) => {
        const call = calls.get(request);
        if (!call) throw new Error(`${method} ${known.url} was not admitted`);
        call.body = request.body;
        return handler(call);
      },
    });
  }

  const send = ({ reply }: Pick<Call<Scope>, 'reply'>, answered: Answered | null): FastifyReply =>
    answered ? sendEnvelope(reply, envelope(answered.message, answered.data)) : reply;

  return {
    routes,
    get: (scope, path, terms, handler) =>
      route('GET', scope, path, terms, async (call) => send(call, await handler(call))),
    download: (scope, path, terms, handler) => route('GET', scope, path, terms, handler),
    write: (method, scope, path, terms, handler) =>
      route(method, scope, path, terms, async (call) => {
        const key = terms.secrets
          ? null
          : idempotencyKeyOf(
              call.request,
              `console ${call.session.account.id} ${method} ${call.request.url}`,
            );
        const answer = await transaction(db, (tx) =>
          once(tx, key, now(), async () => {
            const { message, data, change } = await handler(tx, call);
            if (change) await recordChange(tx, call.actor, { ...placeOf(call), ...change }, now());
            return envelope(message, data);
          }),
        );
        return sendAnswer(call.reply, answer);
      }),
    act: (method, scope, path, terms, handler) =>
      route(method, scope, path, terms, async (call) => {
        const record = (tx: Tx, change: Change) =>
          recordChange(tx, call.actor, { ...placeOf(call), ...change }, now());
        return send(call, await handler(call, record));
      }),
  };
}

/** Refuses `fresh_sign_in` where nobody signed in or confirmed in the last ten minutes. */
export function assertFresh({ session }: { session: Session }, now: Date): void {
  if (session.freshAt < after(now, -freshSeconds)) throw refuse(identityErrors.fresh_sign_in);
}

/** Refuses a session whose account needs a second factor that it has not shown. */
function assertProven(session: Session, unproven: Unproven | null): void {
  const missing = missingFactor(session);
  if (missing === null || unproven === 'always') return;
  if (missing === 'show') throw refuse(identityErrors.second_factor_unshown);
  if (unproven !== 'to set up') throw refuse(identityErrors.second_factor_needed);
}

/** The merchant and integration of a change in the audit log, unless the route sets them. */
function placeOf(call: object): Pick<Change, 'merchantId' | 'integrationId'> {
  const { merchant, integration }: Partial<Reached['integration']> = call;
  return { merchantId: merchant?.id ?? null, integrationId: integration?.id ?? null };
}

async function admit<S extends Scope>(
  deps: ConsoleDeps,
  route: ConsoleRoute & { scope: S },
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<Call<S>> {
  if (route.method !== 'GET') refuseForeign(request, deps.isOwnOrigin);
  const session = await deps.sessionOf(request);
  if (!session) throw refuse(identityErrors.not_signed_in);
  request.person = session.account;
  assertProven(session, route.unproven);
  const params = (request.params ?? {}) as Record<string, string>;
  const reached = await reach(deps, route, session, params);
  if (route.fresh) assertFresh({ session }, deps.now());
  const { account } = session;
  const actor: Actor = {
    kind: 'account',
    id: account.id,
    name: account.email,
    asOperator: route.scope === 'operator',
    address: request.ip,
  };
  const call = { session, actor, params, query: request.query, body: undefined, request, reply };
  return { ...call, ...reached } as unknown as Call<S>;
}

/** The subject of the call, if this person may do this with it; `Not found` for what they may not see. */
async function reach(
  { db }: ConsoleDeps,
  { scope, may }: ConsoleRoute,
  { account }: Session,
  params: Record<string, string>,
): Promise<Reached[Scope]> {
  if (scope === 'account') return {};
  if (scope === 'operator') {
    if (!account.isOperator) throw refuse(identityErrors.operators_only);
    return {};
  }
  const id = params[scope === 'merchant' ? 'merchant' : 'integration'] ?? '';
  const found = !isUuid(id)
    ? null
    : scope === 'merchant'
      ? await reachMerchant(db, account.id, id)
      : await reachIntegration(db, account.id, id);
  const role = found?.role ?? (account.isOperator ? 'operator' : null);
  if (!found || !role) throw refuse(kitErrors.not_found);
  const mode = params.mode;
  if (scope === 'mode' && mode !== 'test' && mode !== 'live') throw refuse(kitErrors.not_found);
  if (may && !mayRole(role, may)) throw refuse(identityErrors.role_may_not, { permission: may });
  if (!('integration' in found)) return { merchant: { id: found.id, name: found.name }, role };
  const { integration, merchant } = found;
  const reached = { integration, merchant, role };
  return scope === 'mode'
    ? { ...reached, owner: { integrationId: integration.id, mode: mode as Mode } }
    : reached;
}
