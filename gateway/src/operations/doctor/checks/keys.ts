import type { Check } from './context.ts';
import { found } from './finding.ts';

const mostNamed = 20;

const keysSql = `
SELECT i.name, k.hint, k.valid_until FROM api_keys k JOIN integrations i ON i.id = k.integration_id
WHERE k.valid_until > $1 AND k.valid_until < $1::timestamptz + interval '7 days'
  AND k.last_used_at > $1::timestamptz - interval '1 day' ORDER BY k.valid_until LIMIT $2`;

const secretsSql = `
SELECT i.name, min(s.valid_until) AS valid_until FROM webhook_old_secrets s
JOIN webhook_endpoints w ON w.id = s.endpoint_id AND w.deleted_at IS NULL AND w.mode = 'live'
JOIN integrations i ON i.id = w.integration_id
WHERE s.valid_until > $1 AND s.valid_until < $1::timestamptz + interval '1 day' GROUP BY i.name ORDER BY 2 LIMIT $2`;

/** API keys that were rolled and are still used, and old secrets of endpoints, shortly before they end. */
export const checkKeys: Check = async ({ db, isMigrated, now }) => {
  if (!db || !(await isMigrated())) return [];
  type Row = { name: string; hint?: string; valid_until: Date };
  const named = ({ name, hint, valid_until }: Row) =>
    `${name}${hint === undefined ? '' : ` (…${hint})`} until ${valid_until.toISOString()}`;
  const keys = await db.query<Row>(keysSql, [now(), mostNamed]);
  const secrets = await db.query<Row>(secretsSql, [now(), mostNamed]);
  const findings = [
    ...(keys.rows.length === 0 ? [] : [found('keys', 'ending', keys.rows.map(named).join(', '))]),
    ...(secrets.rows.length === 0
      ? []
      : [found('keys', 'secret_ending', secrets.rows.map(named).join(', '))]),
  ];
  return findings.length > 0 ? findings : [found('keys', 'ok')];
};
