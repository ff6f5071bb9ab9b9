import type { FastifyInstance } from 'fastify';
import type pg from 'pg';
import type { Logger } from 'pino';
import { dashboardRoutes } from './api/dashboard.ts';
import { errorTable } from './api/error-table.ts';
import { closeSlices, registerSlices, startSlices } from './api/join.ts';
import { apiDocument, describeApi, documentOf } from './api/openapi.ts';
import { documentationSite } from './api/site/site.ts';
import type { Faucet } from './checkout/api/faucet.ts';
import { createCheckout } from './checkout/api/slice.ts';
import type { Config } from './config/config.ts';
import { isLocalGateway } from './identity/accounts/second-factor.ts';
import type { ConsoleRoute } from './identity/console/console.ts';
import { createIdentity } from './identity/console/slice.ts';
import type { Mode } from './identity/integration.ts';
import { createTxtResolver, type ResolveTxt } from './identity/integrations/domain.ts';
import type { GuardDeps } from './identity/keys/guards.ts';
import type { Clock } from './kit/clock.ts';
import { carrySeal } from './kit/db/carried-seal.ts';
import type { Database } from './kit/db/db.ts';
import { createHints } from './kit/db/hints.ts';
import type { Migration } from './kit/db/migrate.ts';
import { createAdmission } from './kit/http/admission.ts';
import { mostConnections } from './kit/http/connections.ts';
import { createServer, type KnownRoute, noteRoutes } from './kit/http/http.ts';
import { createMetrics, type Metrics } from './kit/http/metrics.ts';
import type { ServerTls } from './kit/http/tls.ts';
import { createLoops } from './kit/loop.ts';
import { createHttpSender } from './kit/net/safe-fetch.ts';
import { seenFrom } from './kit/net/seen-from.ts';
import type { Seal } from './kit/seal.ts';
import { forgetAuditor } from './ledger/forget-person.ts';
import { createLedger } from './ledger/slice.ts';
import { createAssets } from './money/assets.ts';
import { destinationFault } from './networks/destinations.ts';
import { explorersOf } from './networks/explorers.ts';
import { assetsTaken, createRails, currenciesTaken } from './networks/rails.ts';
import { createSendings } from './networks/sendings.ts';
import { createNetworks } from './networks/slice.ts';
import type { Sends } from './networks/take-reports.ts';
import { openRates } from './operations/rates.ts';
import { createOperations, type OperationDeps } from './operations/slice.ts';
import { paymentApprovalTasks } from './payments/api/approval-tasks.ts';
import { createPayments } from './payments/api/slice.ts';
import { followCurrencyTerms } from './payments/create/currency-terms.ts';
import { senderUrl, transactionUrl } from './payments/read/explorers.ts';
import { recentVolume } from './payments/read/volume.ts';
import { createRefundPurpose } from './payments/refunds/purpose.ts';
import { unmatchedReturn } from './payments/unmatched/return-unmatched.ts';
import { createPayouts } from './payouts/api/slice.ts';
import { createMailApprovers } from './payouts/approval-mails.ts';
import { assertApproversLeft } from './payouts/approvers.ts';
import { feeWithdrawal } from './payouts/fees/withdraw.ts';
import { forgetPayoutPerson } from './payouts/forget-person.ts';
import { sendingFor } from './payouts/order.ts';
import { merchantPayout, type Purposes } from './payouts/purposes.ts';
import { takeSendReports } from './payouts/reports.ts';
import { payoutStop } from './payouts/stop.ts';
import { forgetExporter } from './rails/evm/payouts/forget-person.ts';
import type { SendTo } from './rails/rail.ts';
import { simulatedHealth } from './rails/simulated/rail.ts';
import { createReceiverCheck } from './receiver-check/slice.ts';
import { createReserves } from './reserves/slice.ts';
import { createStamps } from './stamps/slice.ts';
import { createTestClock } from './test-clock/slice.ts';
import { createTreasury } from './treasury/slice.ts';
import { createWalletPages } from './wallet-pages/api/slice.ts';
import type { ProviderAt } from './wallets/operators/provider.ts';
import { createUserDesk } from './wallets/operators/slice.ts';
import { createRemotePayments } from './wallets/remote-payments/slice.ts';
import { createRemoteWallets } from './wallets/remote-wallets.ts';
import { createWallets } from './wallets/slice.ts';
import { withdrawalPurpose } from './wallets/withdrawals/purpose.ts';
import { webhookApprovalTasks } from './webhooks/api/approval-tasks.ts';
import { createWebhooks } from './webhooks/api/slice.ts';

