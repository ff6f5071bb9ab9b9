import { Counter, type Registry } from 'prom-client';
import { type BackupsConfig, placeName } from '../../config/backups.ts';
import type { Reader } from '../../kit/db/db.ts';
import { registerGauge } from '../../kit/db/gauge.ts';

const gauges: Record<string, [help: string, sql: string]> = {
  florin_backup_age_seconds: [
    'Seconds since the newest good backup began.',
    `SELECT extract(epoch FROM now() - max(started_at))::float8 AS value FROM backups
     WHERE place = $1 AND fault IS NULL HAVING max(started_at) IS NOT NULL`,
  ],
  florin_backup_bytes: [
    'The size of the newest good backup.',
    `SELECT bytes::float8 AS value FROM backups
     WHERE place = $1 AND fault IS NULL ORDER BY started_at DESC LIMIT 1`,
  ],
  florin_drill_age_seconds: [
    'Seconds since the newest backup that was tried and was found right.',
    `SELECT extract(epoch FROM now() - max(started_at))::float8 AS value FROM drills
     WHERE $1 <> '' AND fault IS NULL HAVING max(started_at) IS NOT NULL`,
  ],
  florin_drill_ok: [
    '1: the last backup that was tried was right. 0: it was not.',
    `SELECT CASE WHEN fault IS NULL THEN 1 ELSE 0 END AS value FROM drills
     WHERE $1 <> '' ORDER BY started_at DESC LIMIT 1`,
  ],
};

const failuresSql = 'SELECT count(*)::float8 AS value FROM backups WHERE place = $1 AND fault IS NOT NULL';

/** Backups and drills for Prometheus: the same in every process, and nothing where there are no scheduled backups. */
export function createBackupMetrics(registry: Registry, reader: Reader, config: BackupsConfig | null): void {
  const read = async (sql: string): Promise<{ value: number }[]> =>
    config ? (await reader.query<{ value: number }>(sql, [placeName(config.to)])).rows : [];
  for (const [name, [help, sql]] of Object.entries(gauges)) {
    registerGauge(registry, {
      name,
      help,
      read: async () => (await read(sql)).map(({ value }) => ({ labels: {}, value })),
    });
  }
  new Counter({
    name: 'florin_backup_failures_total',
    help: 'Backups that failed.',
    aggregator: 'max',
    registers: [registry],
    async collect() {
      const [failures] = await read(failuresSql).catch(() => []);
      this.reset();
      this.inc(failures?.value ?? 0);
    },
  });
}
