import { execFile } from 'node:child_process';
import { chown, mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import type pg from 'pg';
import { roles, writeAccess } from '../../src/kit/postgres/postgres-access.ts';
import { type Cluster, serverEnvironment } from '../../src/kit/postgres/postgres-cluster.ts';
import { connectionTo, connectTo, type Postmaster } from '../../src/kit/postgres/postgres-postmaster.ts';
import { type Settings, startServer } from '../../src/kit/postgres/postgres-server.ts';
import { serverUser } from '../../src/kit/postgres/system-user.ts';

/** A PostgreSQL that this machine has, with a cluster that ends with it. */
export type SystemServer = {
  /** How its owner reaches the database `florin`, as of an embedded server. */
  connection: pg.PoolConfig;
  cluster: Cluster;
  /** Starts it again as a standby that has no primary yet, and returns how to reach it. */
  follow(): Promise<pg.PoolConfig>;
  /** Starts another server on a copy of its data, which follows it, and ends before it does. */
  standby(): Promise<SystemStandby>;
  stop(): Promise<void>;
};

/** A server that follows another one. */
export type SystemStandby = Pick<SystemServer, 'connection' | 'stop'>;

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
      standby: () => startStandby(directory, server.postmaster, { cluster, settings }),
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

type Primary = { cluster: Cluster; settings: Settings };

/** Starts a server on a base backup of one that runs, from which it takes all that comes after. */
async function startStandby(
  directory: string,
  postmaster: Postmaster,
  { cluster, settings }: Primary,
): Promise<SystemStandby> {
  const { owner } = cluster;
  const home = await mkdtemp(join(tmpdir(), 'florin-standby-'));
  const copy: Cluster = { ...cluster, home, data: join(home, 'data') };
  const socket = join(home, 'socket');
  await mkdir(socket, { mode: 0o700 });
  if (owner) for (const path of [home, socket]) await chown(path, owner.uid, owner.gid);
  const client = await connectTo(postmaster);
  await client.query("SELECT pg_backup_start('standby', true)");
  await promisify(execFile)('cp', ['-a', cluster.data, copy.data]);
  const stopped = await client.query<{ labelfile: string }>('SELECT labelfile FROM pg_backup_stop(false)');
  await client.end();
  await rm(join(copy.data, 'postmaster.pid'));
  const files = { backup_label: stopped.rows[0]?.labelfile ?? '', 'standby.signal': '' };
  for (const [name, text] of Object.entries(files)) {
    await writeFile(join(copy.data, name), text);
    if (owner) await chown(join(copy.data, name), owner.uid, owner.gid);
  }
  const source = `host=${postmaster.socketDirectory} port=${postmaster.port} user=${roles.owner}`;
  const follows = { ...settings, primary_conninfo: source, hot_standby_feedback: 'on' };
  const server = await startServer(copy, { directory, major: '' }, follows, () => {});
  return {
    connection: connectionTo(server.postmaster, 'florin'),
    async stop() {
      await server.stop();
      await rm(home, { recursive: true, force: true });
    },
  };
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
