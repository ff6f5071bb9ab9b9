import { type Config, ConfigError, readConfig } from '../config/config.ts';
import { withKeptDemoChain } from '../demo/chain/demo-config.ts';
import { systemClock } from '../kit/clock.ts';
import { type Database, openDatabase } from '../kit/db/db.ts';
import { isMigrated, readMigrations } from '../kit/db/migrate.ts';
import { serversOf } from '../kit/db/servers.ts';
import { findCluster } from '../kit/postgres/postgres-cluster.ts';
import { roleWarning } from '../operations/database.ts';
import { broken, type Finding, found, words } from '../operations/doctor/checks/finding.ts';
import { judge as judgeProcess } from '../operations/doctor/checks/process.ts';
import { checkNames, countsOf, examine } from '../operations/doctor/examine.ts';
import { createSecretHider } from '../rails/endpoint-address.ts';
import { sourceRoot, withDatabaseAsIs } from './with-database.ts';

/**
 * Looks at the whole installation, beside a running gateway or without one, and prints what it found and what to do.
 * Returns the exit code: 0 no fault; 2 a fault.
 */
export async function doctor(env: NodeJS.ProcessEnv, { json }: { json: boolean }): Promise<number> {
  const findings = await diagnose(env);
  const counts = countsOf(findings);
  const report = json
    ? `${JSON.stringify({ at: systemClock().toISOString(), counts, findings })}\n`
    : describe(findings);
  process.stdout.write(report);
  return counts.fault > 0 ? 2 : 0;
}

async function diagnose(env: NodeJS.ProcessEnv): Promise<Finding[]> {
  let config: Config;
  try {
    config = readConfig(env);
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error;
    // Without settings nothing else can be looked at.
    const memoryBytes = process.constrainedMemory() || Number.POSITIVE_INFINITY;
    return [
      ...error.faults.map((fault) => found('configuration', 'wrong', fault)),
      ...judgeProcess({ node: process.versions.node, files: null, memoryBytes }),
    ];
  }
  const { database, dataDir } = config;
  if (database.kind === 'embedded' && !(await findCluster(dataDir).catch(() => true)))
    return await examineAll(config, null, null);
  return await withDatabaseOrFault(config);
}

/** Examines with the database, or, where it cannot be opened, all that needs none. */
async function withDatabaseOrFault(config: Config): Promise<Finding[]> {
  let findings: Finding[] | undefined;
  try {
    await withDatabaseAsIs(config, async (db) => {
      await db.query('SELECT');
      findings = await examineAll(config, db, null);
    });
  } catch (error) {
    if (findings === undefined) return await examineAll(config, null, faultIn(error, config));
    const stopped = broken('database', 'failed', `it could not be left: ${(error as Error).message}`);
    return [...findings, stopped];
  }
  return findings ?? [];
}

/** Why the database cannot be used, without the password in its address. */
function faultIn(error: unknown, { database }: Config): string {
  const cause = error instanceof AggregateError ? (error.errors[0] as Error) : (error as Error);
  const message = cause.message || cause.name;
  if (database.kind === 'embedded') return message;
  const addresses = [database.url, database.ownerUrl ?? '']
    .flatMap((each) => serversOf(each))
    .filter((url) => URL.canParse(url));
  return addresses.reduce((text, url) => createSecretHider(url)(text), message);
}

async function examineAll(
  settings: Config,
  db: Database | null,
  databaseFault: string | null,
): Promise<Finding[]> {
  const config = await withKeptDemoChain(settings).catch(() => settings);
  const migrations = await readMigrations(sourceRoot);
  const progress = progressOf(checkNames.length);
  const findings = await examine(
    {
      ...{ config, db, databaseFault, now: systemClock },
      isMigrated: async () => db !== null && (await isMigrated(db, migrations).catch(() => false)),
      roleWarning: () => warningOf(config),
    },
    { onDone: progress.show },
  );
  progress.end();
  return findings;
}

/** Looks at the rights of the role that serves, as which a command is not connected. */
async function warningOf({ database }: Config): Promise<string | null> {
  if (database.kind === 'embedded') return null;
  const serving = openDatabase({ connectionString: database.url }, 1);
  try {
    return await roleWarning(serving);
  } finally {
    await serving.end();
  }
}

/** A line on a terminal that counts the checks, and nothing elsewhere. */
function progressOf(all: number): { show(done: number): void; end(): void } {
  const write = (text: string) => void (process.stderr.isTTY && process.stderr.write(`\r\x1b[K${text}`));
  return { show: (done) => write(`${done} of ${all} checks`), end: () => write('') };
}

/** The findings, for people: what is wrong with what to do, then what is right in one line each. */
function describe(findings: readonly Finding[]): string {
  const { fault, warning, unknown } = countsOf(findings);
  const lines = findings.map(({ check, level, what, todo, detail }) => {
    const { about } = words[check];
    const first = `${level.padEnd(8)}${about}: ${what}`;
    if (level === 'ok') return `${first}${detail === null ? '' : ` ${detail}`}\n`;
    const more = [detail, todo].filter((text) => text !== null).map((text) => `        ${text}\n`);
    return `${first}\n${more.join('')}`;
  });
  const sum = [counted(fault, 'fault'), counted(warning, 'warning'), `${unknown} not known`].join(', ');
  return `${lines.join('')}\n${sum}. docs/doctor.md has every check.\n`;
}

const counted = (count: number, what: string) => `${count} ${what}${count === 1 ? '' : 's'}`;
