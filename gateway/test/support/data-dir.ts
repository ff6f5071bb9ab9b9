import { randomBytes } from 'node:crypto';
import { mkdtemp, rename, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { findCluster } from '../../src/kit/postgres/postgres-cluster.ts';
import { atFileEnd } from '../suite/endings.ts';

/** A new data directory below the system's temporary directory. */
export async function makeDataDir(): Promise<string> {
  return await mkdtemp(join(tmpdir(), 'florin-test-'));
}

/** A new folder for the running test file, which is removed when the file is done. */
export async function testFolder(): Promise<string> {
  const folder = await makeDataDir();
  atFileEnd(() => removeDataDir(folder));
  return folder;
}

/** Removes a data directory whose server was stopped, and its cluster, which lies elsewhere when root made it. */
export async function removeDataDir(dataDir: string): Promise<void> {
  const cluster = await findCluster(dataDir).catch(() => undefined);
  if (cluster) await remove(cluster.home);
  await remove(dataDir);
}

/**
 * The variable with the folder where a run of the tests puts what it removes until it ends; absent: it is deleted at
 * once. ext4 does not give the place of a deleted file to a new one for minutes, and looks at all such places instead:
 * a fortieth of a run's CPU went into that, for clusters alone.
 */
export const trashVariable = 'FLORIN_TESTS_TRASH';

async function remove(directory: string): Promise<void> {
  const trash = process.env[trashVariable];
  const target = trash && join(trash, randomBytes(8).toString('hex'));
  const isMoved =
    target &&
    (await rename(directory, target).then(
      () => true,
      () => false,
    ));
  if (!isMoved) await rm(directory, { recursive: true, force: true });
}
