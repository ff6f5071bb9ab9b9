import { execFile } from 'node:child_process';
import { chmod, chown, mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { freePorts } from '../../gateway/test/support/free-ports.ts';
import { findFailover } from '../../scripts/install-failover.mjs';
import { makeNode, type Node, type User } from './node.ts';
import { endProgram, startProgram, until } from './processes.ts';

/** Two servers under Patroni, of which one takes writes, with etcd, and HAProxy before them. */
export type Cluster = {
  nodes: Node[];
  home: string;
  /** The addresses of a role: of both servers, and through HAProxy. */
  hostsOf(role: string): string;
  proxyOf(role: string): string;
  /** The server that takes writes. Throws where none does. */
  primary(): Promise<Node>;
  /** Waits until the other server follows and confirms each commit. */
  whole(): Promise<void>;
};

const run = promisify(execFile);
const walBytes = '160m';
const startMs = 180_000;
const wholeMs = 60_000;
const renewedMs = 180_000;

/** Starts all of it. What is pushed to `ends` ends it and removes its folders; `keep`: not those with the logs. */
export async function startCluster(ends: (() => Promise<unknown>)[], keep: boolean): Promise<Cluster> {
  const programs = findFailover();
  if (!programs) throw new Error('Patroni, etcd, HAProxy or PostgreSQL 15 is missing: see npm run failover');
  if (process.getuid?.() !== 0) throw new Error('npm run failover mounts small disks: run it as root');
  const user = await postgresUser();
  const home = await mkdtemp(join(tmpdir(), 'florin-failover-'));
  ends.push(async () => (keep ? undefined : await rm(home, { recursive: true, force: true })));
  await chmod(home, 0o755);
  const [etcdPort = 0, peerPort = 0, proxyPort = 0] = await freePorts(3);

  const etcd = await startEtcd({ program: programs.etcd, home, user, etcdPort, peerPort });
  ends.push(etcd);
  const nodes: Node[] = [];
  for (const name of ['one', 'two']) {
    const wal = await mountDisk(join(home, `${name}-disk`), user, ends);
    const ports = await freePorts(5);
    const node = await makeNode({ name, home: join(home, name), wal, etcdPort, ports, user, programs });
    ends.push(node.end);
    nodes.push(node);
    node.start();
    // The first becomes the primary.
    if (nodes.length === 1) await until('the first server takes writes', startMs, () => takesWrites(node));
  }
  ends.push(await startProxy({ program: programs.haproxy, home, user, proxyPort, nodes }));

  const urlOf = (role: string, hosts: string) => `postgres://${role}@${hosts}/florin`;
  const hosts = nodes.map(({ port }) => `127.0.0.1:${port}`).join(',');
  async function primary(): Promise<Node> {
    for (const node of nodes) if (await takesWrites(node).catch(() => false)) return node;
    throw new Error('No server takes writes');
  }
  const isWhole = (waitMs: number) =>
    until('the other server confirms each commit', waitMs, async () => {
      const rows = await (await primary()).ask(
        "SELECT FROM pg_stat_replication WHERE sync_state = 'sync' AND state = 'streaming'",
      );
      return rows.length === 1;
    }).then(
      () => true,
      () => false,
    );
  const cluster: Cluster = {
    ...{ nodes, home, primary },
    hostsOf: (role) => `${urlOf(role, hosts)}?target_session_attrs=read-write`,
    proxyOf: (role) => urlOf(role, `127.0.0.1:${proxyPort}`),
    async whole() {
      if (await isWhole(wholeMs)) return;
      // As an operator does with a server that cannot follow any more.
      const node = await primary();
      for (const { restPort } of nodes.filter((other) => other !== node))
        await fetch(`http://127.0.0.1:${restPort}/reinitialize`, { method: 'POST', body: '{"force": true}' });
      if (!(await isWhole(renewedMs))) throw new Error('The other server does not come back');
    },
  };
  await cluster.whole();
  return cluster;
}

/** Whether a server takes a write, which is tried. */
export async function takesWrites(node: Node): Promise<boolean> {
  const [row] = await node.ask<{ follows: boolean }>('SELECT pg_is_in_recovery() AS follows');
  if (row?.follows !== false) return false;
  await node.ask('CREATE TABLE IF NOT EXISTS tried (at timestamptz); INSERT INTO tried VALUES (now())');
  return true;
}

async function postgresUser(): Promise<User> {
  const [uid, gid] = await Promise.all(['-u', '-g'].map((of) => run('id', [of, 'postgres'])));
  return { uid: Number(uid?.stdout), gid: Number(gid?.stdout) };
}

/** A disk in memory, and in it the folder of the WAL: PostgreSQL makes that by itself. */
async function mountDisk(
  folder: string,
  { uid, gid }: User,
  ends: (() => Promise<unknown>)[],
): Promise<string> {
  await mkdir(folder);
  await run('mount', [
    '-t',
    'tmpfs',
    '-o',
    `size=${walBytes},uid=${uid},gid=${gid},mode=0700`,
    'tmpfs',
    folder,
  ]);
  ends.push(() => run('umount', ['--lazy', folder]));
  return join(folder, 'wal');
}

type EtcdPlace = { program: string; home: string; user: User; etcdPort: number; peerPort: number };

async function startEtcd({
  program,
  home,
  user,
  etcdPort,
  peerPort,
}: EtcdPlace): Promise<() => Promise<void>> {
  const data = join(home, 'etcd');
  await mkdir(data, { mode: 0o700 });
  await chown(data, user.uid, user.gid);
  const client = `http://127.0.0.1:${etcdPort}`;
  const peer = `http://127.0.0.1:${peerPort}`;
  const args = [
    ...[
      '--name',
      'etcd',
      '--data-dir',
      data,
      '--listen-client-urls',
      client,
      '--advertise-client-urls',
      client,
    ],
    ...[
      '--listen-peer-urls',
      peer,
      '--initial-advertise-peer-urls',
      peer,
      '--initial-cluster',
      `etcd=${peer}`,
    ],
    // A busy machine with one disk.
    ...['--heartbeat-interval', '500', '--election-timeout', '5000', '--unsafe-no-fsync'],
  ];
  const child = startProgram({ program, args, log: join(home, 'etcd.log'), user });
  await until('etcd answers', startMs, async () => (await fetch(`${client}/health`)).ok);
  return () => endProgram(child, 'SIGTERM');
}

type ProxyPlace = { program: string; home: string; user: User; proxyPort: number; nodes: Node[] };

async function startProxy({
  program,
  home,
  user,
  proxyPort,
  nodes,
}: ProxyPlace): Promise<() => Promise<void>> {
  const file = join(home, 'haproxy.cfg');
  const servers = nodes.map(
    ({ name, port, restPort }) => `  server ${name} 127.0.0.1:${port} maxconn 200 check port ${restPort}`,
  );
  await writeFile(
    file,
    `defaults
  mode tcp
  timeout connect 3s
  timeout client 1h
  timeout server 1h
  timeout check 2s
listen primary
  bind 127.0.0.1:${proxyPort}
  option clitcpka
  option srvtcpka
  option httpchk GET /primary
  http-check expect status 200
  default-server inter 1s fall 3 rise 1 on-marked-down shutdown-sessions
${servers.join('\n')}
`,
    { mode: 0o644 },
  );
  const child = startProgram({ program, args: ['-db', '-f', file], log: join(home, 'haproxy.log'), user });
  return () => endProgram(child, 'SIGTERM');
}
