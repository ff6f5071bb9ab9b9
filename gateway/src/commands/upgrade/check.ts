import { readConfig } from '../../config/config.ts';
import { readMigrations } from '../../kit/db/migrate.ts';
import { megabytes, progressLine, seconds } from '../../operations/backup/progress.ts';
import { relationCount } from '../../operations/backup/tables.ts';
import { florinVersion } from '../../operations/version.ts';
import { sourceRoot, withDatabaseAsIs } from '../with-database.ts';
import { type BothAudits, isClean } from './rehearsal/both-audits.ts';
import { MigrationFailed, type Rehearsed, rehearse } from './rehearsal/rehearse.ts';

/** What a rehearsal found, as `florin upgrade --check --json` prints it. */
type Report = { version: string; fault: string | null; rehearsed: Rehearsed | null };

/**
 * Applies the migrations of this version to a copy of the database, beside a running gateway or without one, and prints what they
 * take and whether ledger, hash chain and sums are as before: for people, or as one JSON object. The database is only read. Returns the exit
 * code: 0 they can be applied, 2 they cannot, or what is in the database is not sound.
 */
export async function rehearseUpgrade(env: NodeJS.ProcessEnv, { json }: { json: boolean }): Promise<number> {
  const version = florinVersion();
  const progress = progressLine('Copying:');
  try {
    const rehearsed = await withDatabaseAsIs(readConfig(env), async (live) => {
      if ((await relationCount(live)) === 0)
        throw new Error('The database is empty: there is nothing to try');
      const migrations = await readMigrations(sourceRoot);
      return await rehearse({ owner: live.options, live, migrations, onProgress: progress.show });
    });
    progress.end();
    return print({ version, fault: faultOf(rehearsed), rehearsed }, json);
  } catch (error) {
    progress.end();
    if (!(error instanceof MigrationFailed)) throw error;
    return print({ version, fault: error.message, rehearsed: null }, json);
  }
}

function print(report: Report, json: boolean): number {
  process.stdout.write(json ? `${JSON.stringify(report, bigintAsText)}\n` : describe(report));
  return report.fault === null ? 0 : 2;
}

function bigintAsText(_key: string, value: unknown): unknown {
  return typeof value === 'bigint' ? `${value}` : value;
}

/** The first thing that speaks against the upgrade; null: there is none. */
function faultOf({ before, after, differences }: Rehearsed): string | null {
  if (before !== null && !isClean(before)) return `Before the migrations ${faultIn(before)}`;
  if (!isClean(after)) return `After the migrations ${faultIn(after)}`;
  const [first] = differences;
  return first === undefined ? null : `A sum is not as before: ${first}`;
}

function faultIn({ ledger, chain }: BothAudits): string {
  const [finding] = ledger.findings;
  if (finding) return `this is not true: ${finding.check}: ${finding.subject}: ${finding.found}`;
  return `the hash chain is not whole: ${chain.fault?.found}`;
}

function describe({ version, fault, rehearsed }: Report): string {
  const verdict = fault === null ? `Florin ${version} can be installed.` : `NOT to be installed: ${fault}`;
  if (rehearsed === null) return `${verdict}\n`;
  const { copied, migrations, ms, before, sums, differences } = rehearsed;
  const copy = `${copied.tables} tables, ${copied.rows.toLocaleString('en')} rows, ${megabytes(copied.bytes)}`;
  const audits = before === null ? 'after them' : 'before and after them';
  const width = Math.max(...migrations.map(({ name }) => name.length), 'migration'.length);
  const line = (name: string, took: string, locks: string) =>
    `${name.padEnd(width)}  ${took.padStart(8)}  ${locks}`.trimEnd();
  const steps =
    migrations.length === 0
      ? [`Florin ${version} has no new migrations.`]
      : [
          line('migration', 'takes', 'locks'),
          ...migrations.map((step) => line(step.name, seconds(step.ms), step.locks.join(', '))),
          `All together take ${seconds(ms)}. So long nobody can write to the tables that are named.`,
        ];
  return `${[
    `The database was copied in ${seconds(copied.ms)}: ${copy}.`,
    ...steps,
    `The ledger and the hash chain were computed again ${audits}, and ${sums} sums compared; ${differences.length} differ.`,
    ...differences.map((each) => `  ${each}`),
    verdict,
  ].join('\n')}\n`;
}
