import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { chown, mkdtemp, open, readFile, rename, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Binaries } from './postgres-binaries.ts';
import { type Cluster, serverEnvironment } from './postgres-cluster.ts';
import { isAlive, type Postmaster, readPostmaster, signal } from './postgres-postmaster.ts';

/** A server that this process started. `exited` settles when its process has ended, for whatever reason. */
export type Server = { postmaster: Postmaster; exited: Promise<void>; stop(): Promise<void> };

export type Settings = Record<string, string>;

const defaults: Settings = {
  listen_addresses: '',
  unix_socket_permissions: '0700',
  port: '5432',
  max_connections: '100',
  shared_buffers: '256MB',
  // This server knows only pglz: pages of an index with random keys shrink by a fifth, and a write to a large table took
  // six times as long.
  wal_compression: 'off',
  max_wal_size: '2GB',
  checkpoint_timeout: '15min',
  // A new installation grows fast, so its tables are analysed within seconds.
  autovacuum_naptime: '10s',
  fsync: 'on',
  synchronous_commit: 'on',
  jit: 'off',
  timezone: 'UTC',
  log_timezone: 'UTC',
  log_min_messages: 'warning',
  log_line_prefix: '%m [%p] ',
  log_checkpoints: 'off',
  // Statements and the details of an error may hold customers' data.
  log_statement: 'none',
  log_min_error_statement: 'panic',
  log_error_verbosity: 'terse',
};

/**
 * Runs the server and waits for it, and stops it when its own standard input ends. The gateway holds the other end,
 * so the server ends with the gateway, however that ends. SIGTERM is sent first: the server ignores
 * SIGINT until it has set up its own signals, and SIGINT turns a smart shutdown into a fast one.
 */
const watchdog = `
exec 3<&0
"$@" </dev/null 3<&- >&2 &
server=$!
echo $server
(read line; kill -TERM $server; kill -INT $server) <&3 >/dev/null 2>&1 &
watch=$!
wait $server
status=$?
kill $watch 2>/dev/null
exit $status`;

// The system's limit is 107 on Linux and 103 on macOS.
const socketPathBytes = 103;
const logBytes = 10_000_000;
const pollMs = 10;
const slowStartMs = 5_000;
// First a fast shutdown, which ends all connections; then an immediate one, after which the next start recovers.
const stopSteps = [
  ['SIGINT', 8_000],
  ['SIGQUIT', 1_500],
] as const;

/** Starts a server and waits until it accepts connections. Throws with its log lines when it ends before. */
export async function startServer(
  cluster: Cluster,
  binaries: Binaries,
  settings: Settings,
  log: (line: string) => void,
): Promise<Server> {
  const socket = await socketDirectory(cluster);
  const logPath = join(cluster.home, 'postgres.log');
  const { child, exited, logStart } = await launch(
    cluster,
    binaries,
    { ...defaults, ...settings },
    { socketPath: socket.path, logPath },
  );
  const postmaster = await untilReady(child, exited, cluster.data, log);
  if (!postmaster) {
    await socket.remove();
    const words = (await readFile(logPath)).subarray(logStart).toString('utf8').trim();
    throw new Error(`PostgreSQL did not start in ${cluster.data}:\n${words}`);
  }
  return {
    postmaster,
    exited,
    async stop() {
      await stopServer(child, postmaster, cluster.data);
      await socket.remove();
    },
  };
}

async function launch(
  { home, data, owner }: Cluster,
  { directory }: Binaries,
  settings: Settings,
  { socketPath, logPath }: { socketPath: string; logPath: string },
): Promise<{ child: ChildProcess; exited: Promise<void>; logStart: number }> {
  const size = (await stat(logPath).catch(() => undefined))?.size ?? 0;
  if (size > logBytes) await rename(logPath, `${logPath}.1`);
  const logFile = await open(logPath, 'a', 0o600);
  try {
    if (owner) await logFile.chown(owner.uid, owner.gid);
    const options = Object.entries({ ...settings, unix_socket_directories: socketPath });
    const flags = options.flatMap(([name, value]) => ['-c', `${name}=${value}`]);
    const command = [join(directory, 'postgres'), '-D', data, ...flags];
    // A process group of its own: a Ctrl-C for the gateway must not stop the database before it.
    const child = spawn('/bin/sh', ['-c', watchdog, 'florin-postgres', ...command], {
      ...owner,
      cwd: home,
      env: serverEnvironment,
      detached: true,
      stdio: ['pipe', 'pipe', logFile.fd],
    });
    child.stdin?.on('error', () => {});
    // Before the first await: a server that cannot start may end during it.
    const exited = new Promise<void>((resolve) => {
      child.once('exit', () => resolve());
      child.once('error', () => resolve());
    });
    return { child, exited, logStart: size > logBytes ? 0 : size };
  } finally {
    await logFile.close();
  }
}

async function socketDirectory({ home, owner }: Cluster): Promise<{ path: string; remove(): Promise<void> }> {
  const path = join(home, 'socket');
  if (Buffer.byteLength(join(path, '.s.PGSQL.5432')) <= socketPathBytes)
    return { path, remove: async () => {} };
  const short = await mkdtemp(join(tmpdir(), 'florin-'));
  if (owner) await chown(short, owner.uid, owner.gid);
  return { path: short, remove: () => rm(short, { recursive: true, force: true }) };
}

async function untilReady(
  child: ChildProcess,
  exited: Promise<void>,
  data: string,
  log: (line: string) => void,
): Promise<Postmaster | undefined> {
  let gone = false;
  void exited.then(() => {
    gone = true;
  });
  if (child.stdout === null) throw new Error('The output of PostgreSQL cannot be read');
  const firstLine = once(createInterface({ input: child.stdout }), 'line') as Promise<[string]>;
  const line = await Promise.race([firstLine, exited]);
  if (!line) return undefined;
  const pid = Number.parseInt(line[0], 10);
  for (let waitedMs = 0; !gone; waitedMs += pollMs) {
    const postmaster = await readPostmaster(data);
    // Another process may have written the file: it started a server first.
    if (postmaster?.pid === pid && postmaster.status === 'ready') return postmaster;
    if (waitedMs === slowStartMs) log('The database is recovering what it had not written to its files yet.');
    await sleep(pollMs);
  }
  return undefined;
}

// The watchdog may have ended already: a supervisor may signal every process of the gateway at once.
async function stopServer(child: ChildProcess, postmaster: Postmaster, data: string): Promise<void> {
  child.stdin?.destroy();
  for (const [name, limitMs] of stopSteps) {
    if (!(await isAlive(postmaster, data))) return;
    signal(postmaster, name);
    for (let waitedMs = 0; waitedMs < limitMs && (await isAlive(postmaster, data)); waitedMs += pollMs) {
      await sleep(pollMs);
    }
  }
}
