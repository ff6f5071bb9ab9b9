import type { Registry } from 'prom-client';
import type { Reader } from '../../kit/db/db.ts';
import { registerGauge, type Sample } from '../../kit/db/gauge.ts';

const pendingSql = `
SELECT '{}'::json AS labels, count(*)::float8 AS value FROM deliveries WHERE status = 'pending'`;

export function createDeliveryMetrics(registry: Registry, reader: Reader): void {
  registerGauge(registry, {
    name: 'florin_deliveries_pending',
    help: 'Webhook deliveries that wait to be sent or tried again.',
    read: async () => (await reader.query<Sample>(pendingSql)).rows,
  });
}
