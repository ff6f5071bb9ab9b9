import type { Console } from '../../identity/console/console.ts';
import type { Reader, Tx } from '../../kit/db/db.ts';
import type { Slice } from '../../kit/slice.ts';
import type { SendReport } from '../../rails/rail.ts';
import { feeWithdrawal } from '../fees/withdraw.ts';
import { takeSendReports } from '../lifecycle/reports.ts';
import { showDueSends } from '../lifecycle/simulate.ts';
import type { PayoutDeps } from '../lifecycle/state.ts';
import { payoutErrors } from '../payout/errors.ts';
import { merchantPayout, type Purposes } from '../payout/purposes.ts';
import { payoutStop } from '../rules/stop.ts';
import { runDueSchedules } from '../schedules/run.ts';
import { feeConsoleRoutes } from './console-fee-routes.ts';
import { payoutHandRoutes } from './console-hand-routes.ts';
import { payoutOperatorRoutes, payoutTermsRoutes } from './console-operator-routes.ts';
import { payoutConsoleRoutes } from './console-routes.ts';
import { payoutScheduleRoutes } from './console-schedule-routes.ts';
import { type PayoutSettingsDeps, payoutSettingsRoutes } from './console-settings-routes.ts';
import { type TopUpConsoleDeps, topUpConsoleRoutes } from './console-top-up-routes.ts';
import { feeRoutes } from './fee-routes.ts';
import { keyRoutes } from './key-routes.ts';
import { payoutRoutes } from './routes.ts';
import { payoutTestRoutes } from './test-routes.ts';
import { topUpRoutes } from './top-up-routes.ts';

const secondMs = 1_000;

/** What merchants order as payouts, and what the operator does. */
export const payoutPurposes: Purposes = { merchant_payout: merchantPayout, fee_withdrawal: feeWithdrawal };

/** The payouts whose orders rails carry out. */
export const payoutSends = (deps: PayoutDeps) => ({
  /** Takes reports of orders in the transaction that notes them; returns the ids of orders that are no payouts. */
  take: (tx: Tx, reports: readonly SendReport[]) => takeSendReports(tx, deps, reports),
  /** Whether nothing new may be signed; what was signed is followed to its end. */
  isStopped: async (reader: Reader) => (await payoutStop(reader)) !== null,
});

/** Money that leaves: orders, approvals, limits, and what becomes of them. */
export function createPayouts(deps: PayoutSettingsDeps & TopUpConsoleDeps): Slice<Console> {
  return {
    errors: payoutErrors,
    routes: {
      api(api) {
        keyRoutes(api, deps);
        payoutRoutes(api, deps);
        feeRoutes(api, deps);
        payoutTestRoutes(api, deps);
        topUpRoutes(api, deps);
      },
      dashboard(dashboard) {
        payoutConsoleRoutes(dashboard, deps);
        payoutSettingsRoutes(dashboard, deps);
        payoutScheduleRoutes(dashboard, deps);
        payoutOperatorRoutes(dashboard, deps);
        payoutHandRoutes(dashboard, deps);
        payoutTermsRoutes(dashboard, deps);
        feeConsoleRoutes(dashboard, deps);
        topUpConsoleRoutes(dashboard, deps);
      },
    },
    loops: [
      { name: 'simulated payouts', everyMs: secondMs, work: () => showDueSends(deps.db, deps) },
      { name: 'scheduled payouts', everyMs: 2 * secondMs, work: () => runDueSchedules(deps.db, deps) },
    ],
  };
}
