import type { FastifyInstance } from 'fastify';
import type pg from 'pg';
import type { Logger } from 'pino';
import { consoleRoutes } from './api/console.ts';
import { dashboardRoutes } from './api/dashboard.ts';
import { errorTable } from './api/error-table.ts';
import { apiReference, describeApi } from './api/openapi.ts';
import type { Faucet } from './checkout/api/faucet.ts';
import { checkoutRoutes } from './checkout/api/routes.ts';
import type { Config } from './config/config.ts';
import { forgetSessions } from './identity/accounts/sessions.ts';
import type { ConsoleRoute } from './identity/console/console.ts';
import { logoRoutes } from './identity/console/logo-routes.ts';
import { createTxtResolver, type ResolveTxt } from './identity/integrations/domain.ts';
import { createGuards } from './identity/keys/guards.ts';
import { createKeyUses } from './identity/keys/key-uses.ts';
import { createKeyLookup } from './identity/keys/keys.ts';
import { forgetMails } from './identity/mail/mail.ts';
import { createMailWorker } from './identity/mail/worker.ts';
import { createRequestLog } from './identity/request-log/request-log.ts';
import { forgetRequests } from './identity/request-log/request-reads.ts';
import { after, type Clock } from './kit/clock.ts';
import type { Database } from './kit/db/db.ts';
import { createHints } from './kit/db/hints.ts';
import type { Migration } from './kit/db/migrate.ts';
import { createServer } from './kit/http/http.ts';
import { forgetKeys } from './kit/http/idempotency.ts';
import { type Loop, startLoop } from './kit/loop.ts';
import { createSender } from './kit/net/safe-fetch.ts';
import type { Seal } from './kit/seal.ts';
import { createAudits } from './ledger/audits.ts';
import { addUpMonths } from './ledger/month-totals.ts';
import { createAssets } from './money/assets.ts';
import { type Chains, createChains } from './networks/chains.ts';
import { explorersOf } from './networks/explorers.ts';
import { createPi } from './networks/pi.ts';
import { createRailMetrics } from './networks/rail-metrics.ts';
import { createHeartbeat, heartbeatMs } from './operations/heartbeat.ts';
import { createMetrics, healthRoutes, type Metrics } from './operations/operations.ts';
import { createRates } from './operations/rates.ts';
import { paymentRoutes } from './payments/api/routes.ts';
import { simulateRoutes } from './payments/api/simulate-routes.ts';
import { tellOfLosses } from './payments/appeals/loss-mails.ts';
import { tellOfAppeals } from './payments/appeals/mails.ts';
import { createPaymentCreator } from './payments/create/create.ts';
import { createCurrencyTermsCache, onCurrencyTerms } from './payments/create/currency-terms.ts';
import { expireDue } from './payments/expire.ts';
import { showDue } from './payments/simulate/simulate.ts';
import { createStrayMetrics } from './payments/unmatched/metrics.ts';
import { createSweepMetrics } from './rails/evm/sweep/metrics.ts';
import { joinRails, type Rail } from './rails/rail.ts';
import { simulatedHealth } from './rails/simulated/rail.ts';
import { createReceiverChecks } from './receiver-check/checks.ts';
import { receiverCheckRoutes } from './receiver-check/routes.ts';
import { testClockRoutes } from './test-clock/routes.ts';
import { createEmbeddedBackend } from './wallets/embedded-backend.ts';
import { createRemoteBackend } from './wallets/remote-backend.ts';
import { createRemoteWallets } from './wallets/remote-wallets.ts';
import { walletRoutes } from './wallets/routes.ts';
import { webhookRoutes } from './webhooks/api/routes.ts';
import { createPurge } from './webhooks/events/purge.ts';
import { runReplays, settleActivated } from './webhooks/replay/replay-worker.ts';
import { createDeliveryWorker } from './webhooks/worker/worker.ts';

export type AppDeps = {
  config: Config;
  db: Database;
  /** For connections outside the pool, which listen. */
  connection: pg.ClientConfig;
  migrations: Migration[];
  seal: Seal;
  /** Bearer token of the wallet backend; empty without one. */
  walletBackendToken: string;
  tls?: { cert: Buffer; key: Buffer };
  /** Where the demo shop is, if there is one. */
  shopUrl?: string | undefined;
  /** Gives coins of the demo chain away, if there is one. */
  faucet?: Faucet | undefined;
  /** Looks up what proves a domain; by this machine's DNS servers where there is none. */
  resolveTxt?: ResolveTxt | undefined;
  log: Logger;
  now: Clock;
};

