import type { Registry } from 'prom-client';
import type { Reader } from '../../kit/db/db.ts';
import { registerGauge, type Sample } from '../../kit/db/gauge.ts';

const findingsSql = `
SELECT json_build_object('check', finding ->> 'check', 'level', finding ->> 'level') AS labels, count(*)::float8 AS value
FROM (SELECT findings FROM doctor_reports ORDER BY at DESC, id DESC LIMIT 1) newest
CROSS JOIN LATERAL jsonb_array_elements(newest.findings) AS finding
WHERE finding ->> 'level' <> 'ok' GROUP BY finding ->> 'check', finding ->> 'level'`;

/** What the newest report of the doctor found, for Prometheus: the same in every process. */
export function createDoctorMetrics(registry: Registry, reader: Reader): void {
  registerGauge(registry, {
    name: 'florin_doctor_findings',
    help: 'What the newest report of the doctor found and is not in order, by check and level.',
    labelNames: ['check', 'level'],
    read: async () => (await reader.query<Sample>(findingsSql)).rows,
  });
}
