import { execFile } from 'node:child_process';
import { chown, mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import type pg from 'pg';
import { roles, writeAccess } from '../../src/kit/postgres/postgres-access.ts';
import { type Cluster, serverEnvironment } from '../../src/kit/postgres/postgres-cluster.ts';
import { connectionTo, connectTo } from '../../src/kit/postgres/postgres-postmaster.ts';
import { type Settings, startServer } from '../../src/kit/postgres/postgres-server.ts';
import { serverUser } from '../../src/kit/postgres/system-user.ts';

/** A PostgreSQL that this machine has, with a cluster that ends with it. */
export type SystemServer = {
  /** How its owner reaches the database `florin`, as of an embedded server. */
  connection: pg.PoolConfig;
  cluster: Cluster;
  /** Starts it again as a standby that has no primary yet, and returns how to reach it. */
  follow(): Promise<pg.PoolConfig>;
  stop(): Promise<void>;
};

/** Starts the server whose programs lie in `directory` on a new cluster with the roles of an embedded one. */
export async function startSystemServer(directory: string, settings: Settings): Promise<SystemServer> {
  const home = await mkdtemp(join(tmpdir(), 'florin-postgres-'));
  const remove = () => rm(home, { recursive: true, force: true });
  try {
    const cluster = await makeCluster(home, directory);
    const start = () => startServer(cluster, { directory, major: '' }, settings, () => {});
    let server = await start();
    const client = await connectTo(server.postmaster);
    await client.query(`CREATE ROLE ${roles.app} LOGIN`);
    await client.query('CREATE DATABASE florin');
    await client.end();
    return {
      ...{ connection: connectionTo(server.postmaster, 'florin'), cluster },
      async follow() {
        await server.stop();
        await writeFile(join(cluster.data, 'standby.signal'), '');
        server = await start();
        return connectionTo(server.postmaster, 'florin');
      },
      async stop() {
        await server.stop();
        await remove();
      },
    };
  } catch (error) {
    await remove();
    throw error;
  }
}

async function makeCluster(home: string, directory: string): Promise<Cluster> {
  // PostgreSQL refuses to run as root.
  const owner = process.getuid?.() === 0 ? await serverUser(() => {}) : undefined;
  const cluster: Cluster = { home, data: join(home, 'data'), owner, isApart: false };
  const socket = join(home, 'socket');
  await mkdir(socket, { mode: 0o700 });
  if (owner) for (const path of [home, socket]) await chown(path, owner.uid, owner.gid);
  const options = [
    ...['-D', cluster.data, '--encoding=UTF8', '--locale=C.UTF-8', '--no-instructions'],
    ...[`--username=${roles.owner}`, '--auth-local=peer', '--auth-host=reject'],
  ];
  const environment = { cwd: home, env: serverEnvironment };
  await promisify(execFile)(join(directory, 'initdb'), options, { ...owner, ...environment });
  await writeAccess(cluster);
  return cluster;
}
