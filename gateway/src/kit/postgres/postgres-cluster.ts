import { execFile } from 'node:child_process';
import { chown, link, mkdir, readFile, realpath, rename, rm, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { codeOf } from '../db/system-errors.ts';
import { newId } from '../ids.ts';
import { type Binaries, postgresBinaries } from './postgres-binaries.ts';

/** The user a server runs as; absent: the user of this process. */
export type Owner = { uid: number; gid: number };

/** One PostgreSQL cluster on disk: `home` holds its `data` directory, its socket directory and its log. */
export type Cluster = { home: string; data: string; owner: Owner | undefined };

/**
 * PostgreSQL refuses to run as root, and another user may not be able to enter the home directory in which the data
 * directory is. A cluster that root makes is therefore put here, and the data directory holds its path.
 */
const sharedRoot = '/var/lib/florin';
const pointerName = 'postgres.path';

// `florin` where an operator made such a user, else the unprivileged user that every system has.
const userNames = ['florin', 'nobody'];

const isRoot = (): boolean => process.getuid?.() === 0;

/**
 * The cluster of a data directory, or undefined when it has none yet. Throws when the directory names a cluster that
 * no longer exists: an empty one in its place would hide the loss of every balance.
 */
export async function findCluster(dataDir: string): Promise<Cluster | undefined> {
  const pointer = join(dataDir, pointerName);
  const pointed = await readFile(pointer, 'utf8').catch(ignoreMissing);
  const home = pointed?.trim() ?? join(dataDir, 'postgres');
  const found = await stat(home).catch(ignoreMissing);
  if (found) {
    const cluster = await realpath(home);
    const owner = isRoot() ? { uid: found.uid, gid: found.gid } : undefined;
    return { home: cluster, data: join(cluster, 'data'), owner };
  }
  if (pointed === undefined) return undefined;
  throw new Error(
    `The database of ${dataDir} should be in ${home}, which does not exist. ` +
      `Put it back, or remove ${pointer} to begin with an empty database.`,
  );
}

/** Finds the cluster of a data directory or makes it: completely or not at all, and only one when several processes try. */
export async function openCluster(dataDir: string): Promise<{ cluster: Cluster; binaries: Binaries }> {
  await mkdir(dataDir, { recursive: true, mode: 0o700 });
  const binaries = await postgresBinaries(isRoot() ? sharedRoot : dataDir, isRoot());
  let cluster = await findCluster(dataDir);
  if (!cluster) {
    if (isRoot()) await makeShared(dataDir, binaries);
    else await makeInside(dataDir, binaries);
    cluster = await findCluster(dataDir);
  }
  if (!cluster) throw new Error(`The database of ${dataDir} was removed while it was made`);
  await assertVersion(cluster, binaries);
  return { cluster, binaries };
}

async function makeInside(dataDir: string, binaries: Binaries): Promise<void> {
  const partial = join(dataDir, `postgres.${newId()}`);
  try {
    await initialise(partial, binaries, undefined);
    await rename(partial, join(dataDir, 'postgres'));
  } catch (error) {
    await rm(partial, { recursive: true, force: true });
    // Another process made it first; both use its cluster.
    if (!['EEXIST', 'ENOTEMPTY'].includes(codeOf(error))) throw error;
  }
}

// By the random name, a data directory that was deleted and made again gets a new cluster.
async function makeShared(dataDir: string, binaries: Binaries): Promise<void> {
  const home = join(sharedRoot, newId());
  const pointer = join(dataDir, pointerName);
  const partial = `${pointer}.${newId()}`;
  try {
    await initialise(home, binaries, await unprivilegedUser());
    await writeFile(partial, `${home}\n`, { mode: 0o600, flush: true });
    await link(partial, pointer);
  } catch (error) {
    await rm(home, { recursive: true, force: true });
    if (codeOf(error) !== 'EEXIST') throw error;
  } finally {
    await rm(partial, { force: true });
  }
}

async function initialise(home: string, { directory }: Binaries, owner: Owner | undefined): Promise<void> {
  await mkdir(join(home, 'socket'), { recursive: true, mode: 0o700 });
  if (owner) {
    await chown(home, owner.uid, owner.gid);
    await chown(join(home, 'socket'), owner.uid, owner.gid);
  }
  const options = [
    ...['-D', join(home, 'data'), '--username=florin', '--auth=trust', '--encoding=UTF8', '--locale=C'],
    ...['--locale-provider=builtin', '--builtin-locale=C.UTF-8', '--data-checksums', '--no-instructions'],
  ];
  await promisify(execFile)(join(directory, 'initdb'), options, {
    ...owner,
    cwd: home,
    env: serverEnvironment,
  });
}

/** The whole environment of a server's process: that of a gateway may hold secrets. */
export const serverEnvironment = { PATH: process.env.PATH ?? '/usr/bin:/bin', LC_ALL: 'C', TZ: 'UTC' };

async function unprivilegedUser(): Promise<Owner> {
  const lines = (await readFile('/etc/passwd', 'utf8')).split('\n').map((line) => line.split(':'));
  for (const name of userNames) {
    const [, , uid, gid] = lines.find((fields) => fields[0] === name) ?? [];
    if (uid !== undefined && gid !== undefined) {
      return { uid: Number.parseInt(uid, 10), gid: Number.parseInt(gid, 10) };
    }
  }
  throw new Error(
    'PostgreSQL refuses to run as root, and this system has no user "florin" or "nobody". ' +
      'Start Florin as another user, or set DATABASE_URL.',
  );
}

async function assertVersion(cluster: Cluster, binaries: Binaries): Promise<void> {
  const version = (await readFile(join(cluster.data, 'PG_VERSION'), 'utf8')).trim();
  if (version === binaries.major) return;
  throw new Error(
    `The database in ${cluster.data} was made by PostgreSQL ${version}, this Florin brings PostgreSQL ` +
      `${binaries.major}. Start the Florin that made it, or move its data with pg_dump to a server of your own.`,
  );
}

function ignoreMissing(error: unknown): undefined {
  if (codeOf(error) !== 'ENOENT') throw error;
}
