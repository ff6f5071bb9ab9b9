import type { Database } from '../../../kit/db/db.ts';
import { oneRow } from '../../../kit/db/one-row.ts';
import type { Check } from './context.ts';
import { type Finding, found } from './finding.ts';

/** Below this many rows a wrong plan costs little. */
const largeRows = 100_000;
const oldAge = 500_000_000;
const fullAge = 1_500_000_000;

type Facts = { autovacuum: string; age: number };

const factsSql = `
SELECT current_setting('autovacuum') AS autovacuum, age(datfrozenxid)::int AS age
FROM pg_database WHERE datname = current_database()`;

const tablesSql = `
SELECT relname AS name, greatest(last_analyze, last_autoanalyze) IS NULL AS is_new
FROM pg_stat_user_tables WHERE schemaname = current_schema() AND n_live_tup > $1
  AND coalesce(n_mod_since_analyze > n_live_tup / 2 AND greatest(last_analyze, last_autoanalyze) < now() - interval '1 day',
    true)
ORDER BY n_live_tup DESC LIMIT 10`;

const partsSql = `
SELECT string_agg(c.relname, ', ' ORDER BY c.relname) AS names
FROM pg_partitioned_table p JOIN pg_class c ON c.oid = p.partrelid
WHERE c.relnamespace = current_schema()::regnamespace
  AND coalesce((SELECT max(until) FROM parts_of(c.oid)), '-infinity') < now() + interval '1 day'`;

/** Whether statistics are kept up to date, transaction ids are freed, and tables have parts for the days that come. */
export const checkMaintenance: Check = async ({ db, isMigrated }) => {
  if (!db) return [];
  const findings = [
    ...judge(oneRow(await db.query<Facts>(factsSql), 'facts')),
    ...(await judgeTables(db)),
    ...((await isMigrated()) ? await judgeParts(db) : []),
  ];
  return findings.length > 0 ? findings : [found('maintenance', 'ok')];
};

/** What the server's settings and the age of its oldest transaction mean. */
export function judge({ autovacuum, age }: Facts): Finding[] {
  const used = `the oldest one is ${age} transactions ago, of 2,147,483,648`;
  return [
    ...(autovacuum === 'off' ? [found('maintenance', 'off')] : []),
    ...(age > fullAge ? [found('maintenance', 'few_transactions', used)] : []),
    ...(age > oldAge && age <= fullAge ? [found('maintenance', 'old_transactions', used)] : []),
  ];
}

async function judgeTables(db: Database): Promise<Finding[]> {
  const { rows } = await db.query<{ name: string; is_new: boolean }>(tablesSql, [largeRows]);
  const named = (isNew: boolean) =>
    rows
      .filter((row) => row.is_new === isNew)
      .map(({ name }) => name)
      .join(', ');
  const [never, old] = [named(true), named(false)];
  return [
    ...(never === '' ? [] : [found('maintenance', 'never_analyzed', never)]),
    ...(old === '' ? [] : [found('maintenance', 'old_statistics', old)]),
  ];
}

async function judgeParts(db: Database): Promise<Finding[]> {
  const { names } = oneRow(await db.query<{ names: string | null }>(partsSql), 'parts');
  return names === null ? [] : [found('maintenance', 'no_parts', names)];
}
