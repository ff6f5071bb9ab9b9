import type { ChildProcess } from 'node:child_process';
import { chown, mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import pg from 'pg';
import type { FailoverPrograms } from '../../scripts/install-failover.mjs';
import { openRelay, type Relay } from '../faults/world/relay.ts';
import { endProgram, familyOf, signalAll, startProgram } from './processes.ts';

export type User = { uid: number; gid: number };

/** One server of the database: PostgreSQL and the Patroni that starts it. */
export type Node = {
  name: string;
  /** Where all others reach it; it leads through a relay. */
  port: number;
  restPort: number;
  /** The folder of its WAL, which is a small disk of its own. */
  wal: string;
  relays: Relay[];
  start(): void;
  /** Ends Patroni, and with it PostgreSQL. */
  stop(): Promise<void>;
  /** Patroni, the postmaster and all that they started. */
  processes(): Promise<number[]>;
  /** Runs one statement as its superuser, past the relay. */
  ask<Row extends pg.QueryResultRow>(statement: string, database?: string): Promise<Row[]>;
  end(): Promise<void>;
};

type NodePlace = {
  name: string;
  home: string;
  wal: string;
  etcdPort: number;
  /** Of PostgreSQL, Patroni's REST interface, the relays to these, and the one to etcd. */
  ports: number[];
  user: User;
  programs: FailoverPrograms;
};

const answerMs = 3_000;
const stopMs = 30_000;

/** Makes the folders, settings and relays of a node. It is started by itself. */
export async function makeNode(place: NodePlace): Promise<Node> {
  const { name, home, wal, etcdPort, user, programs } = place;
  const [ownPort = 0, ownRest = 0, port = 0, restPort = 0, toEtcd = 0] = place.ports;
  const data = join(home, 'data');
  await mkdir(home, { recursive: true });
  await chown(home, user.uid, user.gid);
  const file = join(home, 'patroni.yml');
  // JSON is YAML.
  await writeFile(file, JSON.stringify(settingsOf(place, data), null, 2), { mode: 0o644 });
  const relays = await Promise.all([
    openRelay(port, ownPort),
    openRelay(restPort, ownRest),
    openRelay(toEtcd, etcdPort),
  ]);
  let patroni: ChildProcess | undefined;

  async function postmaster(): Promise<number> {
    const [line = ''] = (await readFile(join(data, 'postmaster.pid'), 'utf8').catch(() => '')).split('\n');
    return Number(line);
  }

  async function processes(): Promise<number[]> {
    return await familyOf([patroni?.pid ?? 0, await postmaster()].filter((pid) => pid > 0));
  }

  async function stop(): Promise<void> {
    if (!patroni) return;
    const timer = setTimeout(() => patroni?.kill('SIGKILL'), stopMs);
    await endProgram(patroni, 'SIGTERM').finally(() => clearTimeout(timer));
    signalAll(await processes(), 'SIGKILL');
  }

  return {
    ...{ name, port, restPort, wal, relays, processes, stop },
    start() {
      patroni = startProgram({
        program: programs.patroni,
        args: [file],
        log: join(home, 'patroni.log'),
        user,
      });
    },
    async ask(statement, database = 'postgres') {
      const client = new pg.Client({
        ...{ host: home, port: ownPort, user: 'postgres', database },
        ...{ connectionTimeoutMillis: answerMs, query_timeout: answerMs },
      });
      client.on('error', () => {});
      try {
        await client.connect();
        return (await client.query(statement)).rows;
      } finally {
        void client.end().catch(() => {});
      }
    },
    async end() {
      signalAll(await processes(), 'SIGCONT');
      await stop();
      for (const relay of relays) await relay.close();
    },
  };
}

/** The seconds after which a primary that Patroni does not hear loses its place. */
export const ttlSeconds = 20;

/** What docs/operations.md shows, with the ports of this node, and with little WAL, so that its disk is soon full. */
function settingsOf({ name, home, wal, ports, programs }: NodePlace, data: string): object {
  const [ownPort, ownRest, port, restPort, toEtcd] = ports;
  const accounts = { superuser: 'postgres', replication: 'replicator', rewind: 'rewinder' };
  return {
    ...{ scope: 'florin', name },
    restapi: { listen: `127.0.0.1:${ownRest}`, connect_address: `127.0.0.1:${restPort}` },
    // Else Patroni asks etcd for its own address, and leaves the relay.
    etcd3: { hosts: [`127.0.0.1:${toEtcd}`], use_proxies: true },
    bootstrap: {
      dcs: {
        ...{ ttl: ttlSeconds, loop_wait: 3, retry_timeout: 8, primary_start_timeout: 0 },
        synchronous_mode: true,
        postgresql: { use_pg_rewind: true, parameters },
      },
      initdb: [{ encoding: 'UTF8' }, { locale: 'C.UTF-8' }, { waldir: wal }, { 'wal-segsize': '1' }],
    },
    postgresql: {
      listen: `127.0.0.1:${ownPort}`,
      connect_address: `127.0.0.1:${port}`,
      use_unix_socket: true,
      parameters: { unix_socket_directories: home },
      data_dir: data,
      bin_dir: programs.postgres,
      pgpass: join(home, 'pgpass'),
      authentication: Object.fromEntries(
        Object.entries(accounts).map(([role, username]) => [role, { username, password: username }]),
      ),
      pg_hba: [
        'local all all trust',
        'host all all 127.0.0.1/32 trust',
        'host replication all 127.0.0.1/32 trust',
      ],
      basebackup: [{ waldir: wal }, { checkpoint: 'fast' }],
      remove_data_directory_on_rewind_failure: true,
      remove_data_directory_on_diverged_timelines: true,
    },
  };
}

const parameters = {
  max_connections: 200,
  wal_recycle: 'off',
  ...{ min_wal_size: '2MB', max_wal_size: '48MB', wal_keep_size: '32MB' },
  wal_log_hints: 'on',
  // A server that is cut off ends soon, and does not wait for one that follows it.
  ...{ wal_sender_timeout: '5s', wal_receiver_timeout: '5s' },
  ...{ tcp_keepalives_idle: 10, tcp_keepalives_interval: 3, tcp_keepalives_count: 3 },
};
