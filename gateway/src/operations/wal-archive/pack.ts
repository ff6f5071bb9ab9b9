import { createReadStream, createWriteStream } from 'node:fs';
import { rename, rm, stat, utimes } from 'node:fs/promises';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { constants, createZstdCompress } from 'node:zlib';
import { encrypted } from '../backup/encrypt.ts';

/** The bytes of a stream compressed, and encrypted where there are recipients. */
export function packed(source: AsyncIterable<Buffer>, recipients: readonly string[]): AsyncIterable<Buffer> {
  const compress = createZstdCompress({ params: { [constants.ZSTD_c_checksumFlag]: 1 } });
  // The error of the source reaches whoever reads.
  pipeline(Readable.from(source), compress).catch(() => {});
  return recipients.length > 0 ? encrypted(compress, recipients) : compress;
}

/** What the name of a packed file ends with. */
export function packedEnd(recipients: readonly string[]): string {
  return recipients.length > 0 ? '.zst.age' : '.zst';
}

/**
 * Packs a file of the spool beside it, with its time: a segment that is mostly empty shrinks to a few kilobytes, so that a
 * spool lasts while the place is away. The file itself stays.
 */
export async function packFile(spool: string, name: string, recipients: readonly string[]): Promise<void> {
  const path = join(spool, name);
  const target = `${path}${packedEnd(recipients)}`;
  const draft = `${target}.part`;
  const { mtime } = await stat(path);
  try {
    const file = createWriteStream(draft, { mode: 0o600, flush: true });
    await pipeline(Readable.from(packed(createReadStream(path), recipients)), file);
    await utimes(draft, mtime, mtime);
    await rename(draft, target);
  } finally {
    await rm(draft, { force: true });
  }
}
