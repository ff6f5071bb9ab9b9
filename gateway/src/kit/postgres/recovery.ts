import { access, chown, mkdir, readdir, rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type pg from 'pg';
import { oneRow } from '../db/one-row.ts';
import { writeAccess } from './postgres-access.ts';
import type { Binaries } from './postgres-binaries.ts';
import { binariesFor, type Cluster, findCluster, makeCluster } from './postgres-cluster.ts';
import { connectionTo, connectTo } from './postgres-postmaster.ts';
import { type Server, type Settings, startServer } from './postgres-server.ts';
import { giveTo, type Owner } from './system-user.ts';

/** The files of WAL that a recovery may read, in order, and how one is written to a path. */
export type WalSource = { names: readonly string[]; fetch(name: string, to: string): Promise<void> };

export type Recovery<T> = {
  dataDir: string;
  log(line: string): void;
  /** Writes the files of a base backup into a folder that exists and is empty. */
  writeBase(data: string): Promise<void>;
  wal: WalSource;
  /** The last moment whose commits are kept; null: all that there is. */
  until: Date | null;
  /**
   * Called on the recovered database, before it gets its place, with how its owner reaches the database `florin`.
   * `reachedAt`: when its last transaction was committed; null: none was since the base backup.
   */
  finish(connection: pg.PoolConfig, reachedAt: Date | null): Promise<T>;
};

const pollMs = 50;
/** So many files are fetched before they are asked for. */
const ahead = 4;

/**
 * Makes the cluster of a data directory that has none: from a base backup and the WAL since, up to a moment. Completely or
 * not at all. Throws where there is a cluster already.
 */
export async function recoverCluster<T>(recovery: Recovery<T>): Promise<T> {
  const { dataDir, log } = recovery;
  await mkdir(dataDir, { recursive: true, mode: 0o700 });
  if (await findCluster(dataDir)) throw new Error(notEmpty(dataDir));
  const binaries = await binariesFor(dataDir);
  let result: { value: T } | null = null;
  const isMade = await makeCluster(dataDir, log, async (home, owner) => {
    const cluster: Cluster = { home, data: join(home, 'data'), owner, isApart: owner !== undefined };
    result = { value: await recover(cluster, binaries, recovery) };
  });
  if (!isMade || result === null) throw new Error(notEmpty(dataDir));
  return (result as { value: T }).value;
}

const notEmpty = (dataDir: string): string =>
  `There is a database in ${dataDir} already: set DATA_DIR to a new directory. Nothing was changed.`;

async function recover<T>(cluster: Cluster, binaries: Binaries, recovery: Recovery<T>): Promise<T> {
  const { home, data, owner } = cluster;
  await mkdir(join(home, 'socket'), { recursive: true, mode: 0o700 });
  await mkdir(data, { mode: 0o700 });
  await recovery.writeBase(data);
  await writeFile(join(data, 'recovery.signal'), '');
  const desk = join(home, 'recovery');
  for (const folder of ['asked', 'there']) await mkdir(join(desk, folder), { recursive: true, mode: 0o700 });
  await writeFile(join(desk, 'names'), recovery.wal.names.map((name) => `${name}\n`).join(''));
  if (owner) await giveTo(home, owner);
  await writeAccess(cluster);
  const server = await runRecovery(cluster, binaries, recovery, desk);
  try {
    return await recovery.finish(connectionTo(server.postmaster, 'florin'), await reachedBy(server));
  } finally {
    await server.stop();
    await rm(desk, { recursive: true });
  }
}

/** Starts the server, which reads WAL until it has what is wanted, and then is open. */
async function runRecovery<T>(
  cluster: Cluster,
  binaries: Binaries,
  { wal, until, log }: Recovery<T>,
  desk: string,
): Promise<Server> {
  const settings: Settings = {
    restore_command: restoreCommand,
    // What another database made of the same base backup is not followed.
    recovery_target_timeline: 'current',
    recovery_target_action: 'promote',
    hot_standby: 'off',
  };
  const start = (more: Settings) => startServer(cluster, binaries, { ...settings, ...more }, log);
  const fetching = startFetching(wal, desk, cluster.owner);
  try {
    if (until === null) return await fetching.during(start({}));
    // The server does not know what Z means while it reads its settings.
    return await fetching.during(
      start({ recovery_target_time: until.toISOString().replace('Z', '+00') }).catch(async (error: Error) => {
        // Nothing was committed after that moment, as far as there is WAL: all of it is what is wanted.
        if (!error.message.includes('recovery ended before configured recovery target was reached'))
          throw error;
        return await start({});
      }),
    );
  } finally {
    await fetching.stop();
  }
}

/** When the last transaction was committed that a server has recovered. */
async function reachedBy({ postmaster }: Server): Promise<Date | null> {
  const client = await connectTo(postmaster);
  try {
    const result = await client.query<{ at: Date | null }>('SELECT pg_last_xact_replay_timestamp() AS at');
    return oneRow(result, 'time of the last transaction').at;
  } finally {
    await client.end();
  }
}

/**
 * Runs in the data directory. It asks for a file by an empty one of its name and waits until it is there, since the
 * program of a gateway takes too long to start for each. Without the desk the recovery is over.
 */
const restoreCommand = `d=../recovery; grep -qxF %f $d/names || exit 1
[ -e $d/there/%f ] || : > $d/asked/%f
until [ -e $d/there/%f ]; do [ -d $d/asked ] || exit 1; sleep 0.05; done
mv $d/there/%f %p`;

/** Brings the files of WAL that a server asks for, and some ahead. */
function startFetching(wal: WalSource, desk: string, owner: Owner | undefined) {
  const [asked, there] = [join(desk, 'asked'), join(desk, 'there')];
  const done = Promise.withResolvers<never>();
  let isStopped = false;

  async function bring(name: string): Promise<void> {
    const target = join(there, name);
    if (await exists(target)) return;
    await wal.fetch(name, `${target}.part`);
    if (owner) await chown(`${target}.part`, owner.uid, owner.gid);
    await rename(`${target}.part`, target);
  }
  async function run(): Promise<void> {
    while (!isStopped) {
      for (const name of await readdir(asked)) {
        await bring(name);
        await rm(join(asked, name));
        const at = wal.names.indexOf(name) + 1;
        // One that cannot be fetched is a fault only where it is asked for.
        for (const next of wal.names.slice(at, at + ahead)) if (!isStopped) await bring(next).catch(() => {});
      }
      await sleep(pollMs);
    }
  }
  const running = run().catch(done.reject);
  return {
    /** What the server's start comes to, unless a file cannot be fetched. */
    async during(start: Promise<Server>): Promise<Server> {
      try {
        return await Promise.race([start, done.promise]);
      } catch (error) {
        // The server waits for a file that will not come: without the desk its command fails, and its start ends.
        await rm(desk, { recursive: true, force: true });
        await start.then((server) => server.stop()).catch(() => {});
        throw error;
      }
    },
    async stop(): Promise<void> {
      isStopped = true;
      await running;
    },
  };
}

async function exists(path: string): Promise<boolean> {
  return await access(path).then(
    () => true,
    () => false,
  );
}
