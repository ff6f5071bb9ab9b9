import { createHash } from 'node:crypto';
import { createWriteStream } from 'node:fs';
import { link, rm } from 'node:fs/promises';
import { dirname } from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { constants, createZstdCompress } from 'node:zlib';
import type { Database, Reader } from '../../kit/db/db.ts';
import { appliedMigrations } from '../../kit/db/migrate.ts';
import { openSnapshot } from '../../kit/db/snapshot.ts';
import { randomBase62 } from '../../kit/ids.ts';
import { readKeyCheck } from '../master-key.ts';
import {
  jsonEntries,
  type Manifest,
  manifestName,
  newManifest,
  pieceName,
  type Totals,
  totalsName,
} from './archive.ts';
import { copyOut, inPieces } from './copy.ts';
import { syncDirectory } from './places/directory.ts';
import type { OnProgress, Progress } from './progress.ts';
import { copyOutSql, holdTables, sequencesOf, settleSession, tablesOf } from './tables.ts';
import { packTar, type TarEntry } from './tar.ts';

export type ArchiveOrder = {
  florin: string;
  now: Date;
  onProgress: OnProgress;
  /** Aborts the backup. */
  signal: AbortSignal;
  /** Reads the database as the backup has it, before the first row is copied. */
  onSnapshot?: (reader: Reader) => Promise<void>;
};

/** The size of the files that hold the rows of a table; the last of a table is smaller. */
const pieceBytes = 1024 * 1024;

/** The content of a backup that was written. */
export type Written = { manifest: Manifest; totals: Totals };

/**
 * Writes the whole database, as it is at one moment, into a new file that only its owner may read. The file gets its
 * name when it is complete; an aborted backup leaves no file. Throws when the file exists already.
 */
export async function writeBackup(
  db: Database,
  { file, ...order }: ArchiveOrder & { file: string },
): Promise<Written> {
  const draft = `${file}.${randomBase62(8)}.part`;
  try {
    const written = await writeArchive(db, order, (compressed) =>
      pipeline(compressed, createWriteStream(draft, { flags: 'wx', mode: 0o600, flush: true })),
    );
    // A link, because a rename would replace a file that was made in the meantime.
    await link(draft, file);
    await syncDirectory(dirname(file));
    return written;
  } finally {
    await rm(draft, { force: true });
  }
}

/**
 * Gives the compressed archive of the whole database, as it is at one moment, to `take`, which must read all of it. The
 * memory used does not grow with the database, and the gateways that use it do not wait.
 */
export async function writeArchive(
  db: Database,
  { florin, now, onProgress, signal, onSnapshot }: ArchiveOrder,
  take: (compressed: Readable) => Promise<unknown>,
): Promise<Written> {
  // The copy may take hours and waits for its reader in between, so the snapshot has no time limit.
  const snapshot = await openSnapshot(db, 0);
  try {
    const { reader } = snapshot;
    await settleSession(reader);
    const tables = await tablesOf(reader);
    await holdTables(reader, tables);
    const keyCheck = await readKeyCheck(reader);
    const manifest = newManifest({
      florin,
      created_at: now.toISOString(),
      migrations: await appliedMigrations(reader),
      key_check: keyCheck?.proof.toString('base64') ?? null,
      master_keys: keyCheck?.ids ?? [],
      tables,
    });
    await onSnapshot?.(reader);
    const totals: Totals = { tables: [], sequences: [] };
    await pipeline(
      packTar(entriesOf(reader, { manifest, totals, onProgress }), now),
      createZstdCompress({ params: { [constants.ZSTD_c_checksumFlag]: 1 } }),
      async (compressed: AsyncIterable<Buffer>) => void (await take(Readable.from(compressed))),
      { signal },
    );
    return { manifest, totals };
  } finally {
    await snapshot.close();
  }
}

type Parts = Written & { onProgress: OnProgress };

async function* entriesOf(reader: Reader, { manifest, totals, onProgress }: Parts): AsyncGenerator<TarEntry> {
  yield* jsonEntries(manifestName, manifest);
  const progress: Progress = { tables: 0, ofTables: manifest.tables.length, rows: 0, bytes: 0 };
  for (const table of manifest.tables) {
    const { data, rows } = copyOut(reader, copyOutSql(table));
    const digest = createHash('sha256');
    let bytes = 0;
    let number = 0;
    for await (const body of inPieces(data, pieceBytes)) {
      number++;
      bytes += body.length;
      digest.update(body);
      yield { name: pieceName(table.name, number), body };
      onProgress({ ...progress, bytes: progress.bytes + bytes });
    }
    const count = await rows();
    totals.tables.push({ name: table.name, rows: count, bytes, sha256: digest.digest('hex') });
    progress.tables++;
    progress.rows += count;
    progress.bytes += bytes;
    onProgress(progress);
  }
  totals.sequences = await sequencesOf(reader);
  yield* jsonEntries(totalsName, totals);
}
