import type { FastifyInstance } from 'fastify';
import type pg from 'pg';
import type { Logger } from 'pino';
import { type Chains, createChains } from './chains.ts';
import type { Faucet } from './checkout/faucet.ts';
import { checkoutRoutes } from './checkout/routes.ts';
import type { Config } from './config.ts';
import { consoleRoutes } from './console.ts';
import { dashboardRoutes } from './dashboard.ts';
import { errorTable } from './error-table.ts';
import { explorersOf } from './explorers.ts';
import { createHeartbeat, heartbeatMs } from './heartbeat.ts';
import type { ConsoleRoute } from './identity/console.ts';
import { createTxtResolver, type ResolveTxt } from './identity/domain.ts';
import { createGuards } from './identity/guards.ts';
import { createKeyUses } from './identity/key-uses.ts';
import { createKeyLookup } from './identity/keys.ts';
import { logoRoutes } from './identity/logo-routes.ts';
import { forgetMails } from './identity/mail.ts';
import { createMailWorker } from './identity/mail-worker.ts';
import { createRequestLog } from './identity/request-log.ts';
import { forgetRequests } from './identity/request-reads.ts';
import { forgetSessions } from './identity/sessions.ts';
import { createAssets } from './kit/assets.ts';
import { after, type Clock } from './kit/clock.ts';
import type { Database } from './kit/db.ts';
import { createHints } from './kit/hints.ts';
import { createServer } from './kit/http.ts';
import { forgetKeys } from './kit/idempotency.ts';
import { type Loop, startLoop } from './kit/loop.ts';
import type { Migration } from './kit/migrate.ts';
import { createSender } from './kit/safe-fetch.ts';
import type { Seal } from './kit/seal.ts';
import { createAudits } from './ledger/audits.ts';
import { addUpMonths } from './ledger/month-totals.ts';
import { apiReference, describeApi } from './openapi.ts';
import { createMetrics, healthRoutes, type Metrics } from './operations.ts';
import { tellOfAppeals } from './payments/appeal-mails.ts';
import { createPaymentCreator } from './payments/create.ts';
import { createCurrencyTermsCache, onCurrencyTerms } from './payments/currency-terms.ts';
import { expireDue } from './payments/expire.ts';
import { tellOfLosses } from './payments/loss-mails.ts';
import { paymentRoutes } from './payments/routes.ts';
import { showDue } from './payments/simulate.ts';
import { simulateRoutes } from './payments/simulate-routes.ts';
import { createStrayMetrics } from './payments/stray-metrics.ts';
import { createPi } from './pi.ts';
import { createRailMetrics } from './rail-metrics.ts';
import { createSweepMetrics } from './rails/evm/sweep/metrics.ts';
import { joinRails, type Rail } from './rails/rail.ts';
import { simulatedHealth } from './rails/simulated/service.ts';
import { createRates } from './rates.ts';
import { testClockRoutes } from './test-clock-routes.ts';
import { createEmbeddedBackend } from './wallets/embedded-backend.ts';
import { createRemoteBackend } from './wallets/remote-backend.ts';
import { createRemoteWallets } from './wallets/remote-wallets.ts';
import { walletRoutes } from './wallets/routes.ts';
import { createPurge } from './webhooks/purge.ts';
import { createReceiverChecks } from './webhooks/receiver-check/checks.ts';
import { receiverCheckRoutes } from './webhooks/receiver-check/routes.ts';
import { runReplays, settleActivated } from './webhooks/replay-worker.ts';
import { webhookRoutes } from './webhooks/routes.ts';
import { createDeliveryWorker } from './webhooks/worker.ts';

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
