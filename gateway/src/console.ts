import type { FastifyInstance } from 'fastify';
import type { Logger } from 'pino';
import { accountRoutes } from './identity/account-routes.ts';
import { auditRoutes } from './identity/audit-routes.ts';
import { createAuth } from './identity/auth.ts';
import { authRoutes } from './identity/auth-routes.ts';
import { type ConsoleRoute, createConsole } from './identity/console.ts';
import { identityConsoleRoutes } from './identity/console-routes.ts';
import type { Guards } from './identity/guards.ts';
import { invitationRoutes } from './identity/invitation-routes.ts';
import { createSessionLookup } from './identity/sessions.ts';
import { teamRoutes } from './identity/team-routes.ts';
import type { Clock } from './kit/clock.ts';
import type { Database } from './kit/db.ts';
import type { Seal } from './kit/seal.ts';

export type ConsoleDeps = {
  db: Database;
  seal: Seal;
  guards: Guards;
  baseUrl: string;
  log: Logger;
  now: Clock;
};

/** Joins the slices' routes to the dashboard's API, and tells which there are. */
export async function consoleRoutes(
  app: FastifyInstance,
  deps: ConsoleDeps,
): Promise<readonly ConsoleRoute[]> {
  const auth = await createAuth(deps);
  const sessionOf = createSessionLookup(deps, auth);
  const dashboard = createConsole({ ...deps, app, sessionOf, origin: auth.origin });
  const accounts = { ...deps, app, auth, sessionOf };
  authRoutes(accounts);
  accountRoutes(dashboard, accounts);
  identityConsoleRoutes(dashboard, deps);
  teamRoutes(dashboard, deps);
  invitationRoutes(dashboard, { ...accounts, baseUrl: deps.baseUrl });
  auditRoutes(dashboard, deps);
  return dashboard.routes;
}
