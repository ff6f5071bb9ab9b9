import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type pg from 'pg';
import type { DemoFile } from '../gateway/src/demo/seed.ts';
import { type Database, openDatabase } from '../gateway/src/kit/db/db.ts';
import { connectEmbedded } from '../gateway/src/kit/postgres/embedded-postgres.ts';
import { findCluster } from '../gateway/src/kit/postgres/postgres-cluster.ts';
import { readPostmaster } from '../gateway/src/kit/postgres/postgres-postmaster.ts';
import { makeDataDir, removeDataDir } from '../gateway/test/support/data-dir.ts';
import { spawnGateway } from '../gateway/test/support/gateway-process.ts';
import type { Processes } from './cpu.ts';

/** A new gateway with its demo, in a process of its own, on its embedded database with fsync on. */
export type RunningGateway = {
  port: number;
  dataDir: string;
  demo: DemoFile;
  processes: Processes;
  /** The bench's own connections to the gateway's database. */
  db: Database;
  connection: pg.PoolConfig;
};

export type GatewayOptions = {
  /** Fills the data directory before the gateway starts on it. */
  prepare?: (dataDir: string) => Promise<void>;
  /** Settings of its own. */
  env?: Record<string, string>;
  /** Its database counts its statements, in the view `pg_stat_statements`. */
  countsStatements?: boolean;
};

/** Runs `work` beside a new gateway, and leaves nothing behind. */
export async function withGateway<T>(
  work: (gateway: RunningGateway) => Promise<T>,
  { prepare, env = {}, countsStatements = false }: GatewayOptions = {},
): Promise<T> {
  const dataDir = await makeDataDir();
  try {
    await prepare?.(dataDir);
    if (countsStatements) await runGateway(dataDir, env, ({ db }) => db.query(preloadSql));
    return await runGateway(dataDir, env, async (gateway) => {
      if (countsStatements) await gateway.db.query('CREATE EXTENSION pg_stat_statements');
      return await work(gateway);
    });
  } finally {
    await removeDataDir(dataDir);
  }
}

// It counts from the next start of the server on.
const preloadSql = 'ALTER SYSTEM SET shared_preload_libraries = pg_stat_statements';

async function runGateway<T>(
  dataDir: string,
  env: Record<string, string>,
  work: (gateway: RunningGateway) => Promise<T>,
): Promise<T> {
  const { FLORIN_BENCH_NODE_OPTIONS: options } = process.env;
  const gateway = await spawnGateway({
    DATA_DIR: dataDir,
    DEMO: '1',
    RATE_LIMIT: '0',
    ...(options ? { NODE_OPTIONS: options } : {}),
    ...env,
  });
  let db: Database | undefined;
  try {
    await gateway.ready;
    const connection = await connectEmbedded(dataDir);
    if (!connection) throw new Error('The gateway is ready without its database');
    db = openDatabase(connection, 2);
    const demo = JSON.parse(await readFile(join(dataDir, 'demo.json'), 'utf8')) as DemoFile;
    const port = Number.parseInt(new URL(gateway.url).port, 10);
    const cluster = await findCluster(dataDir);
    const postmaster = cluster && (await readPostmaster(cluster.data));
    const processes = { gateway: gateway.child.pid ?? 0, postmaster: postmaster?.pid ?? 0 };
    return await work({ port, dataDir, demo, processes, db, connection });
  } finally {
    await db?.end();
    await gateway.end('SIGTERM');
    process.stderr.write(gateway.errors());
  }
}
