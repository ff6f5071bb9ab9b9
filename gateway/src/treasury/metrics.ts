import type { Registry } from 'prom-client';
import type { Reader } from '../kit/db/db.ts';
import { registerGauge } from '../kit/db/gauge.ts';
import { unorderedCounts } from './read.ts';

export function createTreasuryMetrics(registry: Registry, reader: Reader): void {
  registerGauge(registry, {
    name: 'florin_treasury_unordered',
    help: 'Transfers that left a treasury, a vault or the account of Pi without an order, and are nobody’s yet.',
    labelNames: ['rail', 'asset'],
    async read() {
      const counts = await unorderedCounts(reader);
      return counts.map(({ rail, asset, count }) => ({ labels: { rail, asset }, value: count }));
    },
  });
}
