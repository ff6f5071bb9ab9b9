import { execFile } from 'node:child_process';
import { readFile, rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import pg from 'pg';
import { oneRow } from '../db/one-row.ts';
import { codeOf } from '../db/system-errors.ts';
import { newId } from '../ids.ts';
import { roles } from './postgres-access.ts';

/** What a running server writes into `postmaster.pid`. */
export type Postmaster = {
  pid: number;
  port: number;
  /** Empty until the server has made its socket. */
  socketDirectory: string;
  status: string;
};

const fileName = 'postmaster.pid';
const singleGatewayLock = 706_771_000;
const connectMs = 5_000;

/** The server that runs on this data directory, or ran there when it was killed. */
export async function readPostmaster(data: string): Promise<Postmaster | undefined> {
  try {
    return parse(await readFile(join(data, fileName), 'utf8'));
  } catch (error) {
    if (codeOf(error) === 'ENOENT') return undefined;
    throw error;
  }
}

// The lines: process, data directory, start time, port, socket directory, address, shared memory, status.
function parse(text: string): Postmaster | undefined {
  const lines = text.split('\n').map((line) => line.trim());
  const pid = Number.parseInt(lines[0] ?? '', 10);
  if (!(pid > 0)) return undefined;
  const port = Number.parseInt(lines[3] ?? '', 10) || 0;
  return { pid, port, socketDirectory: lines[4] ?? '', status: lines[7] ?? '' };
}

/** True when the process runs and is a server of this data directory, and not another process with the same number. */
export async function isAlive({ pid }: Postmaster, data: string): Promise<boolean> {
  try {
    process.kill(pid, 0);
  } catch (error) {
    if (codeOf(error) === 'ESRCH') return false;
  }
  const command = await commandLine(pid).catch(() => undefined);
  // In doubt it counts as running: two servers on one cluster would destroy it.
  return command === undefined || command.includes(data);
}

/** Sends a signal to a server that may have ended. */
export function signal({ pid }: Postmaster, name: NodeJS.Signals): void {
  try {
    process.kill(pid, name);
  } catch (error) {
    if (codeOf(error) !== 'ESRCH') throw error;
  }
}

async function commandLine(pid: number): Promise<string> {
  if (process.platform === 'linux') return await readFile(`/proc/${pid}/cmdline`, 'utf8');
  return (await promisify(execFile)('ps', ['-o', 'command=', '-p', `${pid}`])).stdout;
}

/**
 * Removes the file that a killed server left, where PostgreSQL does not: after a restart of a container its process number
 * often belongs to another process, which PostgreSQL takes for the running server.
 */
export async function clearStale(stale: Postmaster, data: string): Promise<void> {
  const path = join(data, fileName);
  const moved = `${path}.${newId()}`;
  try {
    await rename(path, moved);
  } catch (error) {
    if (codeOf(error) === 'ENOENT') return;
    throw error;
  }
  const found = parse(await readFile(moved, 'utf8'));
  // A server that started in the same moment gets its file back.
  if (found && found.pid !== stale.pid) await rename(moved, path);
  else await rm(moved);
}

/** How to reach a database of this server over its socket, as its superuser. */
export function connectionTo({ socketDirectory, port }: Postmaster, database: string): pg.PoolConfig {
  return { host: socketDirectory, port, user: roles.owner, database, ssl: false };
}

/** A separate connection to the server's maintenance database. */
export async function connectTo(postmaster: Postmaster): Promise<pg.Client> {
  const client = new pg.Client({
    ...connectionTo(postmaster, 'postgres'),
    application_name: 'florin embedded',
    connectionTimeoutMillis: connectMs,
  });
  // A lost connection rejects the current query, or ends the client.
  client.on('error', () => {});
  await client.connect();
  return client;
}

/** Marks the server as this gateway's, as long as the connection is open. False where another gateway has it. */
export async function takeLock(client: pg.Client): Promise<boolean> {
  const result = await client.query<{ taken: boolean }>('SELECT pg_try_advisory_lock($1) AS taken', [
    singleGatewayLock,
  ]);
  return oneRow(result, 'lock of the gateway').taken;
}

/** Whether a gateway holds the server. `unreachable` while it starts or stops, and when there is none. */
export async function lockState(postmaster: Postmaster): Promise<'held' | 'free' | 'unreachable'> {
  let client: pg.Client | undefined;
  try {
    client = await connectTo(postmaster);
    const { rowCount } = await client.query(
      `SELECT FROM pg_locks
        WHERE locktype = 'advisory' AND classid = 0 AND objid = $1::oid AND objsubid = 1 AND granted`,
      [singleGatewayLock],
    );
    return rowCount === 0 ? 'free' : 'held';
  } catch (error) {
    // No connection was left, so a gateway that runs has taken them all.
    return codeOf(error) === '53300' ? 'held' : 'unreachable';
  } finally {
    await client?.end().catch(() => {});
  }
}
