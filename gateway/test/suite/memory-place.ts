import { chown, mkdtemp, readdir, rm, stat, statfs } from 'node:fs/promises';
import { join } from 'node:path';
import type { Owner } from '../../src/kit/postgres/system-user.ts';

const memory = '/dev/shm';
const prefix = 'florin-test-';
const gigabyte = 1024 ** 3;
const dayMs = 86_400_000;

/**
 * A directory in memory for the databases of a run, which a server of this owner may write to; undefined where there is
 * too little of it. A database is a thousand files: to make one on a disk takes 40 to 200 ms of CPU, here 20.
 */
export async function memoryPlace(owner: Owner | undefined): Promise<string | undefined> {
  const room = await statfs(memory).then(
    ({ bavail, bsize }) => bavail * bsize,
    () => 0,
  );
  if (room < 4 * gigabyte || process.availableMemory() < 8 * gigabyte) return undefined;
  await removeOld();
  const place = await mkdtemp(join(memory, prefix));
  if (owner) await chown(place, owner.uid, owner.gid);
  return place;
}

/** What a run left that was killed. None takes a day. */
async function removeOld(): Promise<void> {
  for (const name of await readdir(memory)) {
    const path = join(memory, name);
    const isOld = name.startsWith(prefix) && (await stat(path)).mtimeMs < Date.now() - dayMs;
    if (isOld) await rm(path, { recursive: true, force: true });
  }
}
