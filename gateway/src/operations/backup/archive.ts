import { createHash, hash } from 'node:crypto';
import { Readable } from 'node:stream';
import { createZstdDecompress } from 'node:zlib';
import type { AppliedMigration } from '../../kit/db/migrate.ts';
import { NoIdentity } from './encrypt.ts';
import type { Sequence, Table } from './tables.ts';
import { readTar, type TarEntry } from './tar.ts';

/*
 * A backup is a tar archive, compressed by zstd, which other programs can open too. It has `manifest.json`, then the
 * rows of one table after the other in pieces (`payments/000001.copy`, in the text format of PostgreSQL's COPY), then
 * `totals.json`, without which it is not complete.
 */

export const manifestName = 'manifest.json';
export const totalsName = 'totals.json';
const format = 1;

/** What a restore needs to know before the first row. */
export type Manifest = {
  format: number;
  /** The version of Florin that made the backup. */
  florin: string;
  created_at: string;
  migrations: AppliedMigration[];
  /** A text sealed under the master key, in base64, to check a key with; the key cannot be computed from it. */
  key_check: string | null;
  /** The ids of the master keys that its values may be sealed with; absent from versions whose values name no key. */
  master_keys?: string[];
  tables: Table[];
};

/** The size and the digest of one table's rows. */
type TableTotal = { name: string; rows: number; bytes: number; sha256: string };

export type Totals = { tables: TableTotal[]; sequences: Sequence[] };

export function newManifest(parts: Omit<Manifest, 'format'>): Manifest {
  return { format, ...parts };
}

/** A JSON file of the archive with its checksum, which is checked before the file is used. */
export function jsonEntries(name: string, value: unknown): TarEntry[] {
  const body = Buffer.from(`${JSON.stringify(value, null, 2)}\n`);
  return [
    { name, body },
    { name: checksumName(name), body: checksumOf(name, body) },
  ];
}

function checksumName(name: string): string {
  return `${name}.sha256`;
}

/** The checksum in the form of `sha256sum`. */
function checksumOf(name: string, body: Buffer): Buffer {
  return Buffer.from(`${hash('sha256', body)}  ${name}\n`);
}

export function pieceName(table: string, number: number): string {
  return `${table}/${`${number}`.padStart(6, '0')}.copy`;
}

/** An open backup: its manifest, then its tables in the order of the manifest, each to be read to its end. */
export type OpenArchive = {
  manifest: Manifest;
  /** The rows of the next table, in pieces. */
  table(name: string): AsyncIterable<Buffer>;
  /** The totals, to be read after the last table. Throws `DamagedBackup` when other rows were read than were written. */
  end(): Promise<Totals>;
};

/** A file that is no backup, or not a complete one. */
class DamagedBackup extends Error {
  constructor(file: string, why: string) {
    super(`${file} is not a whole backup of Florin: ${why}`);
    this.name = 'DamagedBackup';
  }
}

/** Where the bytes of an archive come from; `name` stands in errors. It may be opened more than once. */
export type ArchiveSource = { name: string; open(): Promise<AsyncIterable<Buffer>> };

/** Opens a backup, calls `work`, and closes it. Throws `DamagedBackup` when the file is damaged or no backup. */
export async function withArchive<T>(
  source: ArchiveSource,
  work: (archive: OpenArchive) => Promise<T>,
): Promise<T> {
  const compressed = Readable.from(await source.open());
  const plain = createZstdDecompress();
  compressed.on('error', (error) => plain.destroy(error));
  compressed.pipe(plain);
  try {
    return await work(await openArchive(source.name, readTar(plain)));
  } finally {
    compressed.destroy();
    plain.destroy();
  }
}

async function openArchive(file: string, entries: AsyncGenerator<TarEntry>): Promise<OpenArchive> {
  let next: TarEntry | null;
  const step = async (): Promise<void> => {
    try {
      next = (await entries.next()).value ?? null;
    } catch (error) {
      const fault = error as NodeJS.ErrnoException;
      // An error of the file system, or a key that does not fit, does not mean that the backup is damaged.
      throw fault.syscall || fault instanceof NoIdentity ? fault : new DamagedBackup(file, fault.message);
    }
  };
  const json = async (name: string): Promise<unknown> => {
    if (next?.name !== name) throw new DamagedBackup(file, `${name} is missing`);
    const { body } = next;
    await step();
    if (next?.name !== checksumName(name) || !next.body.equals(checksumOf(name, body))) {
      throw new DamagedBackup(file, `${name} does not fit its checksum`);
    }
    await step();
    return JSON.parse(body.toString('utf8'));
  };
  await step();
  const manifest = (await json(manifestName)) as Manifest;
  if (manifest.format !== format) {
    throw new Error(`${file} was made by a newer Florin (${manifest.florin}): restore it with that version`);
  }
  const read = new Map<string, { bytes: number; sha256: string }>();
  async function* table(name: string): AsyncGenerator<Buffer> {
    const digest = createHash('sha256');
    let bytes = 0;
    for (let number = 1; next?.name === pieceName(name, number); number++) {
      const { body } = next;
      digest.update(body);
      bytes += body.length;
      yield body;
      await step();
    }
    read.set(name, { bytes, sha256: digest.digest('hex') });
  }
  async function end(): Promise<Totals> {
    const totals = (await json(totalsName)) as Totals;
    const written = new Map(totals.tables.map((total) => [total.name, total]));
    for (const { name } of manifest.tables) {
      const [found, expected] = [read.get(name), written.get(name)];
      if (!found || found.bytes !== expected?.bytes || found.sha256 !== expected.sha256) {
        throw new DamagedBackup(file, `the rows of ${name} are not those that were written`);
      }
    }
    return totals;
  }
  return { manifest, table, end };
}

/** Reads a whole backup and checks it, before anything is done with it. */
export async function verifyArchive({ manifest, table, end }: OpenArchive): Promise<void> {
  for (const { name } of manifest.tables) {
    for await (const _ of table(name)) {
      // Only the digest is needed.
    }
  }
  await end();
}
