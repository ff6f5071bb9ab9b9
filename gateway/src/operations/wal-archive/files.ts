import type { Dirent } from 'node:fs';
import { type FileHandle, open, readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { codeOf } from '../../kit/db/system-errors.ts';

/** A file or a folder of a database; `path` has `/` between its parts and is relative to the data directory. */
export type DataFile = { path: string; isFolder: boolean };

// What a recovery makes anew; the folders themselves must be there.
const emptied = new Set([
  ...[
    'pg_dynshmem',
    'pg_notify',
    'pg_replslot',
    'pg_serial',
    'pg_snapshots',
    'pg_stat_tmp',
    'pg_subtrans',
    'pg_wal',
  ],
]);
const leftOut =
  /^(?:postmaster\.(?:pid|opts)|pg_internal\.init.*|pgsql_tmp.*|t\d+_\d+.*|backup_label.*|tablespace_map.*|(?:recovery|standby)\.signal|current_logfiles)$/;
const control = 'global/pg_control';

/** The files that a base backup consists of, the control file last. Throws where a tablespace lies elsewhere. */
export async function* dataFiles(data: string): AsyncGenerator<DataFile> {
  if ((await readdir(join(data, 'pg_tblspc'))).length > 0)
    throw new Error('The database has tablespaces, and their files are not archived');
  yield* filesUnder(data, '');
  yield { path: control, isFolder: false };
}

async function* filesUnder(data: string, folder: string): AsyncGenerator<DataFile> {
  for (const entry of await entriesOf(join(data, folder))) {
    const path = folder === '' ? entry.name : `${folder}/${entry.name}`;
    if (leftOut.test(entry.name) || path === control) continue;
    if (emptied.has(path)) {
      yield { path, isFolder: true };
      // A later timeline refers to where it began.
      if (path === 'pg_wal') yield* await historiesIn(data, path);
    } else if (entry.isDirectory()) {
      yield { path, isFolder: true };
      yield* filesUnder(data, path);
    } else if (entry.isFile()) yield { path, isFolder: false };
  }
}

async function historiesIn(data: string, folder: string): Promise<DataFile[]> {
  const names = await readdir(join(data, folder));
  return names
    .filter((name) => name.endsWith('.history'))
    .map((name) => ({ path: `${folder}/${name}`, isFolder: false }));
}

/** Empty for a folder that was removed in the meantime, such as of a database that was dropped. */
async function entriesOf(folder: string): Promise<Dirent[]> {
  return await readdir(folder, { withFileTypes: true }).catch((error) => {
    if (codeOf(error) !== 'ENOENT') throw error;
    return [];
  });
}

export type OpenFile = { bytes: number; content: AsyncIterable<Buffer> };

const pieceBytes = 256 * 1024;

/**
 * Opens a file that the server may change meanwhile: its content has the size that it has now, with zeros where it was
 * cut since. What is not as it was follows from WAL. Null: it was removed.
 */
export async function openDataFile(path: string): Promise<OpenFile | null> {
  const file = await open(path).catch((error) => {
    if (codeOf(error) !== 'ENOENT') throw error;
    return null;
  });
  if (file === null) return null;
  const { size } = await file.stat();
  return { bytes: size, content: contentOf(file, size) };
}

async function* contentOf(file: FileHandle, bytes: number): AsyncGenerator<Buffer> {
  try {
    for (let at = 0; at < bytes; ) {
      const buffer = Buffer.alloc(Math.min(pieceBytes, bytes - at));
      const { bytesRead } = await file.read(buffer, 0, buffer.length, at);
      const isCut = bytesRead === 0;
      yield isCut ? buffer : buffer.subarray(0, bytesRead);
      at += isCut ? buffer.length : bytesRead;
    }
  } finally {
    await file.close();
  }
}
