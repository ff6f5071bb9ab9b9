import type pg from 'pg';
import type { Logger } from 'pino';
import { type App, type JoinDeps, joinSlices } from './api/join.ts';
import { createBtcpay } from './btcpay/slice.ts';
import { type CheckoutSliceDeps, createCheckout } from './checkout/api/slice.ts';
import type { Config } from './config/config.ts';
import { isLocalGateway } from './identity/accounts/second-factor.ts';
import { createIdentity } from './identity/console/slice.ts';
import type { Resolve } from './identity/integrations/page-domain-check.ts';
import type { GuardDeps } from './identity/keys/guards.ts';
import type { Clock } from './kit/clock.ts';
import { carrySeal } from './kit/db/carried-seal.ts';
import type { Database } from './kit/db/db.ts';
import { createHints } from './kit/db/hints.ts';
import type { Migration } from './kit/db/migrate.ts';
import { openAged } from './kit/db/standby/aged.ts';
import { comesLater } from './kit/db/until-answered.ts';
import { createLoops } from './kit/loop.ts';
import { createHttpSender } from './kit/net/safe-fetch.ts';
import type { Seal } from './kit/seal.ts';
import { forgetAuditor } from './ledger/forget-person.ts';
import { createLedger } from './ledger/slice.ts';
import { openAssets } from './money/assets.ts';
import { openRails } from './networks/rails.ts';
import { createNetworks } from './networks/slice.ts';
import { createNotices, forgetNoticePerson } from './notices/api/slice.ts';
import { createFirstRun, type FirstRunDeps } from './operations/first-run/slice.ts';
import { createOperations, type OperationDeps } from './operations/slice.ts';
import { readStamp } from './operations/stamps/stamper.ts';
import { paymentApprovalTasks } from './payments/api/approval-tasks.ts';
import { createPayments, paymentPurposes } from './payments/api/slice.ts';
import { followCurrencyTerms } from './payments/payment/currency-terms.ts';
import { lackingPrices } from './payments/payment/lacking.ts';
import { recentVolume } from './payments/read/volume.ts';
import { createPayouts, payoutPurposes, payoutSends } from './payouts/api/slice.ts';
import { createMailApprovers } from './payouts/lifecycle/approval-mails.ts';
import { forgetPayoutPerson } from './payouts/payout/forget-person.ts';
import { assertApproversLeft } from './payouts/rules/approvers.ts';
import { schedulesHeldBy } from './payouts/schedules/held.ts';
import { followKnownRates, usdOfAssets } from './rates/known-rates.ts';
import { countRatesToCare } from './rates/metrics.ts';
import { createRates } from './rates/slice.ts';
import { createTestClock } from './test-clock/slice.ts';
import { createTreasury } from './treasury/slice.ts';
import { createWalletPages } from './wallet-pages/api/slice.ts';
import { bookArrival, createWallets, walletPurposes } from './wallets/api/slice.ts';
import type { ProviderAt } from './wallets/operators/provider.ts';
import { usernamesOf } from './wallets/users.ts';
import { webhookApprovalTasks } from './webhooks/api/approval-tasks.ts';
import { createWebhooks } from './webhooks/api/slice.ts';
import { reachTerms } from './webhooks/endpoints/reach.ts';
import { createReceiverCheck } from './webhooks/receiver-check/slice.ts';

export type { App } from './api/join.ts';

export type AppDeps = Pick<JoinDeps, 'tls' | 'traces' | 'worker' | 'isClosed'> & {
  config: Config;
  db: Database;
  /** For connections outside the pool, which listen. */
  connection: pg.ClientConfig;
  migrations: Migration[];
  seal: Seal;
  /** Follows changes of the master keys of the installation; left out when `seal` has one key that never changes. */
  masterKeys?: OperationDeps['masterKeys'];
  /** Bearer token of the wallet backend; empty without one. */
  walletBackendToken: string;
  /** The system that decides the levels of users, if there is one. */
  kycProvider?: ProviderAt | null;
  /** Where the demo shop is, if there is one. */
  shopUrl?: string | undefined;
  /** Gives coins of the demo chain away, if there is one. */
  faucet?: CheckoutSliceDeps['faucet'];
  restorer?: FirstRunDeps['restorer'];
  /** Looks up the DNS records that prove domains; this machine's DNS servers what is left out. */
  resolve?: Partial<Resolve> | undefined;
  /** Where the buckets of rate limits are, if this process shares them with others. */
  openBuckets?: GuardDeps['openBuckets'];
  log: Logger;
  now: Clock;
};

