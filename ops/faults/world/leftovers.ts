import { execFile } from 'node:child_process';
import { mkdir, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { findCluster } from '../../../gateway/src/kit/postgres/postgres-cluster.ts';
import { isAlive, readPostmaster } from '../../../gateway/src/kit/postgres/postgres-postmaster.ts';
import { removeDataDir } from '../../../gateway/test/support/data-dir.ts';
import { familyOf, signalAll, until } from '../../failover/processes.ts';

/** What the names of the folders of worlds begin with. */
export const worldPrefix = 'florin-faults-';
/** In the folder of a world: the data directory of its database. */
export const serverFolder = 'server';

const waitMs = 30_000;
const run = promisify(execFile);

/** Notes in the folder of a world that this process plays in it. */
export async function noteRun(folder: string): Promise<void> {
  await mkdir(join(folder, 'processes'));
  await writeFile(join(folder, 'run'), `${process.pid} ${await beganAt(process.pid)}`);
}

/** Notes a process of a world that would go on without the one that plays. */
export async function noteProcess(folder: string, pid: number | undefined): Promise<void> {
  if (pid !== undefined) await writeFile(join(folder, 'processes', `${pid}`), `${await beganAt(pid)}`);
}

/**
 * Removes the worlds whose player was killed before it could: their gateways, servers, disks and folders, and nothing that such a
 * world has not noted. Returns the folders. Does nothing where there is no `/proc`.
 */
export async function removeLeftovers(within = tmpdir()): Promise<string[]> {
  const removed: string[] = [];
  for (const name of await readdir(within)) {
    const folder = join(within, name);
    if (!name.startsWith(worldPrefix) || !(await isLeft(folder))) continue;
    await removeWorld(folder);
    removed.push(folder);
  }
  return removed;
}

async function isLeft(folder: string): Promise<boolean> {
  const text = await readFile(join(folder, 'run'), 'utf8').catch(() => '');
  const [pid, began] = text.split(' ');
  return began !== undefined && began !== 'null' && (await beganAt(Number(pid))) !== began;
}

async function removeWorld(folder: string): Promise<void> {
  const dataDir = join(folder, serverFolder);
  const cluster = await findCluster(dataDir).catch(() => undefined);
  const left = await notedIn(folder);
  const postmaster = cluster && (await readPostmaster(cluster.data).catch(() => undefined));
  if (cluster && postmaster && (await isAlive(postmaster, cluster.data))) left.push(postmaster.pid);
  const family = await familyOf(left);
  signalAll(family, 'SIGKILL');
  await until('what a killed run left has ended', waitMs, async () => (await familyOf(family)).length === 0);
  // Not every world has a disk of its own.
  if (cluster) await run('umount', ['--lazy', cluster.home]).catch(() => {});
  await removeDataDir(dataDir);
  await rm(folder, { recursive: true, force: true });
}

/** The noted processes that are still the ones that were noted. */
async function notedIn(folder: string): Promise<number[]> {
  const found: number[] = [];
  for (const name of await readdir(join(folder, 'processes')).catch(() => [])) {
    const began = await readFile(join(folder, 'processes', name), 'utf8');
    if ((await beganAt(Number(name))) === began) found.push(Number(name));
  }
  return found;
}

/** When a process began, in ticks since the machine did: its number may be another one's later. Null: there is none. */
async function beganAt(pid: number): Promise<string | null> {
  const stat = await readFile(`/proc/${pid}/stat`, 'utf8').catch(() => '');
  // The name of the program is in brackets, and may hold any sign.
  return stat.slice(stat.lastIndexOf(')') + 2).split(' ')[19] ?? null;
}
