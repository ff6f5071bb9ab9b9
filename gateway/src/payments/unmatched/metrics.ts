import { Gauge, type Registry } from 'prom-client';
import type { Reader } from '../../kit/db/db.ts';

/** How much waits for an operator's decision, for Prometheus. */
export function createUnmatchedMetrics(registry: Registry, reader: Reader): void {
  new Gauge({
    name: 'florin_strays_open',
    help: 'Transfers that named no payment and nobody has decided about, by rail.',
    labelNames: ['rail'],
    aggregator: 'max',
    registers: [registry],
    async collect() {
      // Without the database it is left out, and the other metrics are still reported.
      this.reset();
      const { rows } = await reader
        .query<{ rail: string; open: number }>(
          `SELECT rail, count(*)::float8 AS open FROM unmatched_deposits WHERE state = 'open' GROUP BY rail`,
        )
        .catch(() => ({ rows: [] }));
      for (const { rail, open } of rows) this.set({ rail }, open);
    },
  });
}
