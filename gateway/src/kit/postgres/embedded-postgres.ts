import { setTimeout as sleep } from 'node:timers/promises';
import type pg from 'pg';
import { oneRow } from '../db/one-row.ts';
import { roles, writeAccess } from './postgres-access.ts';
import type { Binaries } from './postgres-binaries.ts';
import { type Cluster, findCluster, handedOver, openCluster } from './postgres-cluster.ts';
import {
  clearStale,
  connectionTo,
  connectTo,
  isAlive,
  lockState,
  readPostmaster,
  signal,
  takeLock,
} from './postgres-postmaster.ts';
import { type Server, type Settings, startServer } from './postgres-server.ts';
import { removeSpool, spoolSettings } from './wal-spool.ts';

/** A running embedded server that this process holds. */
export type Embedded = {
  /** How its owner, a superuser, reaches the database `florin`: socket directory, port and user. */
  connection: pg.PoolConfig;
  /** True when this call made the database. */
  isNew: boolean;
  /** Ends every connection and waits until the server is gone, at most 10 s. */
  stop(): Promise<void>;
};

export type EmbeddedOptions = {
  dataDir: string;
  log(line: string): void;
  /** Called when the server ends without having been stopped. */
  onExit?(): void;
  /** PostgreSQL settings in place of Florin's own. */
  settings?: Settings;
  /** Whether the server copies its WAL into the spool. A start without it ends what was archived until then. */
  archives?: boolean;
};

/** Another gateway runs on the same data directory. */
export class EmbeddedInUse extends Error {
  constructor(dataDir: string) {
    super(
      `Another gateway already runs on the data directory ${dataDir}. ` +
        'Stop it first, or give this one a DATA_DIR of its own. ' +
        'To run several gateways together, let them share a PostgreSQL server by DATABASE_URL.',
    );
    this.name = 'EmbeddedInUse';
  }
}

const databaseName = 'florin';
const narrowRole = 'LOGIN NOSUPERUSER NOCREATEDB NOCREATEROLE NOREPLICATION NOBYPASSRLS';
const stateSql = `
SELECT EXISTS (SELECT FROM pg_database WHERE datname = $1) AS database, r.rolname IS NOT NULL AS role,
  coalesce(rolcanlogin AND NOT (rolsuper OR rolcreatedb OR rolcreaterole OR rolreplication OR rolbypassrls), false) AS narrow
FROM (SELECT) one LEFT JOIN pg_roles r ON r.rolname = $2`;
const predecessorMs = 10_000;
const confirmMs = 1_000;
const pollMs = 50;
const maxStarts = 3;

/**
 * Starts the PostgreSQL server of a data directory and holds it until `stop`. Makes the cluster when there is none.
 * The server ends with this process, even when the process is killed.
 * Throws `EmbeddedInUse` while another gateway holds it.
 */
export async function startEmbedded(options: EmbeddedOptions): Promise<Embedded> {
  const { cluster, binaries } = await openCluster(options.dataDir, options.log);
  const server = await startAlone(cluster, binaries, options);
  let stopping = false;
  void server.exited.then(() => {
    if (!stopping) options.onExit?.();
  });
  async function stop(): Promise<void> {
    stopping = true;
    await server.stop();
  }
  try {
    const isNew = await prepare(server, options.dataDir, () => stopping);
    return { connection: connectionTo(server.postmaster, databaseName), isNew, stop };
  } catch (error) {
    await stop();
    throw error;
  }
}

/** How to reach the server that runs on a data directory, or null when none does. */
export async function connectEmbedded(dataDir: string): Promise<pg.PoolConfig | null> {
  const cluster = await findCluster(dataDir);
  const postmaster = cluster && (await readPostmaster(cluster.data));
  if (!postmaster || (await lockState(postmaster)) === 'unreachable') return null;
  return connectionTo(postmaster, databaseName);
}

/** How the role that serves reaches an embedded server, by how its owner does. */
export function servingConnection(connection: pg.PoolConfig): pg.PoolConfig {
  return { ...connection, user: roles.app };
}