export type AppDeps = {
  config: Config;
  db: Database;
  /** For connections outside the pool, which listen. */
  connection: pg.ClientConfig;
  migrations: Migration[];
  seal: Seal;
  /** What follows the master keys of the installation; left out where `seal` has one key that stays. */
  masterKeys?: OperationDeps['masterKeys'];
  /** Bearer token of the wallet backend; empty without one. */
  walletBackendToken: string;
  /** Who says which level a user has, if anybody does. */
  kycProvider?: ProviderAt | null;
  tls?: ServerTls;
  /** Where the demo shop is, if there is one. */
  shopUrl?: string | undefined;
  /** Gives coins of the demo chain away, if there is one. */
  faucet?: Faucet | undefined;
  /** Looks up what proves a domain; by this machine's DNS servers where there is none. */
  resolveTxt?: ResolveTxt | undefined;
  /** Where the buckets of rate limits are, if this process shares them with others. */
  openBuckets?: GuardDeps['openBuckets'];
  /** The number of this process, if it is one of several workers. */
  worker?: string | undefined;
  log: Logger;
  now: Clock;
};

export type App = {
  server: FastifyInstance;
  metrics: Metrics;
  /** Every call of the dashboard's API, for the test that tries them all as the wrong person. */
  consoleRoutes: readonly ConsoleRoute[];
  /** Every route, for the test that looks at the headers of each. */
  routes: readonly KnownRoute[];
  /**
   * Starts every loop, or only those that this process needs for itself; `GET /ready` answers 200 once each has run.
   */
  startWorkers(share?: 'all' | 'own'): void;
  /** Takes nothing more, finishes what is under way, and leaves the database to its owner. */
  close(): Promise<void>;
};

