import type { FastifyReply, FastifyRequest } from 'fastify';
import { after, type Clock } from '../../../kit/clock.ts';
import type { Database } from '../../../kit/db/db.ts';
import { kitErrors, refuse } from '../../../kit/errors.ts';
import { refuseForeign } from '../../../kit/http/http.ts';
import { isUuid } from '../../../kit/ids.ts';
import type { IsOwnOrigin } from '../../../kit/net/own-origins.ts';
import { missingFactor } from '../../accounts/second-factor.ts';
import type { Session } from '../../accounts/sessions.ts';
import type { Actor } from '../../audit/audit-log.ts';
import { identityErrors } from '../../errors.ts';
import type { Mode } from '../../integration.ts';
import { reachIntegration, reachMerchant } from '../../merchants/merchants.ts';
import { mayRole } from '../../roles.ts';
import type { Call, ConsoleRoute, Reached, Scope, Unproven } from './call.ts';

export type AdmissionDeps = {
  db: Database;
  sessionOf: (request: FastifyRequest) => Promise<Session | null>;
  /** Whether an origin is the dashboard's own. */
  isOwnOrigin: IsOwnOrigin;
  now: Clock;
};

const freshSeconds = 10 * 60;

/**
 * Throws `fresh_sign_in` unless the person signed in or confirmed in the last ten minutes, by a second factor if the
 * account has one.
 */
export function assertFresh({ session }: { session: Session }, now: Date): void {
  const { freshAt } = session;
  if (freshAt === null || freshAt < after(now, -freshSeconds)) throw refuse(identityErrors.fresh_sign_in);
}

/** Throws for a session whose account needs a second factor that was not shown in it. */
function assertProven(session: Session, unproven: Unproven | null): void {
  const missing = missingFactor(session);
  if (missing === null || unproven === 'always') return;
  if (missing === 'show') throw refuse(identityErrors.second_factor_unshown);
  if (unproven !== 'to set up') throw refuse(identityErrors.second_factor_needed);
}

/** Checks origin, session, second factor, tenant, role and freshness. Throws for a call that is not allowed. */
export async function admit<S extends Scope>(
  deps: AdmissionDeps,
  route: ConsoleRoute & { scope: S },
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<Call<S>> {
  if (route.method !== 'GET') refuseForeign(request, deps.isOwnOrigin);
  const session = await deps.sessionOf(request);
  if (!session) throw refuse(identityErrors.not_signed_in);
  request.person = session.account;
  assertProven(session, route.unproven);
  const reached = await reach(deps, route, session, request);
  if (route.fresh) assertFresh({ session }, deps.now());
  const { account } = session;
  const actor: Actor = {
    kind: 'account',
    id: account.id,
    name: account.email,
    asOperator: route.scope === 'operator',
    address: request.ip,
  };
  const { query } = request;
  const call = { session, actor, params: paramsOf(request), query, body: undefined, request, reply };
  return { ...call, ...reached } as unknown as Call<S>;
}

function paramsOf({ params }: FastifyRequest): Record<string, string> {
  return (params ?? {}) as Record<string, string>;
}

/** The subject of the call, if this person may do this with it. Throws `not_found` for what they may not see. */
async function reach(
  { db }: AdmissionDeps,
  { scope, may }: ConsoleRoute,
  { account }: Session,
  request: FastifyRequest,
): Promise<Reached[Scope]> {
  if (scope === 'account') return {};
  if (scope === 'operator') {
    if (!account.isOperator) throw refuse(identityErrors.operators_only);
    return {};
  }
  const params = paramsOf(request);
  const id = params[scope === 'merchant' ? 'merchant' : 'integration'] ?? '';
  const found = !isUuid(id)
    ? null
    : scope === 'merchant'
      ? await reachMerchant(db, account.id, id)
      : await reachIntegration(db, account.id, id);
  const role = found?.role ?? (account.isOperator ? 'operator' : null);
  if (!found || !role) {
    request.isOutOfReach = true;
    throw refuse(kitErrors.not_found);
  }
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
