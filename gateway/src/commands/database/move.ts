import { mkdir } from 'node:fs/promises';
import { text } from 'node:stream/consumers';
import { type Config, readConfig } from '../../config/config.ts';
import { systemClock } from '../../kit/clock.ts';
import { readMigrations } from '../../kit/db/migrate.ts';
import { newId } from '../../kit/ids.ts';
import { findCluster } from '../../kit/postgres/postgres-cluster.ts';
import { progressLine, seconds } from '../../operations/backup/progress.ts';
import { assertReachedDirectly, openServer } from '../../operations/database.ts';
import { sourceRoot } from '../with-database.ts';
import { isAddress, withPassword } from './addresses.ts';
import { moveData, type Step } from './steps.ts';

export type MoveOrder = {
  /** `embedded`, the address of the serving role on a server, or `-`: it and that of the owner are read from standard input. */
  to: string;
  /** The address of the role that will own the tables there, where that is another one. */
  owner?: string | undefined;
};

/**
 * Moves all data from the installation's database to another one while no gateway runs, and prints which settings to change.
 * Returns the exit code: 0 moved; 2 moved, and the books have the faults that they had before.
 */
export async function moveDatabase(env: NodeJS.ProcessEnv, order: MoveOrder): Promise<number> {
  const config = readConfig(env);
  const next = { ...config, database: await readTarget(order) };
  await assertPlaces(config, next);
  const migrations = await readMigrations(sourceRoot);
  const began = performance.now();
  const progress = progressLine('Moving:');
  const onStep = (step: Step): void => {
    progress.end();
    if (step.name === 'copied')
      process.stdout.write(
        `Copied ${step.tables} tables, ${step.rows.toLocaleString('en')} rows. The copy is being compared.\n`,
      );
  };
  const { findings } = await withServers(config, next, async (source, target) => {
    const moved_at = systemClock();
    const move = { id: newId(moved_at), moved_at, origin: placeOf(config), target: placeOf(next) };
    return await moveData({ source, target, move, migrations, onProgress: progress.show, onStep });
  }).finally(progress.end);
  process.stdout.write(
    `Moved from ${nameOf(config)} to ${nameOf(next)}, in ${seconds(performance.now() - began)}.\n` +
      'The database that was left stays as it is, and is not served any more.\n' +
      `${findings.map((each) => `  as before: ${each}\n`).join('')}\n${whatToSet(next)}`,
  );
  return findings.length === 0 ? 0 : 2;
}

async function readTarget({ to, owner }: MoveOrder): Promise<Config['database']> {
  if (to === 'embedded') {
    if (owner !== undefined) throw new Error('--owner is for a server of your own');
    return { kind: 'embedded' };
  }
  const [url = '', ownerUrl = null] =
    to === '-' ? (await text(process.stdin)).split(/\s+/).filter((word) => word !== '') : [to, owner];
  for (const address of [url, ownerUrl]) {
    if (address !== null && !isAddress(address))
      throw new Error('The database to move to must be embedded, or addresses that begin with postgres://');
  }
  return { kind: 'external', url, ownerUrl };
}

async function assertPlaces(config: Config, next: Config): Promise<void> {
  if (config.database.kind === 'external') return;
  if (next.database.kind === 'embedded') throw new Error('The database is embedded already');
  if (!(await findCluster(config.dataDir)))
    throw new Error(`There is no database in ${config.dataDir}: set DATA_DIR to its directory`);
}

type Server = Awaited<ReturnType<typeof openServer>>;

/** Opens both servers and stops what it started. An embedded one is held, so that no gateway uses it meanwhile. */
async function withServers<T>(
  config: Config,
  next: Config,
  work: (source: Server, target: Server) => Promise<T>,
): Promise<T> {
  await mkdir(config.dataDir, { recursive: true, mode: 0o700 });
  const source = await openServer(config, { log: () => {} });
  try {
    const target = await openServer(next, { log: () => {} });
    try {
      await assertReachedDirectly(source);
      await assertReachedDirectly(target);
      return await work(source, target);
    } finally {
      await target.stop();
    }
  } finally {
    await source.stop();
  }
}

/** The address of a server without its password, or the data directory of an embedded database. */
function placeOf({ database, dataDir }: Config): string {
  return database.kind === 'embedded' ? dataDir : withPassword(database.url, '');
}

function nameOf(config: Config): string {
  return config.database.kind === 'embedded' ? `the embedded database of ${config.dataDir}` : placeOf(config);
}

function whatToSet({ database, masterKey }: Config): string {
  if (database.kind === 'embedded')
    return 'Remove DATABASE_URL and MIGRATE_DATABASE_URL from the settings, then start the gateway.\n';
  const { url, ownerUrl } = database;
  const lines = [
    `DATABASE_URL=${withPassword(url, 'PASSWORD')}`,
    ...(ownerUrl === null ? [] : [`MIGRATE_DATABASE_URL=${withPassword(ownerUrl, 'PASSWORD')}`]),
    ...(typeof masterKey === 'string' ? [`MASTER_KEY_FILE=${masterKey}`] : []),
  ];
  return `Set these, with the passwords, then start the gateway:\n${lines.join('\n')}\n`;
}
