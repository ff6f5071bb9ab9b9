import type { Registry } from 'prom-client';
import type { Reader } from '../../kit/db/db.ts';
import { registerGauge, type Sample } from '../../kit/db/gauge.ts';

const openSql = `
SELECT json_build_object('rail', rail) AS labels, count(*)::float8 AS value
FROM unmatched_deposits WHERE state = 'open' GROUP BY rail`;

/** How much waits for an operator's decision, for Prometheus. */
export function createUnmatchedMetrics(registry: Registry, reader: Reader): void {
  registerGauge(registry, {
    name: 'florin_strays_open',
    help: 'Transfers that named no payment and nobody has decided about, by rail.',
    labelNames: ['rail'],
    read: async () => (await reader.query<Sample>(openSql)).rows,
  });
}