/** Builds the gateway and joins its slices. Only this file knows all of them. */
export async function createApp(deps: AppDeps): Promise<App> {
  const { config, db, seal, log, now, traces } = deps;
  const { baseUrl, payUrl, origins, chains, pi, testPi, rateLimit, smtpUrl, walletBackend } = config;
  carrySeal(db, seal);
  const aged = openAged(deps, config.standby);
  const hints = createHints(db, deps.connection);
  const sender = createHttpSender();
  const loops = createLoops(log, comesLater, traces);
  const currencyTerms = await followCurrencyTerms(db, hints);
  const assets = openAssets(config.assets, currencyTerms.termsOf);
  const rails = openRails({ ...config, assets, now });
  const known = await followKnownRates({ db, hints, config: config.rates, ...rails, log, now });
  const ofPayments = paymentPurposes({ hints, assets, now });
  const base = {
    ...{ db, aged, hints, sender, seal, assets, baseUrl, payUrl, origins, rateLimit, log, now, traces },
    ...{ ...rails, chains, pi, testPi, mail: { smtpUrl, from: config.mailFrom }, lackingPrices },
    purposes: { ...payoutPurposes, ...ofPayments, ...walletPurposes(walletBackend) },
    ...{ usdOf: usdOfAssets(known.rates, assets), mailApprovers: createMailApprovers({ assets, baseUrl }) },
  };
  const identity = createIdentity({
    ...base,
    ...{ openBuckets: deps.openBuckets, isLocal: isLocalGateway(config), resolve: deps.resolve },
    approval: { tasks: [paymentApprovalTasks, webhookApprovalTasks], volumeOf: recentVolume },
    security: { retentionDays: config.securityRetentionDays, alerts: config.securityAlerts },
    ...{ judgeTeam: assertApproversLeft, heldBy: [schedulesHeldBy], nameUsers: usernamesOf },
    forgetPerson: [forgetPayoutPerson, forgetAuditor, forgetNoticePerson, rails.forgetPerson],
  });
  const keyed = { ...base, guards: identity.guards, securityLog: identity.securityLog };
  const receivers = { ...keyed, ...reachTerms(config) };
  const { sendNotice, ...notices } = createNotices({ ...receivers, telegram: config.telegram });
  const webhooks = createWebhooks({ ...receivers, sendNotice, keptDays: config.eventRetentionDays });
  const payments = createPayments({ ...keyed, rates: known.rates, currencyTerms });
  const wallets = createWallets({
    ...{ ...keyed, provider: deps.kycProvider ?? null },
    backend: walletBackend && { ...walletBackend, token: deps.walletBackendToken },
  });
  const networks = await createNetworks({ ...base, bookArrival, sends: payoutSends(base) });
  const treasury = createTreasury({ ...config, ...keyed, ...networks, readStamp });
  return await joinSlices({
    ...{ ...base, identity, loops, trustProxy: config.trustProxy },
    ...{ tls: deps.tls, worker: deps.worker, isClosed: deps.isClosed, shopUrl: deps.shopUrl },
    slices: [
      ...[payments, createPayouts(keyed), wallets, webhooks, notices],
      ...[createReceiverCheck(receivers), createBtcpay({ ...receivers, ...payments.creation })],
      createTestClock({ ...keyed, payouts: base, deliveries: webhooks.deliveries }),
      ...[identity, createRates({ ...keyed, config: config.rates, known }), createLedger(base)],
      createCheckout({
        ...{ ...networks, ...keyed, ...payments.creation, remote: wallets.remote, faucet: deps.faucet },
        ...{ hosts: identity.hosts, mailsReceipts: smtpUrl !== null && config.receiptMails },
        ...{ proofs: treasury.proofs, hasWalletPages: config.wallets !== 'off' },
      }),
      createWalletPages({
        ...{ ...keyed, signUp: config.wallets, checks: config.withdrawalChecks ?? true, remote: null },
        proofs: treasury.proofs,
      }),
      createOperations({
        ...{ ...keyed, config, loops, contact: config.securityContact, trustProxy: config.trustProxy },
        ...{ migrations: deps.migrations, masterKeys: deps.masterKeys ?? null },
        ...{ headsFile: config.stampHeadsFile, backups: config.backups },
        countRatesToCare: (at) => countRatesToCare(base, at),
      }),
      ...[networks, treasury, createFirstRun({ ...keyed, config, identity, restorer: deps.restorer })],
    ],
    shared: [sender, hints, aged, ...(traces ? [traces] : [])],
  });
}
