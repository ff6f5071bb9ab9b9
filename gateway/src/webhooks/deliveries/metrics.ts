import { Histogram, type Registry } from 'prom-client';
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

/** Counts the webhooks that this process sends, and how long each takes. */
export type AttemptTimer = {
  observe(attempt: { status: string; durationMs: number }): void;
  register(registry: Registry): void;
};

export function createAttemptTimer(): AttemptTimer {
  const durations = new Histogram({
    name: 'florin_webhook_attempt_seconds',
    help: 'Seconds of each attempt to send a webhook, by outcome: delivered or failed, also where it is tried again.',
    labelNames: ['outcome'],
    buckets: [0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5],
    registers: [],
  });
  return {
    observe: ({ status, durationMs }) =>
      durations.observe({ outcome: status === 'delivered' ? 'delivered' : 'failed' }, durationMs / 1000),
    register: (registry) => registry.registerMetric(durations),
  };
}
