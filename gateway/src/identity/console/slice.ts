import type { FastifyInstance } from 'fastify';
import type { Logger } from 'pino';
import { after, type Clock } from '../../kit/clock.ts';
import type { Database } from '../../kit/db/db.ts';
import type { Hints } from '../../kit/db/hints.ts';
import type { Aged } from '../../kit/db/standby/aged.ts';
import { forgetKeys } from '../../kit/http/idempotency.ts';
import type { HttpSender } from '../../kit/net/safe-fetch.ts';
import type { Seal } from '../../kit/seal.ts';
import type { LoopPlan, Slice } from '../../kit/slice.ts';
import type { Assets } from '../../money/assets.ts';
import { mailAskedResets } from '../accounts/asked-resets.ts';
import { createAuth } from '../accounts/auth.ts';
import { forgetPlaces } from '../accounts/known-places.ts';
import { createSessionLookup, forgetSessions } from '../accounts/sessions.ts';
import { createSecurityLog, forgetSecurityEvents, type SecurityLog } from '../audit/security-log.ts';
import type { ForgetPerson } from '../closing/close-account.ts';
import { identityErrors } from '../errors.ts';
import { createDomainCheck } from '../integrations/domain.ts';
import {
  createPageDomainCheck,
  createResolve,
  type PageDomainCheck,
  type Resolve,
} from '../integrations/page-domain-check.ts';
import { followPageHosts, type PageHosts } from '../integrations/page-hosts.ts';
import { recheckPageDomains } from '../integrations/recheck-page-domains.ts';
import { createGuards, type GuardDeps, type Guards } from '../keys/guards.ts';
import type { HeldBy } from '../keys/held.ts';
import { createKeyUses, type KeyUses } from '../keys/key-uses.ts';
import { createKeyLookup } from '../keys/keys.ts';
import { forgetMails } from '../mail/mail.ts';
import { type AlertKind, mailSecurityAlerts } from '../mail/security-alerts.ts';
import { createMailWorker, type MailWorker } from '../mail/worker.ts';
import type { JudgeTeam } from '../merchants/team.ts';
import { runDueProposals } from '../proposals/due.ts';
import { createProposals, type Proposals } from '../proposals/proposals.ts';
import { createRequestLogMetrics } from '../request-log/metrics.ts';
import { createRequestLog, type RequestLog } from '../request-log/request-log.ts';
import { forgetRequests } from '../request-log/request-reads.ts';
import { accountRoutes } from './account-routes.ts';
import { announcementRoutes } from './announcement-routes.ts';
import { type ApprovalConsoleDeps, approvalConsoleRoutes } from './approval-routes.ts';
import { type AuditRoutesDeps, auditRoutes } from './audit-routes.ts';
import { authRoutes } from './auth-routes.ts';
import { brandRoutes } from './brand/brand-routes.ts';
import { certificateRoutes, pageDomainRoutes } from './brand/page-domain-routes.ts';
import { closingRoutes } from './closing/routes.ts';
import { type Console, createConsole } from './console.ts';
import { identityConsoleRoutes } from './console-routes.ts';
import { integrationConsoleRoutes } from './integration-routes.ts';
import { invitationRoutes } from './invitation-routes.ts';
import { keyConsoleRoutes } from './key-routes.ts';
import { logoRoutes } from './logo-routes.ts';
import { outboxRoutes } from './mail-routes.ts';
import { operatorAccountRoutes } from './operator-account-routes.ts';
import { operatorMerchantRoutes } from './operator-merchant-routes.ts';
import { proposalRoutes } from './proposals/routes.ts';
import { requestConsoleRoutes } from './request-routes.ts';
import { watchRefusals } from './security-watch.ts';
import { setupRoutes } from './setup/routes.ts';
import { type SetupCalls, setupCalls } from './setup/setup-calls.ts';
import { teamRoutes } from './team-routes.ts';

