import { Counter, type Registry } from 'prom-client';
import type { Mode } from '../../identity/integration.ts';
import { afterCommit, type Tx } from '../../kit/db/db.ts';
import { paymentEventTypes, payoutEventTypes } from './event-types.ts';

const counted: ReadonlySet<string> = new Set([...paymentEventTypes, ...payoutEventTypes]);

// Of the whole process.
const written = new Counter({
  name: 'florin_events_total',
  help: 'Events of payments and payouts that this process wrote, by type and mode.',
  labelNames: ['type', 'mode'],
  registers: [],
});

/** Counts events of payments and payouts once they are committed, without samples that somebody asked for. */
export function countEvents(
  tx: Tx,
  events: readonly { type: string; mode: Mode; onlyEndpointId: string | null }[],
): void {
  const found = events.filter(({ type, onlyEndpointId }) => counted.has(type) && onlyEndpointId === null);
  if (found.length === 0) return;
  afterCommit(tx, () => {
    for (const { type, mode } of found) written.inc({ type, mode });
  });
}

export function createEventMetrics(registry: Registry): void {
  registry.registerMetric(written);
}
