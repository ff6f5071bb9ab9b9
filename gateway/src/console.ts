import type { FastifyInstance } from 'fastify';
import type { Logger } from 'pino';
import { accountRoutes } from './identity/account-routes.ts';
import { auditRoutes } from './identity/audit-routes.ts';
import { createAuth } from './identity/auth.ts';
import { authRoutes } from './identity/auth-routes.ts';
import { type ConsoleRoute, createConsole } from './identity/console.ts';
import { approvalConsoleRoutes } from './identity/console-approval-routes.ts';
import { integrationConsoleRoutes } from './identity/console-integration-routes.ts';
import { keyConsoleRoutes } from './identity/console-key-routes.ts';
import { requestConsoleRoutes } from './identity/console-request-routes.ts';
import { identityConsoleRoutes } from './identity/console-routes.ts';
import { createDomainCheck, type ResolveTxt } from './identity/domain.ts';
import type { Guards } from './identity/guards.ts';
import { invitationRoutes } from './identity/invitation-routes.ts';
import { createSessionLookup } from './identity/sessions.ts';
import { teamRoutes } from './identity/team-routes.ts';
import type { Sender } from './kit/safe-fetch.ts';
import type { Seal } from './kit/seal.ts';
import { type OperatorDeps, operatorRoutes } from './operator-routes.ts';
import { paymentApprovalTasks } from './payments/approval-tasks.ts';
import { appealConsoleRoutes } from './payments/console-appeal-routes.ts';
import { overviewConsoleRoutes } from './payments/console-overview-routes.ts';
import { paymentConsoleRoutes } from './payments/console-routes.ts';
import { simulateConsoleRoutes } from './payments/simulate-routes.ts';
import { recentVolume } from './payments/volume.ts';
import type { Rail } from './rails/rail.ts';
import type { TestClockDeps } from './test-clock.ts';
import { testClockConsoleRoutes } from './test-clock-console-routes.ts';
import { type WalletConsoleDeps, walletConsoleRoutes } from './wallets/console-routes.ts';
import { statementConsoleRoutes } from './wallets/console-statement-routes.ts';
import { webhookApprovalTasks } from './webhooks/approval-tasks.ts';
import { webhookConsoleRoutes } from './webhooks/console-routes.ts';
import type { ReceiverChecks } from './webhooks/receiver-check/checks.ts';
import { receiverCheckConsoleRoutes } from './webhooks/receiver-check/console-routes.ts';

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
