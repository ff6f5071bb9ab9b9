import type { Console } from '../../identity/console/console.ts';
import type { Slice } from '../../kit/slice.ts';
import { runDueSchedules } from '../schedules/run.ts';
import { showDueSends } from '../simulate.ts';
import { feeConsoleRoutes } from './console-fee-routes.ts';
import { payoutHandRoutes } from './console-hand-routes.ts';
import { payoutOperatorRoutes, payoutTermsRoutes } from './console-operator-routes.ts';
import { payoutConsoleRoutes } from './console-routes.ts';
import { payoutScheduleRoutes } from './console-schedule-routes.ts';
import { type PayoutSettingsDeps, payoutSettingsRoutes } from './console-settings-routes.ts';
import { type TopUpConsoleDeps, topUpConsoleRoutes } from './console-top-up-routes.ts';
import { feeRoutes } from './fee-routes.ts';
import { payoutRoutes } from './routes.ts';
import { payoutTestRoutes } from './test-routes.ts';
import { topUpRoutes } from './top-up-routes.ts';

const secondMs = 1_000;

/** Money that leaves: orders, approvals, limits, and what becomes of them. */
export function createPayouts(deps: PayoutSettingsDeps & TopUpConsoleDeps): Slice<Console> {
  return {
    routes: {
      api(api) {
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
