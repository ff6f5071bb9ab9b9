import { Gauge, type Registry } from 'prom-client';
import type { Reader } from '../kit/db/db.ts';
import { unorderedCounts } from './read.ts';

export function createTreasuryMetrics(registry: Registry, reader: Reader): void {
  new Gauge({
    name: 'florin_treasury_unordered',
    help: 'Transfers that left a treasury, a vault or the account of Pi without an order, and are nobody’s yet.',
    labelNames: ['rail', 'asset'],
    aggregator: 'max',
    registers: [registry],
    async collect() {
      // Without the database it is left out, and the other metrics are still reported.
      this.reset();
      const counts = await unorderedCounts(reader).catch(() => []);
      for (const { rail, asset, count } of counts) this.set({ rail, asset }, count);
    },
  });
}
