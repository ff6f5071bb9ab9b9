import type { FastifyInstance } from 'fastify';
import type { Logger } from 'pino';
import { createAuth } from '../identity/accounts/auth.ts';
import { createSessionLookup } from '../identity/accounts/sessions.ts';
import { accountRoutes } from '../identity/console/account-routes.ts';
import { approvalConsoleRoutes } from '../identity/console/approval-routes.ts';
import { auditRoutes } from '../identity/console/audit-routes.ts';
import { authRoutes } from '../identity/console/auth-routes.ts';
import { type ConsoleRoute, createConsole } from '../identity/console/console.ts';
import { identityConsoleRoutes } from '../identity/console/console-routes.ts';
import { integrationConsoleRoutes } from '../identity/console/integration-routes.ts';
import { invitationRoutes } from '../identity/console/invitation-routes.ts';
import { keyConsoleRoutes } from '../identity/console/key-routes.ts';
import { requestConsoleRoutes } from '../identity/console/request-routes.ts';
import { teamRoutes } from '../identity/console/team-routes.ts';
import { createDomainCheck, type ResolveTxt } from '../identity/integrations/domain.ts';
import type { Guards } from '../identity/keys/guards.ts';
import type { Sender } from '../kit/net/safe-fetch.ts';
import type { Seal } from '../kit/seal.ts';
import { paymentApprovalTasks } from '../payments/api/approval-tasks.ts';
import { appealConsoleRoutes } from '../payments/api/console-appeal-routes.ts';
import { overviewConsoleRoutes } from '../payments/api/console-overview-routes.ts';
import { paymentConsoleRoutes } from '../payments/api/console-routes.ts';
import { simulateConsoleRoutes } from '../payments/api/simulate-routes.ts';
import { recentVolume } from '../payments/read/volume.ts';
import type { Rail } from '../rails/rail.ts';
import type { ReceiverChecks } from '../receiver-check/checks.ts';
import { receiverCheckConsoleRoutes } from '../receiver-check/console-routes.ts';
import { testClockConsoleRoutes } from '../test-clock/console-routes.ts';
import type { TestClockDeps } from '../test-clock/test-clock.ts';
import { type WalletConsoleDeps, walletConsoleRoutes } from '../wallets/console-routes.ts';
import { statementConsoleRoutes } from '../wallets/console-statement-routes.ts';
import { webhookApprovalTasks } from '../webhooks/api/approval-tasks.ts';
import { webhookConsoleRoutes } from '../webhooks/api/console-routes.ts';
import { type OperatorDeps, operatorRoutes } from './operator-routes.ts';

export type ConsoleDeps = TestClockDeps &
  WalletConsoleDeps &
  OperatorDeps & {
    seal: Seal;
    guards: Guards;
    baseUrl: string;
    payUrl: string;
    rail: Rail;
    /** Every webhook endpoint may lead into private networks (WEBHOOK_ALLOW_PRIVATE). */
    allowPrivate: boolean;
    sender: Sender;
    checks: ReceiverChecks;
    resolveTxt: ResolveTxt;
    log: Logger;
  };

/** Joins the slices' routes to the dashboard's API, and tells which there are. */
export function consoleRoutes(app: FastifyInstance, deps: ConsoleDeps): readonly ConsoleRoute[] {
  const auth = createAuth(deps);
  const sessionOf = createSessionLookup(deps, auth);
  const dashboard = createConsole({ ...deps, app, sessionOf, origin: auth.origin });
  const accounts = { ...deps, app, auth, sessionOf };
  authRoutes(accounts);
  accountRoutes(dashboard, accounts);
  identityConsoleRoutes(dashboard, deps);
  requestConsoleRoutes(dashboard, deps);
  walletConsoleRoutes(dashboard, deps);
  statementConsoleRoutes(dashboard, deps);
  testClockConsoleRoutes(dashboard, deps);
  webhookConsoleRoutes(dashboard, deps);
  receiverCheckConsoleRoutes(dashboard, deps);
  integrationConsoleRoutes(dashboard, {
    ...deps,
    checkDomain: createDomainCheck(deps.resolveTxt, deps.sender),
  });
  keyConsoleRoutes(dashboard, deps);
  approvalConsoleRoutes(dashboard, {
    ...deps,
    tasks: [paymentApprovalTasks, webhookApprovalTasks],
    volumeOf: recentVolume,
    dashboardUrl: `${deps.baseUrl}/app/`,
  });
  paymentConsoleRoutes(dashboard, deps);
  simulateConsoleRoutes(dashboard, deps);
  appealConsoleRoutes(dashboard, deps);
  operatorRoutes(dashboard, deps);
  teamRoutes(dashboard, deps);
  invitationRoutes(dashboard, { ...accounts, baseUrl: deps.baseUrl });
  auditRoutes(dashboard, deps);
  overviewConsoleRoutes(dashboard, deps);
  return dashboard.routes;
}
