import { execFile } from 'node:child_process';
import { mkdir, rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import type pg from 'pg';
import { type Database, openDatabase } from '../../../gateway/src/kit/db/db.ts';
import { type Embedded, startEmbedded } from '../../../gateway/src/kit/postgres/embedded-postgres.ts';
import { openCluster } from '../../../gateway/src/kit/postgres/postgres-cluster.ts';
import { readPostmaster } from '../../../gateway/src/kit/postgres/postgres-postmaster.ts';
import { removeDataDir } from '../../../gateway/test/support/data-dir.ts';
import { familyOf, signalAll } from '../../failover/processes.ts';
import type { Ends } from '../../stories/tools.ts';

/** The PostgreSQL server of a world, and what its breaks do to it. */
export type WorldDatabase = {
  /** How its owner reaches it, past all relays. */
  connection: pg.PoolConfig;
  /** The socket that relays lead to. */
  socket: string;
  /** As the owner, past all relays. */
  db: Database;
  /** The folder of its own disk, which can be filled; null: it has none. */
  disk: string | null;
  /** The postmaster and all that it started. */
  processes(): Promise<number[]>;
  /** Starts it again where it does not run. */
  start(): Promise<void>;
  stop(): Promise<void>;
};

/** All processes of a world's server stay as they are when it is killed: the machine keeps what was written. */
const settings = { max_connections: '150', shared_buffers: '64MB', max_wal_size: '64MB', fsync: 'off' };
const diskBytes = '320m';
const run = promisify(execFile);

/** `ownDisk`: on a small disk in memory, for which root is needed. */
export async function openWorldDatabase(
  dataDir: string,
  ends: Ends,
  { ownDisk }: { ownDisk: boolean },
): Promise<WorldDatabase> {
  ends.push(() => removeDataDir(dataDir));
  const { cluster } = await openCluster(dataDir, () => {});
  if (ownDisk) await mountAt(cluster.home, ends);
  const begin = () => startEmbedded({ dataDir, log: () => {}, settings });
  let server: Embedded | null = await begin();
  const { connection } = server;
  const db = openDatabase(connection, 3);
  const stop = async () => {
    const running = server;
    server = null;
    await running?.stop();
  };
  ends.push(stop, () => db.end());

  async function isRunning(): Promise<boolean> {
    const postmaster = await readPostmaster(cluster.data).catch(() => undefined);
    return server !== null && postmaster !== undefined && (await familyOf([postmaster.pid])).length > 0;
  }
  return {
    ...{ connection, db, stop, disk: ownDisk ? cluster.home : null },
    socket: join(connection.host ?? '', `.s.PGSQL.${connection.port}`),
    async processes() {
      const postmaster = await readPostmaster(cluster.data);
      return postmaster ? await familyOf([postmaster.pid]) : [];
    },
    async start() {
      if (await isRunning()) return;
      // Ends what watched over the server that was killed.
      await stop();
      server = await begin();
    },
  };
}

/** Puts the home of a cluster, of which no server runs, on a disk of its own. */
async function mountAt(home: string, ends: Ends): Promise<void> {
  const before = `${home}.before`;
  await rename(home, before);
  await mkdir(home);
  await run('mount', ['-t', 'tmpfs', '-o', `size=${diskBytes},mode=0700`, 'tmpfs', home]);
  ends.push(() => run('umount', ['--lazy', home]));
  await run('cp', ['--archive', `${before}/.`, home]);
  await rm(before, { recursive: true });
}

/** Stops all processes of the server where they are, or lets them go on. */
export async function signalServer(database: WorldDatabase, signal: NodeJS.Signals): Promise<void> {
  signalAll(await database.processes(), signal);
}