/** Builds the gateway and joins its slices; the only place that knows them all. */
export async function createApp(deps: AppDeps): Promise<App> {
  const { config, db, log, now } = deps;
  const { chains, pi, baseUrl, payUrl, walletBackend } = config;
  carrySeal(db, deps.seal);
  const hints = createHints(db, deps.connection);
  const currencyTerms = await followCurrencyTerms(db, hints);
  const assets = createAssets(config.assets.all, config.assets.defaults, currencyTerms.termsOf);
  const rail = createRails({ chains, pi, assets, now });
  const explorers = explorersOf(chains, pi);
  const taken = assetsTaken({ chains, pi });
  const offered = currenciesTaken({ chains, pi, assets });
  const rates = await openRates({ db, config: config.rates, offered, log, now });
  const admission = createAdmission(() => now().getTime());
  const metrics = createMetrics({ worker: deps.worker, refused: admission.refused });
  const loops = createLoops(log);
  const sender = createHttpSender();
  const sendings = createSendings({ chains, pi, assets, now });
  const purposes: Purposes = {
    merchant_payout: merchantPayout,
    fee_withdrawal: feeWithdrawal,
    refund: createRefundPurpose({ hints, assets }),
    unmatched_return: unmatchedReturn,
    withdrawal: withdrawalPurpose,
  };
  const mailApprovers = createMailApprovers({ assets, baseUrl });
  const base = {
    db,
    hints,
    assets,
    sendings,
    purposes,
    mailApprovers,
    rail,
    explorers,
    sender,
    seal: deps.seal,
    baseUrl,
    origins: config.origins,
    payUrl,
    log,
    now,
  };

  const identity = createIdentity({
    ...base,
    rateLimit: config.rateLimit,
    openBuckets: deps.openBuckets,
    isLocal: isLocalGateway(config),
    mail: { smtpUrl: config.smtpUrl, from: config.mailFrom },
    resolveTxt: deps.resolveTxt ?? createTxtResolver(),
    approval: { tasks: [paymentApprovalTasks, webhookApprovalTasks], volumeOf: recentVolume },
    security: { retentionDays: config.securityRetentionDays, alerts: config.securityAlerts },
    judgeTeam: assertApproversLeft,
    forgetPerson: async (tx, person) => {
      await forgetPayoutPerson(tx, person);
      await forgetAuditor(tx, person);
      await forgetExporter(tx, person);
    },
  });
  const keyed = { ...base, guards: identity.guards, securityLog: identity.securityLog };
  const receivers = { ...keyed, allowPrivate: config.webhookAllowPrivate };
  const webhooks = createWebhooks({ ...receivers, keptDays: config.eventRetentionDays });
  const usdOf = (asset: string) => rates.rates(assets.get(asset).currency);
  const payouts = { hints, assets, sendings, purposes, mailApprovers, now };
  const sends: Sends = {
    take: (tx, reports) => takeSendReports(tx, payouts, reports),
    isStopped: async (reader) => (await payoutStop(reader)) !== null,
  };
  const networks = createNetworks({ ...base, chains, pi, usdOf, sends });
  const { lookUp, isContract, signedByContract, piBrowser } = networks;
  const faultOf = (mode: Mode) => (order: SendTo) =>
    (sendingFor(sendings, mode, order.asset)?.faultOf ?? destinationFault)(order);
  const isTaken = (asset: string): boolean => taken.includes(asset);
  const remote =
    walletBackend && createRemoteWallets({ url: walletBackend.url, token: deps.walletBackendToken });
  const remotePayments = remote && createRemotePayments({ ...base, remote, isTaken });
  const probes = [...networks.probes, () => simulatedHealth(db, now())];
  const links = {
    transaction: (rail: string, id: string) => transactionUrl(explorers, rail, id),
    account: (rail: string, address: string) => senderUrl(explorers, { rail, sender: address }),
  };
  const payments = createPayments({ ...keyed, rates: rates.rates, currencyTerms, faultOf });
  const creation = {
    createPayment: payments.createPayment,
    rates: rates.rates,
    termsOf: currencyTerms.termsOf,
  };
  const joined = {
    server: createServer({
      log,
      trustProxy: config.trustProxy,
      overHttps: baseUrl.startsWith('https:'),
      admission,
      mostConnections: config.rateLimit ? mostConnections : undefined,
      ...(deps.tls ? { https: deps.tls } : {}),
    }),
    metrics,
    loops,
    identity,
    slices: [
      payments,
      createPayouts({
        ...{ ...keyed, ...payouts, faultOf, transactionUrl: links.transaction },
        taken,
      }),
      createWallets({ ...keyed, remote }),
      remotePayments ?? {},
      createUserDesk({ ...base, provider: deps.kycProvider ?? null }),
      webhooks,
      createReceiverCheck(receivers),
      createTestClock({ ...keyed, payouts, deliveries: webhooks.deliveries }),
      identity,
      createLedger(base),
      createTreasury({ ...base, links }),
      createCheckout({
        ...{ ...keyed, ...creation, lookUp, isContract, signedByContract, piBrowser },
        ...{ faucet: deps.faucet, faultOf, usdOf, rateLimit: config.rateLimit },
        mailsReceipts: config.smtpUrl !== null && config.receiptMails,
        walletUrl: config.wallets === 'off' ? null : seenFrom(payUrl, `${baseUrl}/wallet`),
        remote: remotePayments && { name: walletBackend?.name ?? '', payments: remotePayments },
      }),
      createWalletPages({
        ...{ ...keyed, ...payouts, faultOf, signUp: config.wallets, transactionUrl: links.transaction },
        ...{ isTaken, checks: config.withdrawalChecks ?? true, usdOf, remote: null },
      }),
      createReserves({ ...base, chains: networks.chains, pi }),
      networks,
      createStamps({ db, headsFile: config.stampHeadsFile, log, now }),
      createOperations({
        ...{ db, assets, now, rates, rails: probes, loops },
        ...{ migrations: deps.migrations, masterKeys: deps.masterKeys ?? null },
        securityTxt: { contact: config.securityContact, baseUrl },
      }),
    ],
  };
  const { server } = joined;
  const routes = noteRoutes(server);
  await describeApi(server, baseUrl, errorTable);
  const consoleRoutes = await registerSlices(joined);
  await dashboardRoutes(server, { shopUrl: deps.shopUrl });
  const document = documentOf(server);
  apiDocument(server, identity.guards, document);
  documentationSite(server, { guards: identity.guards, document, errors: errorTable });
  return {
    server,
    metrics,
    consoleRoutes,
    routes,
    startWorkers: (share = 'all') => startSlices(joined, share),
    async close() {
      await closeSlices(joined);
      currencyTerms.stop();
      await sender.close();
      await hints.close();
    },
  };
}