async function startAlone(cluster: Cluster, binaries: Binaries, options: EmbeddedOptions): Promise<Server> {
  for (let start = 1; ; start++) {
    await waitForPredecessor(cluster, options);
    try {
      const own = await handedOver(cluster, options.log);
      await writeAccess(own);
      if (!options.archives) await removeSpool(own);
      const settings = { ...options.settings, ...(options.archives && spoolSettings(own)) };
      return await startServer(own, binaries, settings, options.log);
    } catch (error) {
      // A server that failed leaves no such file: another process started one first, and will hold it in a moment.
      if (start === maxStarts || !(await readPostmaster(cluster.data))) throw error;
    }
  }
}

/**
 * Returns once no server runs on the cluster. One that no gateway holds is either stopping, since its
 * gateway died, or starting for a gateway that will hold it in a moment.
 */
async function waitForPredecessor(cluster: Cluster, { dataDir, log }: EmbeddedOptions): Promise<void> {
  const began = performance.now();
  let interrupted = false;
  for (let poll = 0; ; poll++) {
    const postmaster = await readPostmaster(cluster.data);
    if (!postmaster) return;
    const state = await lockState(postmaster);
    const waitedMs = performance.now() - began;
    // The server needs a moment to notice that the gateway which held it was killed.
    if (state === 'held' && waitedMs >= confirmMs) throw new EmbeddedInUse(dataDir);
    if (state === 'unreachable' && !(await isAlive(postmaster, cluster.data))) {
      await clearStale(postmaster, cluster.data);
      return;
    }
    if (poll === 20) log('Waiting until the database of a gateway that was killed has stopped.');
    if (waitedMs >= predecessorMs && !interrupted) {
      // Only a server that certainly has no gateway may be stopped here.
      if (state !== 'free' && postmaster.status !== 'stopping') throw new EmbeddedInUse(dataDir);
      signal(postmaster, 'SIGINT');
      interrupted = true;
    }
    if (waitedMs >= 2 * predecessorMs) {
      throw new Error(
        `The database in ${cluster.data} does not stop. End the process ${postmaster.pid} yourself.`,
      );
    }
    await sleep(pollMs);
  }
}

/** Takes the server for this gateway and makes what is missing: the role that serves, the database. True when it made that. */
async function prepare(server: Server, dataDir: string, isStopping: () => boolean): Promise<boolean> {
  const client = await connectTo(server.postmaster);
  if (!(await takeLock(client))) throw new EmbeddedInUse(dataDir);
  void keepLock(server, client, isStopping);
  const found = await client.query<{ database: boolean; role: boolean; narrow: boolean }>(stateSql, [
    databaseName,
    roles.app,
  ]);
  const { database, role, narrow } = oneRow(found, 'what the server has');
  if (!role) await client.query(`CREATE ROLE ${roles.app}`);
  if (!narrow) await client.query(`ALTER ROLE ${roles.app} ${narrowRole}`);
  if (!database) await client.query(`CREATE DATABASE ${databaseName}`);
  return !database;
}

// When one of its processes crashes, the server ends every connection and restarts: the lock is taken again.
async function keepLock(server: Server, first: pg.Client, isStopping: () => boolean): Promise<void> {
  let gone = false;
  void server.exited.then(() => {
    gone = true;
  });
  let client: pg.Client | undefined = first;
  for (;;) {
    const held: pg.Client | undefined = client;
    if (held) await new Promise((resolve) => held.once('end', resolve));
    else await sleep(pollMs, undefined, { ref: false });
    if (gone || isStopping()) return;
    client = await retake(server);
  }
}

async function retake(server: Server): Promise<pg.Client | undefined> {
  try {
    const client = await connectTo(server.postmaster);
    if (await takeLock(client)) return client;
    await client.end();
  } catch {
    // The server is not back yet, or is stopping: the caller finds out which.
  }
  return undefined;
}