export type IdentityDeps = {
  db: Database;
  /** Where lists, charts and exports are read. */
  aged: Aged;
  seal: Seal;
  assets: Assets;
  log: Logger;
  now: Clock;
  baseUrl: string;
  payUrl: string;
  hints: Hints;
  /** Further origins by which people reach the gateway. */
  origins: readonly string[];
  rateLimit: boolean;
  /** Where the buckets of rate limits are; this process's own where it is left out. */
  openBuckets?: GuardDeps['openBuckets'];
  /** The mail server and the sender of mails; without a server mails stay in the outbox. */
  mail: { smtpUrl: string | null; from: string };
  sender: HttpSender;
  /** Only this machine reaches the gateway: accounts of the demo then need no second factor. */
  isLocal: boolean;
  /** Looks up DNS records; those that are left out by this machine's DNS servers. */
  resolve?: Partial<Resolve> | undefined;
  /** Whether merchants are asked for an own address for live payments. */
  isDirectAsked: boolean;
  /** What other slices show operators of an integration that asks for live mode. */
  approval: Pick<ApprovalConsoleDeps, 'tasks' | 'volumeOf'>;
  /** How long security events are kept, and which of them are mailed to operators. */
  security: { retentionDays: number; alerts: readonly AlertKind[] };
  /** Checks of other slices before a team changes, such as that enough people are left to approve payouts. */
  judgeTeam: JudgeTeam;
  /** What other slices hold that stops when a member's role changes. */
  heldBy: readonly HeldBy[];
  /** The usernames of wallets' users by their ids, for the staff log. */
  nameUsers: AuditRoutesDeps['nameUsers'];
  /** Removes people whose account is closed from what other slices keep. */
  forgetPerson: readonly ForgetPerson[];
};

export type Identity = Slice<Console> & {
  guards: Guards;
  requestLog: RequestLog;
  securityLog: SecurityLog;
  /** The domains of merchants at which their pages are. */
  hosts: PageHosts;
  /** Notes failures, refusals and limits of all calls, and keeps them off the domains of pages. Call it before routes are registered. */
  watch(server: FastifyInstance): void;
  /** Declares calls of whoever has the link of the first run. */
  setupCalls(server: FastifyInstance): SetupCalls;
  /** Declares the calls of the dashboard on a server. */
  openDashboard(server: FastifyInstance): Console;
};

const secondMs = 1_000;
const minuteMs = 60 * secondMs;
const daySeconds = 24 * 3600;
/** How many days the outbox shows a mail that was sent. */
const mailDays = 30;

