import { createReadStream } from 'node:fs';
import { createInterface } from 'node:readline';
import { recompute } from '../../gateway/src/commands/audit.ts';
import { liftTimeLimits, type Tx, transaction } from '../../gateway/src/kit/db/db.ts';
import { oneRow } from '../../gateway/src/kit/db/one-row.ts';
import type { RunningGateway } from '../gateway.ts';

/** Where the load and the receiver wrote what they were told, with tabs between the fields of a line. */
export type Files = { created: string; completed: string; arrived: string };

/** What is in the database beside what was answered. */
export type Books = {
  created: number;
  completed: number;
  /** Webhooks, by their event and all together. */
  events: number;
  arrivals: number;
  /** What is missing, or there twice. */
  faults: string[];
  /** The median time from the answer of a payment to its webhook, by the second in which it was paid. */
  lagsMs: number[];
  audit: string;
  isClean: boolean;
};

const rowsAStatement = 20_000;

/** Compares what merchants were told with what the database has of their payments, and recomputes the ledger. */
export async function reckon(
  { db, dataDir }: RunningGateway,
  {
    files,
    integrations,
    startedAtMs,
  }: { files: Files; integrations: readonly string[]; startedAtMs: number },
): Promise<Books> {
  const { report, chain } = await recompute({ DATA_DIR: dataDir });
  const compared = await transaction(db, async (tx) => {
    await liftTimeLimits(tx);
    await tx.query('SET LOCAL enable_seqscan = on');
    await tx.query(`CREATE TEMP TABLE created (reference text) ON COMMIT DROP;
      CREATE TEMP TABLE completed (reference text, at float) ON COMMIT DROP;
      CREATE TEMP TABLE arrived (reference text, event text, at float) ON COMMIT DROP`);
    for (const name of ['created', 'completed', 'arrived'] as const) await load(tx, name, files[name]);
    await tx.query('ANALYZE created, completed, arrived');
    return { ...(await compare(tx, integrations)), lagsMs: await lags(tx, startedAtMs) };
  });
  const faults = [
    ...report.findings.map((each) => JSON.stringify(each)),
    ...(chain.fault ? ['the hash chain'] : []),
  ];
  return {
    ...compared,
    audit:
      faults.join('; ') ||
      `clean: ${report.entries.toLocaleString('en')} entries, ${chain.stamps.toLocaleString('en')} stamps`,
    isClean: faults.length === 0,
  };
}

async function load(tx: Tx, name: keyof Files, file: string): Promise<void> {
  let rows: string[][] = [];
  const store = async () => {
    const columns = (rows[0] ?? []).map((_, at) => rows.map((row) => row[at]));
    if (rows.length === 0) return;
    const types = ['text', name === 'completed' ? 'float' : 'text', 'float'].slice(0, columns.length);
    const values = types.map((type, at) => `$${at + 1}::${type}[]`).join(', ');
    await tx.query(`INSERT INTO ${name} SELECT * FROM unnest(${values})`, columns);
    rows = [];
  };
  for await (const line of createInterface({ input: createReadStream(file) })) {
    rows.push(line.split('\t'));
    if (rows.length === rowsAStatement) await store();
  }
  await store();
}

const countsSql = `
WITH own AS (SELECT reference, status FROM payments WHERE integration_id = ANY ($1)),
  told AS (SELECT reference, count(DISTINCT event) AS events, count(*) AS arrivals FROM arrived GROUP BY reference)
SELECT (SELECT count(*)::int FROM created) AS created,
  (SELECT count(*)::int FROM completed) AS completed,
  (SELECT sum(events)::int FROM told) AS events,
  (SELECT sum(arrivals)::int FROM told) AS arrivals,
  (SELECT count(*)::int FROM created LEFT JOIN own USING (reference) WHERE own.reference IS NULL) AS "payments are missing",
  (SELECT count(*)::int FROM own LEFT JOIN created USING (reference) WHERE created.reference IS NULL) AS "payments were never answered",
  (SELECT count(*)::int FROM completed LEFT JOIN own USING (reference) WHERE own.status IS DISTINCT FROM 'completed') AS "payments are not completed",
  (SELECT count(*)::int FROM own LEFT JOIN completed USING (reference) WHERE own.status = 'completed' AND completed.reference IS NULL) AS "payments are completed unasked",
  (SELECT count(*)::int FROM completed LEFT JOIN told USING (reference) WHERE told.reference IS NULL) AS "webhooks are missing",
  (SELECT count(*)::int FROM told WHERE events > 1) AS "payments have two events",
  (SELECT count(*)::int FROM told LEFT JOIN completed USING (reference) WHERE completed.reference IS NULL) AS "webhooks are of unpaid payments"`;

type Counts = Record<'created' | 'completed' | 'events' | 'arrivals', number> & Record<string, number>;

async function compare(tx: Tx, integrations: readonly string[]) {
  const { created, completed, events, arrivals, ...wrong } = oneRow(
    await tx.query<Counts>(countsSql, [integrations]),
    'the comparison',
  );
  const faults = Object.entries(wrong).flatMap(([what, count]) => (count > 0 ? [`${count} ${what}`] : []));
  return { created, completed, events, arrivals, faults };
}

const lagsSql = `
SELECT floor(completed.at - $1)::int AS second,
  percentile_cont(0.5) WITHIN GROUP (ORDER BY greatest(0, first.at - completed.at)) * 1000 AS lag
FROM completed JOIN (SELECT reference, min(at) AS at FROM arrived GROUP BY reference) first USING (reference)
GROUP BY 1`;

async function lags(tx: Tx, startedAtMs: number): Promise<number[]> {
  const { rows } = await tx.query<{ second: number; lag: number }>(lagsSql, [startedAtMs / 1000]);
  const lagsMs: number[] = [];
  for (const { second, lag } of rows) lagsMs[second] = lag;
  return Array.from(lagsMs, (lag) => lag ?? 0);
}
