import { mkdir, open, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { invalid } from '../../kit/http/fields.ts';
import { randomBase62 } from '../../kit/ids.ts';

/** The most bytes of a backup that one call brings. */
export const pieceBytes = 4 * 1024 * 1024;
const namePattern = /^upload-[A-Za-z0-9]{20}$/;

/** Files that a browser sends in pieces, in a directory that only this user reads. */
export type Uploads = {
  /** Adds a piece at `at`, the number of bytes that came before, and returns the new number. `name` null: a new file. */
  add(name: string | null, at: number, piece: Buffer): Promise<{ name: string; bytes: number }>;
  /** The path of a file. */
  pathOf(name: string): string;
};

const directoryIn = (dataDir: string): string => join(dataDir, 'first-run');

/** Removes all files that browsers sent. */
export const clearUploads = (dataDir: string): Promise<void> =>
  rm(directoryIn(dataDir), { recursive: true, force: true });

export function openUploads(dataDir: string): Uploads {
  const directory = directoryIn(dataDir);

  function pathOf(name: string): string {
    if (!namePattern.test(name)) throw invalid('file', 'is not known');
    return join(directory, name);
  }

  return {
    pathOf,
    async add(given, at, piece) {
      // One file at most: a new one takes the place of what was sent before.
      if (given === null) await clearUploads(dataDir);
      await mkdir(directory, { recursive: true, mode: 0o700 });
      const name = given ?? `upload-${randomBase62(20)}`;
      const path = pathOf(name);
      const before = given === null ? 0 : await sizeOf(path);
      // A piece that was sent again after its answer was lost.
      if (before === at + piece.length && piece.length > 0) return { name, bytes: before };
      if (before !== at) throw invalid('at', `must be ${before}`);
      const file = await open(path, given === null ? 'wx' : 'a', 0o600);
      try {
        await file.appendFile(piece);
      } finally {
        await file.close();
      }
      return { name, bytes: at + piece.length };
    },
  };
}

async function sizeOf(path: string): Promise<number> {
  const found = await stat(path).catch(() => null);
  if (!found?.isFile()) throw invalid('file', 'is not known');
  return found.size;
}
