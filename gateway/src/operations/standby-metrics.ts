import { Counter, Gauge, type Registry } from 'prom-client';
import { type Aged, agedPlaces } from '../kit/db/standby/aged.ts';

/** Where lists, charts and exports are read, and how old the data of standbys are; without a standby they show none. */
export function createStandbyMetrics(registry: Registry, aged: Aged): void {
  const labelNames = ['host'];
  new Gauge({
    name: 'florin_standby_fit',
    help: 'Whether a standby serves lists, charts and exports: 1, or 0 where it is away, too old, slow or takes writes.',
    labelNames,
    aggregator: 'min',
    registers: [registry],
    collect() {
      for (const { host, fault } of aged.states()) this.set({ host }, fault === null ? 1 : 0);
    },
  });
  new Gauge({
    name: 'florin_standby_age_seconds',
    help: 'How old the data of a standby are. Left out where it is not known, or longer than is remembered.',
    labelNames,
    aggregator: 'max',
    registers: [registry],
    collect() {
      this.reset();
      for (const { host, ageSeconds } of aged.states())
        if (ageSeconds !== null) this.set({ host }, ageSeconds);
    },
  });
  new Counter({
    name: 'florin_aged_reads_total',
    help: 'Lists, charts and exports that were read: from a standby, or from the primary since none was fit, it failed, or somebody had just changed something.',
    labelNames: ['place'],
    registers: [registry],
    collect() {
      this.reset();
      const counts = aged.counts();
      for (const place of agedPlaces) this.inc({ place }, counts[place]);
    },
  });
}