export type App = {
  server: FastifyInstance;
  metrics: Metrics;
  /** Every call of the dashboard's API, for the test that tries them all as the wrong person. */
  consoleRoutes: readonly ConsoleRoute[];
  /** Starts every worker; `GET /ready` answers 200 once each has run. */
  startWorkers(): void;
  /** Takes nothing more, finishes what is under way, and leaves the database to its owner. */
  close(): Promise<void>;
};

const daySeconds = 24 * 3600;
/** How long the outbox tells of a mail that was sent. */
const mailDays = 30;
const secondMs = 1_000;
const minuteMs = 60 * secondMs;

/** Builds the gateway and joins its slices; the only place that knows them all. */
export async function createApp(deps: AppDeps): Promise<App> {
  const { config, db, seal, log, now } = deps;
  const server = createServer({
    log,
    trustProxy: config.trustProxy,
    ...(deps.tls ? { https: deps.tls } : {}),
  });
  const hints = createHints(db, deps.connection);
  const currencyTerms = createCurrencyTermsCache();
  const readTerms = () => currencyTerms.refresh(db);
  // Without a database nothing is created either, and the loop below asks again.
  await readTerms().catch(() => {});
  const assets = createAssets(config.assets.all, config.assets.defaults, currencyTerms.termsOf);
  const explorers = explorersOf(config.chains, config.pi);
  const metrics = createMetrics(db);
  const keyUses = createKeyUses(db, now);
  const guards = createGuards({
    findKey: createKeyLookup(db, now),
    noteUse: keyUses.note,
    now,
    rateLimit: config.rateLimit,
  });
  const rails: Rail[] = [];
  const rail = joinRails(rails);
  const state = { hints, assets, rail, now };
  const chains: Chains = createChains({
    ...state,
    db,
    chains: config.chains,
    log,
    count: (name, seen) => railMetrics.countTransfer(name, seen),
    usdOf: (asset) => rates.usdOf(assets.get(asset).currency),
  });
  const pi =
    config.pi &&
    createPi({
      ...state,
      db,
      pi: config.pi,
      log,
      count: (name, seen) => railMetrics.countTransfer(name, seen),
    });
  const followed = pi ? [chains, pi] : [chains];
  const probes = followed.flatMap((each) => each.probes);
  const railMetrics = createRailMetrics(metrics.registry, probes);
  createSweepMetrics(metrics.registry, db);
  createStrayMetrics(metrics.registry, db);
  rails.push(...followed.map((each) => each.rail));
  const sender = createSender();
  const deliveries = createDeliveryWorker({
    db,
    hints,
    seal,
    sender,
    now,
    log,
    allowPrivate: config.webhookAllowPrivate,
    dashboardUrl: `${config.baseUrl}/app/`,
  });
  const checks = createReceiverChecks({ db, seal, now, log, allowPrivate: config.webhookAllowPrivate });
  const rates = createRates(config.rates, log, now);
  const remote =
    config.walletBackend &&
    createRemoteWallets({ url: config.walletBackend.url, token: deps.walletBackendToken });
  const wallets = remote
    ? createRemoteBackend({ db, now, assets, log, remote })
    : createEmbeddedBackend(db, now);
  const mails = createMailWorker({ db, smtpUrl: config.smtpUrl, from: config.mailFrom, log });
  const requestLog = createRequestLog({ db, now, log });
  const forgetEvents = createPurge({ db, now, keptDays: config.eventRetentionDays });
  const loops = new Map<string, Loop>();
  // Ready is who has done each of these; a chain whose endpoints are down holds up no other payment.
  const required = new Map<string, Loop>();
  const audits = createAudits({ db, now, log });
  const beat = createHeartbeat({ db, now, loops });
  const forgetTerms = onCurrencyTerms(hints, () => void readTerms().catch(() => {}));

  metrics.observe(server);
  metrics.countDropped(requestLog.dropped);
  await describeApi(server, config.baseUrl, errorTable);
  const { termsOf } = currencyTerms;
  const payments = createPaymentCreator({
    db,
    now,
    rates: rates.rates,
    payUrl: config.payUrl,
    termsOf,
    rail,
  });
  await server.register(async (api) => {
    requestLog.observe(api);
    const paymentDeps = { ...state, db, guards, payUrl: config.payUrl, explorers, createPayment: payments };
    paymentRoutes(api, paymentDeps);
    simulateRoutes(api, paymentDeps);
    walletRoutes(api, { db, guards, assets, wallets });
    const webhooks = { db, hints, seal, guards, now, allowPrivate: config.webhookAllowPrivate };
    webhookRoutes(api, webhooks);
    receiverCheckRoutes(api, { ...webhooks, checks });
    testClockRoutes(api, { ...state, db, guards, deliveries });
  });
  logoRoutes(server, { db, guards });
  const streams = await checkoutRoutes(server, {
    ...state,
    db,
    guards,
    payUrl: config.payUrl,
    rail,
    explorers,
    faucet: deps.faucet,
    piBrowser: pi?.browser ?? null,
  });
  const dashboard = consoleRoutes(server, {
    ...state,
    db,
    seal,
    guards,
    baseUrl: config.baseUrl,
    payUrl: config.payUrl,
    rail,
    explorers,
    allowPrivate: config.webhookAllowPrivate,
    sender,
    checks,
    resolveTxt: deps.resolveTxt ?? createTxtResolver(),
    log,
    wallets,
    deliveries,
    audits,
    chains: config.chains,
    sendings: pi?.sending ? [pi.sending] : [],
    rails: [...probes, () => simulatedHealth(db, now())],
    rates,
    currencyTerms,
    hasMailServer: config.smtpUrl !== null,
  });
  healthRoutes(server, { db, migrations: deps.migrations, loops: required });
  await dashboardRoutes(server, { shopUrl: deps.shopUrl });
  apiReference(server);

  return {
    server,
    metrics,
    consoleRoutes: dashboard,
    startWorkers() {
      deliveries.start();
      requestLog.start();
      const start = (name: string, everyMs: number, work: () => Promise<unknown>) => {
        const started = startLoop(name, everyMs, log, work);
        loops.set(name, started);
        return started;
      };
      const loop: typeof start = (name, ...rest) => {
        const started = start(name, ...rest);
        required.set(name, started);
        return started;
      };
      loop('key uses', 3 * secondMs, () => keyUses.flush());
      loop('payments', secondMs, () => expireDue(db, state));
      loop('simulated', secondMs, () => showDue(db, state));
      loop('wallets', secondMs, () => wallets.reconcile());
      loop('appeals', 5 * secondMs, () =>
        tellOfAppeals(db, { baseUrl: config.baseUrl, payUrl: config.payUrl, now }),
      );
      loop('losses', 5 * secondMs, () => tellOfLosses(db, { assets, baseUrl: config.baseUrl, now, log }));
      loop('replays', secondMs, () => runReplays({ db, hints }));
      loop('activated endpoints', secondMs, () => settleActivated({ db, hints }));
      loop('mails', secondMs, () => mails.sendDue());
      loop('currencies', secondMs, readTerms);
      loop('heartbeat', heartbeatMs, beat);
      loop('old events', secondMs, forgetEvents);
      loop('sent mails', minuteMs, () => forgetMails(db, after(now(), -mailDays * daySeconds)));
      loop('sessions', minuteMs, () => forgetSessions(db, now()));
      loop('rates', minuteMs, () => rates.refresh());
      loop('statements', minuteMs, () => addUpMonths(db));
      loop('request log', minuteMs, () => forgetRequests(db, now()));
      for (const { loops: work } of followed)
        for (const each of work) start(each.name, each.everyMs, each.work);
      loop('idempotency', minuteMs, () => forgetKeys(db, after(now(), -daySeconds)));
    },
    async close() {
      streams.close();
      await server.close();
      await Promise.all(followed.map((each) => each.disconnect()));
      await Promise.all([...loops.values()].map((each) => each.stop()));
      await Promise.all(followed.map((each) => each.release().catch(() => {})));
      // The database may be gone already, and with it only a few seconds of "last used".
      await keyUses.flush().catch(() => {});
      await deliveries.stop();
      await checks.stop();
      forgetTerms();
      await audits.stop();
      await requestLog.stop();
      await sender.close();
      await remote?.close();
      await hints.close();
    },
  };
}
