import { Gauge, type Registry } from 'prom-client';
import type { Console } from '../identity/console/console.ts';
import type { Slice } from '../kit/slice.ts';
import { type TreasuryConsoleDeps, treasuryRoutes } from './console-routes.ts';
import { treasuryErrors } from './errors.ts';
import { matchOrders } from './orders.ts';
import { unorderedCounts } from './read.ts';

/** How often what left is compared with payouts. */
const matchEveryMs = 30_000;

/** What came into treasuries and vaults and left them, as their chains show it. */
export function createTreasury(deps: TreasuryConsoleDeps): Slice<Console> {
  const { db } = deps;
  return {
    errors: treasuryErrors,
    routes: { dashboard: (dashboard) => treasuryRoutes(dashboard, deps) },
    loops: [{ name: 'treasury', everyMs: matchEveryMs, work: () => matchOrders(db) }],
    metrics(registry: Registry) {
      new Gauge({
        name: 'florin_treasury_unordered',
        help: 'Transfers that left a treasury, a vault or the account of Pi without an order, and are nobody’s yet.',
        labelNames: ['rail', 'asset'],
        aggregator: 'max',
        registers: [registry],
        async collect() {
          // Without the database it is left out, and the other metrics are still reported.
          this.reset();
          const counts = await unorderedCounts(db).catch(() => []);
          for (const { rail, asset, count } of counts) this.set({ rail, asset }, count);
        },
      });
    },
  };
}
