import type { Registry } from 'prom-client';
import type { Reader } from '../../kit/db/db.ts';
import { registerGauge, type Sample } from '../../kit/db/gauge.ts';

type Figure = { name: string; help: string; labelNames: string[]; sql: string; values: string[] };

/** From the newest comparison; as floats, which are exact enough for a graph. */
const figuresSql = `
SELECT json_build_object('asset', item ->> 'asset') AS labels, figure.value
FROM (SELECT items FROM reserve_reports ORDER BY id DESC LIMIT 1) newest
CROSS JOIN LATERAL jsonb_array_elements(newest.items) AS item
CROSS JOIN LATERAL (SELECT (item ->> 'difference')::float8 AS difference,
  (SELECT sum(value::float8) FROM jsonb_each_text(item -> 'owed')) AS owed,
  (SELECT sum(value::float8) FROM jsonb_each_text(item -> 'held')) AS held) parts
CROSS JOIN LATERAL (SELECT CASE $1::text WHEN 'owed' THEN owed WHEN 'held' THEN held
  WHEN 'ratio' THEN CASE WHEN owed > 0 THEN held / owed ELSE 1 END ELSE difference END AS value) figure`;

/** The newest comparison of what is owed with what is held, for Prometheus: the same in every process. */
export function createReserveMetrics(registry: Registry, reader: Reader): void {
  const gauge = ({ name, help, labelNames, sql, values }: Figure) =>
    registerGauge(registry, {
      name: `florin_reserves_${name}`,
      help,
      labelNames,
      read: async () => (await reader.query<Sample>(sql, values)).rows,
    });
  const figure = (name: string, help: string) =>
    gauge({ name, help, labelNames: ['asset'], sql: figuresSql, values: [name] });
  figure('owed', 'Live money that is owed to businesses, users and customers, with fees and suspense.');
  figure('held', 'Live money that the network shows at addresses, in the treasury and in the vault.');
  figure('ratio', 'What is held for each one that is owed; 1 where nothing is owed.');
  figure('difference', 'What is held beyond what is owed and explained; below zero, money is missing.');
  gauge({
    name: 'age_seconds',
    help: 'Seconds since the reserves were last compared.',
    labelNames: [],
    sql: `SELECT '{}'::json AS labels, extract(epoch FROM now() - max(at))::float8 AS value FROM reserve_reports
     HAVING max(at) IS NOT NULL`,
    values: [],
  });
}
