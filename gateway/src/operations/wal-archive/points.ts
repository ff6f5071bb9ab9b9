import { createHash } from 'node:crypto';
import { createWriteStream } from 'node:fs';
import { Readable } from 'node:stream';
import { json } from 'node:stream/consumers';
import { pipeline } from 'node:stream/promises';
import { createZstdDecompress } from 'node:zlib';
import type { WalSource } from '../../kit/postgres/recovery.ts';
import { decrypted } from '../backup/encrypt.ts';
import type { BackupPlace } from '../backup/places/place.ts';
import { baseFolder, walFolder } from './archive.ts';
import { type BaseNote, baseFormat, noteName } from './base.ts';
import { isHistory, isSegment, nameOfPacked, withoutGap } from './segments.ts';
import { extractTar } from './tar-files.ts';

/** A base backup that a recovery can begin with. */
export type Base = BaseNote & { folder: string };

/**
 * The newest base backup of a place that ended before a moment; null: before now. Throws where there is none, with the first
 * moment that there is one for.
 */
export async function baseBefore(place: BackupPlace, at: Date | null): Promise<Base> {
  const notes = (await place.list(baseFolder))
    .map(({ path }) => path)
    .filter((path) => path.endsWith(`/${noteName}`));
  let earliest: Base | null = null;
  for (const path of notes.reverse()) {
    const note = (await json(await place.get(path))) as BaseNote;
    if (note.format !== baseFormat)
      throw new Error(
        `${place.name}/${path} was made by a newer Florin (${note.florin}): restore it with that version`,
      );
    earliest = { ...note, folder: path.slice(0, -noteName.length - 1) };
    if (at === null || note.ended_at <= at.toISOString()) return earliest;
  }
  const why = earliest
    ? `the first moment that it can be restored to is ${earliest.ended_at}`
    : 'there is no base backup';
  throw new Error(`${place.name} has nothing to restore: ${why}`);
}

/** The WAL of a base backup's run, from where the base backup begins to the first gap. */
export async function walOf(
  place: BackupPlace,
  { run, first_segment: first }: Base,
  identities: readonly string[],
): Promise<WalSource> {
  const files = new Map<string, string>();
  for (const { path } of await place.list(`${walFolder}/${run}`)) {
    const name = nameOfPacked(path.slice(path.lastIndexOf('/') + 1));
    if (name !== null) files.set(name, path);
  }
  const segments = withoutGap([...files.keys()].filter(isSegment), first);
  return {
    names: [...segments, ...[...files.keys()].filter(isHistory)],
    async fetch(name, to) {
      const path = files.get(name);
      if (path === undefined) throw new Error(`There is no ${name} in ${place.name}/${walFolder}/${run}`);
      const plain = await unpacked(place, path, { identities });
      await pipeline(plain, createWriteStream(to, { mode: 0o600 }));
    },
  };
}

/** Writes the files of a base backup into an empty folder. Throws where they are not what was sent. */
export async function extractBase(
  place: BackupPlace,
  { folder, file, sha256 }: Base,
  { identities, data }: { identities: readonly string[]; data: string },
): Promise<void> {
  const path = `${folder}/${file}`;
  const digest = createHash('sha256');
  await extractTar(
    await unpacked(place, path, { identities, onPiece: (piece) => void digest.update(piece) }),
    data,
  );
  if (digest.digest('hex') !== sha256) throw new Error(`${place.name}/${path} is not what was written`);
}

async function unpacked(
  place: BackupPlace,
  path: string,
  { identities, onPiece }: { identities: readonly string[]; onPiece?: (piece: Buffer) => void },
): Promise<Readable> {
  const file = await place.get(path);
  async function* pieces(): AsyncGenerator<Buffer> {
    for await (const piece of file as AsyncIterable<Buffer>) {
      onPiece?.(piece);
      yield piece;
    }
  }
  const plain = createZstdDecompress();
  pipeline(Readable.from(decrypted(pieces(), { identities, name: `${place.name}/${path}` })), plain).catch(
    () => {},
  );
  return plain;
}
