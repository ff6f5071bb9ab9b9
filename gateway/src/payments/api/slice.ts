import type { Logger } from 'pino';
import type { Console } from '../../identity/console/console.ts';
import type { Guards } from '../../identity/keys/guards.ts';
import type { Database } from '../../kit/db/db.ts';
import type { Seal } from '../../kit/seal.ts';
import type { Slice } from '../../kit/slice.ts';
import type { Rates } from '../../money/rates.ts';
import type { Purposes } from '../../payouts/payout/purposes.ts';
import type { HostParts } from '../../rails/direct.ts';
import type { Rail } from '../../rails/rail.ts';
import { mailAppeals } from '../appeals/mails.ts';
import { mailReversals } from '../appeals/reversal-mails.ts';
import { type CreateDeps, type CreatePayment, createPaymentCreator } from '../create/create.ts';
import type { FollowedTerms } from '../payment/currency-terms.ts';
import { paymentErrors } from '../payment/errors.ts';
import type { StateDeps } from '../payment/state.ts';
import { createTotals } from '../read/add-up.ts';
import type { Explorers } from '../read/explorers.ts';
import { createRefundPurpose } from '../refunds/purpose.ts';
import { endUnclaimed } from '../refunds/unclaimed.ts';
import type { ChangeDeps } from '../settlement/changes.ts';
import { expireDue } from '../settlement/expire.ts';
import { showDue } from '../simulate/simulate.ts';
import { createUnmatchedMetrics } from '../unmatched/metrics.ts';
import { unmatchedReturn } from '../unmatched/return-unmatched.ts';
import { appealConsoleRoutes } from './console-appeal-routes.ts';
import { currencyRoutes } from './console-currency-routes.ts';
import { feeRoutes } from './console-fee-routes.ts';
import { linkConsoleRoutes } from './console-link-routes.ts';
import { moneyRoutes } from './console-money-routes.ts';
import { overviewConsoleRoutes } from './console-overview-routes.ts';
import { refundConsoleRoutes } from './console-refund-routes.ts';
import { paymentConsoleRoutes } from './console-routes.ts';
import { sendingRoutes } from './console-sending-routes.ts';
import { suspenseRoutes } from './console-suspense-routes.ts';
import { transferRoutes } from './console-transfer-routes.ts';
import { unmatchedRoutes } from './console-unmatched-routes.ts';
import { destinationConsoleRoute, destinationRoutes } from './destination-routes.ts';
import { linkRoutes } from './link-routes.ts';
import { type RefundRouteDeps, refundRoutes } from './refund-routes.ts';
import { paymentRoutes } from './routes.ts';
import { simulateConsoleRoutes, simulateRoutes } from './simulate-routes.ts';

export type PaymentDeps = StateDeps & {
  db: Database;
  guards: Guards;
  baseUrl: string;
  payUrl: string;
  rail: Rail;
  seal: Seal;
  explorers: Explorers;
  rates: Rates;
  /** Followed until the slice is closed. */
  currencyTerms: FollowedTerms;
  faultOf: RefundRouteDeps['faultOf'];
  hostParts: HostParts;
  log: Logger;
};

const secondMs = 1_000;

/** What payments order as payouts. */
export const paymentPurposes = (deps: ChangeDeps): Purposes => ({
  refund: createRefundPurpose(deps),
  unmatched_return: unmatchedReturn,
});

export type Payments = Slice<Console> & {
  /** How payments are created. */
  creation: Pick<CreateDeps, 'rates' | 'termsOf'> & { createPayment: CreatePayment };
};

/** Payments from their creation to their settlement, appeals, and money that names no payment. */
export function createPayments(deps: PaymentDeps): Payments {
  const { db, rates, currencyTerms } = deps;
  const { termsOf } = currencyTerms;
  const createPayment = createPaymentCreator({ ...deps, termsOf });
  const addUp = createTotals(db, deps.now);
  return {
    creation: { createPayment, rates, termsOf },
    errors: paymentErrors,
    routes: {
      api(api) {
        paymentRoutes(api, { ...deps, createPayment });
        destinationRoutes(api, deps);
        linkRoutes(api, { ...deps, termsOf });
        refundRoutes(api, deps);
        simulateRoutes(api, { ...deps, createPayment });
      },
      dashboard(dashboard) {
        paymentConsoleRoutes(dashboard, deps);
        destinationConsoleRoute(dashboard, deps);
        linkConsoleRoutes(dashboard, { ...deps, termsOf, createPayment });
        simulateConsoleRoutes(dashboard, deps);
        appealConsoleRoutes(dashboard, deps);
        overviewConsoleRoutes(dashboard, deps);
        currencyRoutes(dashboard, deps);
        feeRoutes(dashboard);
        suspenseRoutes(dashboard, deps);
        unmatchedRoutes(dashboard, deps);
        moneyRoutes(dashboard, deps);
        sendingRoutes(dashboard, deps);
        refundConsoleRoutes(dashboard, deps);
        transferRoutes(dashboard, deps);
      },
    },
    loops: [
      { name: 'payments', everyMs: secondMs, work: () => expireDue(db, deps) },
      { name: 'simulated', everyMs: secondMs, work: () => showDue(db, deps) },
      { name: 'appeals', everyMs: 5 * secondMs, work: () => mailAppeals(db, deps) },
      { name: 'losses', everyMs: 5 * secondMs, work: () => mailReversals(db, deps) },
      { name: 'unclaimed refunds', everyMs: 600 * secondMs, work: () => endUnclaimed(db, deps) },
      { name: 'totals', everyMs: 10 * secondMs, work: addUp },
      { name: 'currencies', everyMs: secondMs, work: () => currencyTerms.refresh(db), isOwn: true },
    ],
    metrics: (registry) => createUnmatchedMetrics(registry, db),
    close: async () => currencyTerms.stop(),
  };
}
