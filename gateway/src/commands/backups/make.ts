import { createHash } from 'node:crypto';
import { PassThrough, Readable } from 'node:stream';
import { type BackupsConfig, placeName } from '../../config/backups.ts';
import type { Clock } from '../../kit/clock.ts';
import type { Database } from '../../kit/db/db.ts';
import type { ArchiveSource } from '../../operations/backup/archive.ts';
import { encrypted } from '../../operations/backup/encrypt.ts';
import type { BackupPlace } from '../../operations/backup/places/place.ts';
import type { OnProgress } from '../../operations/backup/progress.ts';
import { type Written, writeArchive } from '../../operations/backup/write.ts';
import type { BackupKind, NewBackup } from '../../operations/backup-records/records.ts';
import { type Live, readLive } from './live.ts';

/** The folder of a place that backups lie in. */
export const backupFolder = 'backups';

/** `backups/florin-2026-11-30T02-00-00Z.backup.age`: names are in the order of time, and fit every file system. */
function pathOf(startedAt: Date, isEncrypted: boolean): string {
  const time = startedAt.toISOString().slice(0, 19).replaceAll(':', '-');
  return `${backupFolder}/florin-${time}Z.backup${isEncrypted ? '.age' : ''}`;
}

/** Tries the archive while it is written; `live` is what the database has at the moment of the backup. */
export type Trial = (archive: ArchiveSource, live: Live) => Promise<void>;

export type Making = {
  /** Of a role that reads every table. */
  db: Database;
  config: BackupsConfig;
  place: BackupPlace;
  florin: string;
  kind: BackupKind;
  now: Clock;
  onProgress: OnProgress;
  /** Aborts the backup. */
  signal: AbortSignal;
  /** Null: the backup is not tried. */
  trial: Trial | null;
};

export type Made = { backup: NewBackup; written: Written };

/**
 * Writes the whole database, as it is at one moment, to the place of backups: compressed, encrypted, and under its name
 * once it is whole. It needs no file on this machine. Throws when it fails; then the place has no such file.
 */
export async function makeBackup(making: Making): Promise<Made> {
  const { db, config, place, florin, now, trial } = making;
  const startedAt = now();
  const isEncrypted = config.recipients.length > 0;
  const path = pathOf(startedAt, isEncrypted);
  const digest = createHash('sha256');
  let live: Live | null = null;
  let bytes = 0;
  let fault: unknown = null;
  const { onProgress, signal } = making;
  const order = {
    ...{ florin, now: startedAt, onProgress, signal },
    onSnapshot: async (reader: Parameters<typeof readLive>[0]) => {
      if (trial) live = await readLive(reader);
    },
  };
  const take = async (compressed: Readable): Promise<void> => {
    const ways = trial ? twoWays(compressed) : null;
    const kept = ways?.first ?? compressed;
    const tried = ways && live && trial?.({ name: path, open: async () => ways.second }, live);
    // It keeps its own record of faults; without a reader the archive would stand still.
    const isTried = tried?.catch(() => ways?.second.destroy());
    const file = digested(isEncrypted ? encrypted(kept, config.recipients) : kept, digest);
    bytes = await place.put(path, Readable.from(file));
    await isTried;
  };
  const written = await writeArchive(db, order, (compressed) =>
    take(compressed).catch((error) => {
      fault = error;
      throw error;
    }),
  ).catch((error) => {
    // The fault of the place, and not that its stream was closed by that.
    throw fault ?? error;
  });
  await assertPlaced(place, path, bytes);
  return {
    written,
    backup: {
      ...{ place: placeName(config.to), path, kind: making.kind, florin, is_encrypted: isEncrypted },
      ...{ started_at: startedAt, ended_at: now(), bytes: BigInt(bytes), sha256: digest.digest('hex') },
      fault: null,
    },
  };
}

/** The row of an attempt that failed. */
export function failedBackup(
  { config, florin, kind, now }: Pick<Making, 'config' | 'florin' | 'kind' | 'now'>,
  startedAt: Date,
  error: Error,
): NewBackup {
  const isEncrypted = config.recipients.length > 0;
  return {
    ...{ place: placeName(config.to), path: pathOf(startedAt, isEncrypted), kind, florin },
    ...{ is_encrypted: isEncrypted, started_at: startedAt, ended_at: now(), bytes: null, sha256: null },
    fault: error.message.slice(0, 1_000),
  };
}

/** Throws unless the place lists the file with all its bytes. */
async function assertPlaced(place: BackupPlace, path: string, bytes: number): Promise<void> {
  const found = (await place.list(backupFolder)).find((file) => file.path === path);
  if (found?.bytes === bytes) return;
  const why = found ? `has ${found.bytes} bytes of ${path} in place of ${bytes}` : `does not list ${path}`;
  throw new Error(`${place.name} ${why}`);
}

/** The digest of a file as it lies in a place. */
export async function digestIn(place: BackupPlace, path: string): Promise<string> {
  const digest = createHash('sha256');
  for await (const piece of (await place.get(path)) as AsyncIterable<Buffer>) digest.update(piece);
  return digest.digest('hex');
}

async function* digested(
  source: AsyncIterable<Buffer>,
  digest: ReturnType<typeof createHash>,
): AsyncGenerator<Buffer> {
  for await (const piece of source) {
    digest.update(piece);
    yield piece;
  }
}

/**
 * The same bytes for two readers, at the speed of the slower one. Where the second one stops, the first goes on alone;
 * where the first stops, or the source fails, both end.
 */
export function twoWays(source: AsyncIterable<Buffer>): { first: Readable; second: Readable } {
  const [first, second] = [new PassThrough(), new PassThrough()];
  // Its reader gets the error; without a reader it must not end the process.
  second.on('error', () => {});
  async function fill(): Promise<void> {
    for await (const piece of source) {
      await push(first, piece);
      if (first.destroyed) throw new Error('the backup was not written');
      await push(second, piece);
    }
    first.end();
    second.end();
  }
  fill().catch((error: Error) => {
    first.destroy(error);
    second.destroy(error);
  });
  return { first, second };
}

/** Writes a piece, and waits until there is room for the next one. */
async function push(way: PassThrough, piece: Buffer): Promise<void> {
  if (way.destroyed || way.write(piece)) return;
  const { promise, resolve } = Promise.withResolvers<void>();
  way.once('drain', resolve).once('close', resolve);
  await promise;
  way.off('drain', resolve).off('close', resolve);
}
