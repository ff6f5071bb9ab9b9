import type { Console } from '../identity/console/console.ts';
import type { Slice } from '../kit/slice.ts';
import { ReservesView } from './console-answers.ts';
import { createReserveMetrics } from './metrics.ts';
import { createReserveWatch, newestReport } from './reports.ts';
import type { ReserveDeps } from './reserves.ts';

/** How often it is asked whether the reserves are to be compared again. */
const lookMs = 30_000;

/** What is owed beside what the networks show is held. */
export function createReserves(deps: ReserveDeps): Slice<Console> {
  const { db, assets } = deps;
  return {
    routes: {
      dashboard(dashboard) {
        dashboard.get('operator', '/reserves', { answer: ReservesView }, async () => {
          const report = await newestReport(db);
          const items = (report?.items ?? []).map((item) => ({
            ...item,
            network: assets.find(item.asset)?.network ?? null,
          }));
          const at = report?.at.toISOString() ?? null;
          return { message: 'Reserves', data: { at, items, missing: report?.missing ?? [] } };
        });
      },
    },
    loops: [{ name: 'reserves', everyMs: lookMs, work: createReserveWatch(deps), isOptional: true }],
    metrics: (registry) => createReserveMetrics(registry, db),
  };
}
