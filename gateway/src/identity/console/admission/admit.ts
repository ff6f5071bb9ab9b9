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
 * Refuses `fresh_sign_in` where nobody signed in or confirmed in the last ten minutes, by a second factor where the account
 * has one.
 */
export function assertFresh({ session }: { session: Session }, now: Date): void {
  const { freshAt } = session;
  if (freshAt === null || freshAt < after(now, -freshSeconds)) throw refuse(identityErrors.fresh_sign_in);
}

/** Refuses a session whose account needs a second factor that it has not shown. */
function assertProven(session: Session, unproven: Unproven | null): void {
  const missing = missingFactor(session);
  if (missing === null || unproven === 'always') return;
  if (missing === 'show') throw refuse(identityErrors.second_factor_unshown);
  if (unproven !== 'to set up') throw refuse(identityErrors.second_factor_needed);
}

/** Lets a call in, or throws why not: origin, session, second factor, tenant, role and freshness. */
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
  const params = (request.params ?? {}) as Record<string, string>;
  const reached = await reach(deps, route, session, params, () => {
    request.isOutOfReach = true;
  });
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
  { db }: AdmissionDeps,
  { scope, may }: ConsoleRoute,
  { account }: Session,
  params: Record<string, string>,
  onOutOfReach: () => void,
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
  if (!found || !role) {
    onOutOfReach();
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
