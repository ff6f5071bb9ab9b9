import { createHash } from 'node:crypto';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import type { Clock } from '../../kit/clock.ts';
import type { Reader } from '../../kit/db/db.ts';
import { oneRow } from '../../kit/db/one-row.ts';
import type { Cluster } from '../../kit/postgres/postgres-cluster.ts';
import type { BackupPlace } from '../backup/places/place.ts';
import { readKeyCheck } from '../master-key.ts';
import type { BaseRecord } from '../wal/state.ts';
import { baseFolder, timeInName, type WalArchive } from './archive.ts';
import { dataFiles, openDataFile } from './files.ts';
import { packed, packedEnd } from './pack.ts';
import { type Entry, tarOf } from './tar-files.ts';

/** What lies in the place beside the files of a base backup, once it can be recovered from. Times are ISO texts. */
export type BaseNote = Omit<BaseRecord, 'folder'> & {
  format: number;
  florin: string;
  /** The major version of PostgreSQL whose files they are. */
  postgres: string;
  /** The name of the file beside it, and its digest. */
  file: string;
  sha256: string;
  /** As in the manifest of a backup. */
  key_check: string | null;
  master_keys: string[];
};

export const noteName = 'base.json';
export const baseFormat = 1;

export type BaseOrder = {
  archive: WalArchive;
  cluster: Cluster;
  /** The superuser of the database `florin`. */
  owner: pg.PoolConfig;
  place: BackupPlace;
  recipients: readonly string[];
  florin: string;
  postgres: string;
  now: Clock;
  signal: AbortSignal;
};

const pollMs = 200;

/**
 * Copies the files of the database to the place while it is used, and waits until the WAL is there that makes them
 * whole. Then a note says that it can be recovered from. Throws when it fails; then the place has no such note.
 */
export async function makeBase(order: BaseOrder): Promise<BaseRecord> {
  const { archive, owner, place, now } = order;
  const run = archive.state()?.run;
  if (run === undefined) throw new Error('The archive of WAL has not begun');
  const startedAt = now();
  const folder = `${baseFolder}/${timeInName(startedAt)}`;
  const file = `base.tar${packedEnd(order.recipients)}`;
  await archive.change({ making: folder });
  const client = new pg.Client({ ...owner, application_name: 'florin base backup' });
  client.on('error', () => {});
  await client.connect();
  try {
    const copied = await copyFiles(client, `${folder}/${file}`, { ...order, startedAt });
    await untilSent(order, run, copied);
    const keyCheck = await readKeyCheck(client as unknown as Reader);
    const base = {
      ...{ run, first_segment: copied.firstSegment, started_at: startedAt.toISOString() },
      ...{ ended_at: copied.endedAt.toISOString(), bytes: copied.bytes },
    };
    const note: BaseNote = {
      ...{ format: baseFormat, florin: order.florin, postgres: order.postgres, ...base },
      ...{ file, sha256: copied.sha256, key_check: keyCheck?.proof.toString('base64') ?? null },
      master_keys: keyCheck?.ids ?? [],
    };
    await place.put(
      `${folder}/${noteName}`,
      Readable.from([Buffer.from(`${JSON.stringify(note, null, 2)}\n`)]),
    );
    return { folder, ...base };
  } finally {
    // It also ends a backup that has not come to its end.
    await client.end();
  }
}

/** Where a base backup begins and ends, and what was sent of it. */
type Copied = { firstSegment: string; lastSegment: string; endedAt: Date; bytes: number; sha256: string };

async function copyFiles(
  client: pg.Client,
  path: string,
  { cluster, place, recipients, startedAt, signal }: BaseOrder & { startedAt: Date },
): Promise<Copied> {
  await client.query(`SET statement_timeout = 0`);
  const begun = await client.query<{ segment: string }>(
    `SELECT pg_walfile_name(pg_backup_start('florin', fast => true)) AS segment`,
  );
  const firstSegment = oneRow(begun, 'start of a base backup').segment;
  let end: { segment: string; at: Date } | null = null;
  async function* entries(): AsyncGenerator<Entry> {
    for await (const { path: name, isFolder } of dataFiles(cluster.data)) {
      signal.throwIfAborted();
      const file = isFolder ? null : await openDataFile(join(cluster.data, name));
      if (isFolder || file) yield { name, bytes: file?.bytes ?? 0, content: file?.content ?? null };
    }
    const result = await client.query<{ segment: string; label: string; at: Date }>(
      `SELECT pg_walfile_name(lsn) AS segment, labelfile AS label, clock_timestamp() AS at
       FROM pg_backup_stop(wait_for_archive => false)`,
    );
    const { label, ...ended } = oneRow(result, 'end of a base backup');
    end = ended;
    const body = Buffer.from(label);
    yield { name: 'backup_label', bytes: body.length, content: Readable.from([body]) };
  }
  const digest = createHash('sha256');
  async function* digested(): AsyncGenerator<Buffer> {
    for await (const piece of packed(tarOf(entries(), startedAt), recipients)) {
      digest.update(piece);
      yield piece;
    }
  }
  const bytes = await place.put(path, Readable.from(digested()));
  if (end === null) throw new Error('The base backup did not come to its end');
  const { segment: lastSegment, at: endedAt } = end as { segment: string; at: Date };
  return { firstSegment, lastSegment, endedAt, bytes, sha256: digest.digest('hex') };
}

/** Resolves when the place has the segments of a run that a base backup needs. Throws when it will not have them. */
async function untilSent(
  { archive, signal }: BaseOrder,
  run: string,
  { firstSegment, lastSegment }: Copied,
): Promise<void> {
  for (;;) {
    const state = archive.state();
    if (state?.run !== run || (state.first !== null && state.first > firstSegment))
      throw new Error('WAL of the base backup is missing');
    if (state.sent !== null && state.sent >= lastSegment) return;
    await sleep(pollMs, undefined, { signal });
  }
}