/** Accounts, sessions, merchants, integrations, keys and mails. */
export function createIdentity(deps: IdentityDeps): Identity {
  const { db, now, log, baseUrl, mail } = deps;
  const keyUses = createKeyUses(db, now);
  const guards = createGuards({
    findKey: createKeyLookup(db, now),
    noteUse: keyUses.note,
    now,
    rateLimit: deps.rateLimit,
    openBuckets: deps.openBuckets,
  });
  const mails = createMailWorker({ db, ...mail, log });
  const requestLog = createRequestLog({ db, now, log });
  const securityLog = createSecurityLog(db, now);
  const auth = createAuth(deps);
  const sessionOf = createSessionLookup(deps, auth);
  const proposals = createProposals(deps);
  const hosts = followPageHosts(db, deps.hints, deps.payUrl);
  const resolve = { ...createResolve(), ...deps.resolve };
  const checkPageDomain = createPageDomainCheck(deps.payUrl, resolve);
  return {
    guards,
    hosts,
    requestLog,
    securityLog,
    watch(server) {
      watchRefusals(server, securityLog);
      hosts.watch(server);
    },
    setupCalls: (server) => setupCalls(server, { db, guards, auth, now }),
    openDashboard: (app) =>
      createConsole({ ...deps, app, guards, sessionOf, proposals, isOwnOrigin: auth.isOwnOrigin }),
    errors: identityErrors,
    routes: {
      pages(app) {
        logoRoutes(app, { db, guards, hosts });
        certificateRoutes(app, { guards, hosts });
        authRoutes({ ...deps, app, guards, auth, sessionOf, securityLog });
        setupRoutes(setupCalls(app, { db, guards, auth, now }), { db, auth, now });
      },
      dashboard(dashboard, app) {
        const accounts = { ...deps, app, guards, auth, sessionOf, securityLog };
        accountRoutes(dashboard, accounts);
        identityConsoleRoutes(dashboard, deps);
        requestConsoleRoutes(dashboard, deps);
        integrationConsoleRoutes(dashboard, {
          ...deps,
          guards,
          checkDomain: createDomainCheck(resolve.txt, deps.sender),
        });
        brandRoutes(dashboard);
        pageDomainRoutes(dashboard, { ...deps, guards, hosts, checkPageDomain });
        keyConsoleRoutes(dashboard, deps);
        approvalConsoleRoutes(dashboard, { ...deps, ...deps.approval, dashboardUrl: `${baseUrl}/app/` });
        teamRoutes(dashboard, deps);
        invitationRoutes(dashboard, accounts);
        auditRoutes(dashboard, deps);
        proposalRoutes(dashboard, proposals);
        closingRoutes(dashboard, accounts);
        operatorMerchantRoutes(dashboard, deps);
        operatorAccountRoutes(dashboard, deps);
        announcementRoutes(dashboard, deps);
        outboxRoutes(dashboard, { db, hasServer: mail.smtpUrl !== null, isLocal: deps.isLocal });
      },
    },
    loops: identityLoops(deps, { keyUses, securityLog, proposals, mails, hosts, checkPageDomain }),
    metrics: (registry) => createRequestLogMetrics(registry, requestLog),
    start: requestLog.start,
    async close() {
      // Without the database a few seconds of "last used" and of the security log are lost.
      await keyUses.flush().catch(() => {});
      await securityLog.flush().catch(() => {});
      await requestLog.stop();
      hosts.stop();
    },
  };
}

type LoopDeps = {
  keyUses: KeyUses;
  securityLog: SecurityLog;
  proposals: Proposals;
  mails: MailWorker;
  hosts: PageHosts;
  checkPageDomain: PageDomainCheck;
};

function identityLoops(
  { db, now, baseUrl, security }: IdentityDeps,
  { keyUses, securityLog, proposals, mails, hosts, checkPageDomain }: LoopDeps,
): LoopPlan[] {
  return [
    { name: 'key uses', everyMs: 3 * secondMs, work: () => keyUses.flush(), isOwn: true },
    { name: 'security log', everyMs: 3 * secondMs, work: () => securityLog.flush(), isOwn: true },
    { name: 'page domains', everyMs: 3 * secondMs, work: () => hosts.refresh(), isOwn: true },
    {
      name: 'security events',
      everyMs: minuteMs,
      async work() {
        const { retentionDays, alerts } = security;
        await forgetSecurityEvents(db, after(now(), -retentionDays * daySeconds));
        await mailSecurityAlerts(db, { kinds: alerts, baseUrl }, now());
      },
    },
    {
      name: 'page domain checks',
      everyMs: minuteMs,
      async work() {
        if (await recheckPageDomains(db, checkPageDomain, now())) hosts.changed();
      },
    },
    { name: 'proposals', everyMs: 5 * secondMs, work: () => runDueProposals(proposals) },
    {
      name: 'mails',
      everyMs: secondMs,
      async work() {
        await mailAskedResets(db, baseUrl);
        await mails.sendDue();
      },
    },
    {
      name: 'sent mails',
      everyMs: minuteMs,
      work: () => forgetMails(db, after(now(), -mailDays * daySeconds)),
    },
    {
      name: 'sessions',
      everyMs: minuteMs,
      async work() {
        await forgetSessions(db, now());
        await forgetPlaces(db, now());
      },
    },
    { name: 'request log', everyMs: minuteMs, work: () => forgetRequests(db, now()) },
    { name: 'idempotency', everyMs: minuteMs, work: () => forgetKeys(db, after(now(), -daySeconds)) },
  ];
}
