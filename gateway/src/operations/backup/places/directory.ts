import { createReadStream, createWriteStream } from 'node:fs';
import { mkdir, open, readdir, rename, rm, stat } from 'node:fs/promises';
import { dirname, join, relative, sep } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { systemClock } from '../../../kit/clock.ts';
import { codeOf } from '../../../kit/db/system-errors.ts';
import { randomBase62 } from '../../../kit/ids.ts';
import { assertPath, NotPlaced } from './paths.ts';
import type { BackupPlace, Placed } from './types.ts';

/** Files that are still written end with this; one that a kill left is removed when it is a day old. */
const draftEnd = '.part';
const draftMs = 86_400_000;

/**
 * A directory as the place of backups. It must exist: where its disk is not mounted, nothing is written beside it.
 * Only the owner of the files may read them.
 */
export function openDirectory(root: string): BackupPlace {
  const full = (path: string): string => {
    assertPath(path);
    return join(root, path);
  };
  return {
    name: root,
    async put(path, from) {
      const target = full(path);
      await assertDirectory(root);
      await mkdir(dirname(target), { recursive: true, mode: 0o700 });
      const draft = `${target}.${randomBase62(8)}${draftEnd}`;
      try {
        const file = createWriteStream(draft, { flags: 'wx', mode: 0o600, flush: true });
        await pipeline(from, file);
        await rename(draft, target);
        await syncDirectory(dirname(target));
        return file.bytesWritten;
      } catch (error) {
        await rm(draft, { force: true });
        throw error;
      }
    },
    async get(path) {
      const file = await open(full(path)).catch((error) => {
        throw codeOf(error) === 'ENOENT' ? new NotPlaced(root, path) : error;
      });
      return createReadStream('', { fd: file });
    },
    async list(folder) {
      await assertDirectory(root);
      const under = folder === '' ? root : full(folder);
      return (await filesUnder(root, under)).sort((a, b) => (a.path < b.path ? -1 : 1));
    },
    async remove(paths) {
      for (const path of paths) await rm(full(path), { force: true });
    },
  };
}

async function filesUnder(root: string, under: string): Promise<Placed[]> {
  const entries = await readdir(under, { recursive: true, withFileTypes: true }).catch((error) => {
    if (codeOf(error) !== 'ENOENT') throw error;
    return [];
  });
  const files: Placed[] = [];
  for (const entry of entries) {
    if (!entry.isFile()) continue;
    const path = join(entry.parentPath, entry.name);
    // Null: it was removed in the meantime.
    const found = await stat(path).catch(() => null);
    if (found === null) continue;
    if (entry.name.endsWith(draftEnd)) {
      if (systemClock().getTime() - found.mtimeMs > draftMs) await rm(path, { force: true });
      continue;
    }
    files.push({ path: relative(root, path).split(sep).join('/'), bytes: found.size, at: found.mtime });
  }
  return files;
}

async function assertDirectory(root: string): Promise<void> {
  const found = await stat(root).catch((error) => {
    if (!['ENOENT', 'ENOTDIR'].includes(codeOf(error))) throw error;
    return null;
  });
  if (!found?.isDirectory()) throw new Error(`There is no directory ${root}: is its disk mounted?`);
}

/** Writes a directory to disk, since a new name in it could be lost in a power cut. */
export async function syncDirectory(path: string): Promise<void> {
  const directory = await open(path);
  try {
    await directory.sync();
  } finally {
    await directory.close();
  }
}
