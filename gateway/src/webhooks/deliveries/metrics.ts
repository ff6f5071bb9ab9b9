import { Gauge, type Registry } from 'prom-client';
import type { Reader } from '../../kit/db/db.ts';
import { oneRow } from '../../kit/db/one-row.ts';

export function createDeliveryMetrics(registry: Registry, reader: Reader): void {
  new Gauge({
    name: 'florin_deliveries_pending',
    help: 'Webhook deliveries that wait to be sent or tried again.',
    aggregator: 'max',
    registers: [registry],
    async collect() {
      // Without the database this metric is left out, and the others are still served.
      this.remove();
      const count = reader.query<{ n: number }>(
        "SELECT count(*)::int AS n FROM deliveries WHERE status = 'pending'",
      );
      const result = await count.catch(() => null);
      if (result) this.set(oneRow(result, 'count of pending deliveries').n);
    },
  });
}
