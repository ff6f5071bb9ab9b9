import { execFile } from 'node:child_process';
import { chown, link, mkdir, readFile, realpath, rename, rm, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { codeOf } from '../db/system-errors.ts';
import { newId } from '../ids.ts';
import { roles } from './postgres-access.ts';
import { type Binaries, postgresBinaries } from './postgres-binaries.ts';
import { giveTo, type Owner, serverUser } from './system-user.ts';

/**
 * One PostgreSQL cluster on disk: `home` holds its `data` directory, its socket directory and its log. Its server runs
 * as `owner`; absent: as the user of this process. `isApart`: root made it, outside of the data directory.
 */
export type Cluster = { home: string; data: string; owner: Owner | undefined; isApart: boolean };

/** Makes the home of a cluster at a path where nothing is. `owner`: whom all of it is to belong to. */
export type Fill = (home: string, owner: Owner | undefined) => Promise<void>;

/**
 * PostgreSQL refuses to run as root, and another user may not be able to enter the home directory in which the data
 * directory is. A cluster that root makes is therefore put here, and the data directory holds its path.
 */
const sharedRoot = '/var/lib/florin';
const pointerName = 'postgres.path';

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
    return { home: cluster, data: join(cluster, 'data'), owner, isApart: pointed !== undefined };
  }
  if (pointed === undefined) return undefined;
  throw new Error(
    `The database of ${dataDir} should be in ${home}, which does not exist. ` +
      `Put it back, or remove ${pointer} to begin with an empty database.`,
  );
}

/**
 * Finds the cluster of a data directory or makes it: completely or not at all, and only one when several processes try.
 */
export async function openCluster(
  dataDir: string,
  log: (line: string) => void,
): Promise<{ cluster: Cluster; binaries: Binaries }> {
  await mkdir(dataDir, { recursive: true, mode: 0o700 });
  const binaries = await binariesFor(dataDir);
  let cluster = await findCluster(dataDir);
  if (!cluster) {
    await makeCluster(dataDir, log, (home, owner) => initialise(home, binaries, owner));
    cluster = await findCluster(dataDir);
  }
  if (!cluster) throw new Error(`The database of ${dataDir} was removed while it was made`);
  await assertVersion(cluster, binaries);
  return { cluster, binaries };
}

export async function binariesFor(dataDir: string): Promise<Binaries> {
  return await postgresBinaries(isRoot() ? sharedRoot : dataDir, isRoot());
}

/**
 * Makes the cluster of a data directory: `fill` makes its home, which gets its name when it is complete. False when
 * another process was first; both use its cluster.
 */
export async function makeCluster(
  dataDir: string,
  log: (line: string) => void,
  fill: Fill,
): Promise<boolean> {
  return isRoot() ? await makeApart(dataDir, await serverUser(log), fill) : await makeInside(dataDir, fill);
}

/**
 * Gives a cluster that root made to the server's own user, where another one owns it: `nobody`, in earlier versions, or
 * the number that the user had in an earlier container. No server may run on it.
 */
export async function handedOver(cluster: Cluster, log: (line: string) => void): Promise<Cluster> {
  const { home, owner, isApart } = cluster;
  if (!owner || !isApart) return cluster;
  const { uid, gid, warning } = await serverUser(log);
  if (warning !== null && owner.uid === uid) log(warning);
  // In a container without that user it may have a number that has no name there.
  if (owner.uid === uid || (warning !== null && owner.uid !== 0)) return cluster;
  log(`The files of the database in ${home} are handed over to the user of PostgreSQL.`);
  await giveTo(home, { uid, gid });
  return { ...cluster, owner: { uid, gid } };
}

async function makeInside(dataDir: string, fill: Fill): Promise<boolean> {
  const partial = join(dataDir, `postgres.${newId()}`);
  try {
    await fill(partial, undefined);
    await rename(partial, join(dataDir, 'postgres'));
    return true;
  } catch (error) {
    await rm(partial, { recursive: true, force: true });
    if (!['EEXIST', 'ENOTEMPTY'].includes(codeOf(error))) throw error;
    return false;
  }
}

// The name is random, so that a data directory that was deleted and made again gets a new cluster.
async function makeApart(dataDir: string, owner: Owner, fill: Fill): Promise<boolean> {
  const home = join(sharedRoot, newId());
  const pointer = join(dataDir, pointerName);
  const partial = `${pointer}.${newId()}`;
  try {
    await fill(home, owner);
    await writeFile(partial, `${home}\n`, { mode: 0o600, flush: true });
    await link(partial, pointer);
    return true;
  } catch (error) {
    await rm(home, { recursive: true, force: true });
    if (codeOf(error) !== 'EEXIST') throw error;
    return false;
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
    ...['-D', join(home, 'data'), '--encoding=UTF8', '--locale=C', '--no-instructions'],
    ...[`--username=${roles.owner}`, '--auth-local=peer', '--auth-host=reject'],
    ...['--locale-provider=builtin', '--builtin-locale=C.UTF-8', '--data-checksums'],
  ];
  await promisify(execFile)(join(directory, 'initdb'), options, {
    ...owner,
    cwd: home,
    env: serverEnvironment,
  });
}

/** The environment of a server's process. It does not get the gateway's, which may hold secrets. */
export const serverEnvironment = { PATH: process.env.PATH ?? '/usr/bin:/bin', LC_ALL: 'C', TZ: 'UTC' };

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
