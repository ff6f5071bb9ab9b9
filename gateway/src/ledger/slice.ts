import type { Logger } from 'pino';
import type { Console } from '../identity/console/console.ts';
import type { Clock } from '../kit/clock.ts';
import type { Database } from '../kit/db/db.ts';
import type { Slice } from '../kit/slice.ts';
import type { Assets } from '../money/assets.ts';
import { createAudits } from './audits.ts';
import { ledgerOperatorRoutes } from './console-operator-routes.ts';
import { ledgerErrors } from './errors.ts';
import { createMonthTotals } from './month-totals.ts';

/** Audits of the ledger, and statements by month. */
export function createLedger(deps: {
  db: Database;
  assets: Assets;
  log: Logger;
  now: Clock;
}): Slice<Console> {
  const audits = createAudits(deps);
  const addUpMonths = createMonthTotals(deps.db);
  return {
    errors: ledgerErrors,
    routes: { dashboard: (dashboard) => ledgerOperatorRoutes(dashboard, { ...deps, audits }) },
    loops: [{ name: 'statements', everyMs: 60_000, work: async () => void (await addUpMonths()) }],
    close: () => audits.stop(),
  };
}
