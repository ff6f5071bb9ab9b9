import type { Registry } from 'prom-client';
import type { Clock } from '../../kit/clock.ts';
import { registerGauge } from '../../kit/db/gauge.ts';
import { walStateOf } from './state.ts';

/** The archive of WAL for Prometheus; nothing where `dataDir` is null: none is kept. */
export function createWalMetrics(registry: Registry, dataDir: string | null, now: Clock): void {
  const read = async (measure: (state: NonNullable<Awaited<ReturnType<typeof walStateOf>>>) => number) => {
    const state = dataDir === null ? null : await walStateOf(dataDir);
    return state ? [{ labels: {}, value: measure(state) }] : [];
  };
  registerGauge(registry, {
    name: 'florin_wal_archive_age_seconds',
    help: 'Seconds since the newest moment that the database can be recovered to.',
    read: () => read(({ kept_until: until }) => (now().getTime() - Date.parse(until)) / 1000),
  });
  registerGauge(registry, {
    name: 'florin_wal_spool_bytes',
    help: 'Bytes of WAL that wait on this machine for the place of backups.',
    read: () => read(({ spool_bytes: bytes }) => bytes),
  });
}
