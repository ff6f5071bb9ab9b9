import { once } from 'node:events';
import { createWriteStream } from 'node:fs';
import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { extract, pack } from 'tar-stream';

/** A file for an archive, whose size is known before its content; `content` null: a folder. */
export type Entry = { name: string; bytes: number; content: AsyncIterable<Buffer> | null };

/** The bytes of a tar archive with files of any size, produced while they are read. Throws the error of `entries`. */
export async function* tarOf(entries: AsyncIterable<Entry>, modifiedAt: Date): AsyncGenerator<Buffer> {
  const archive = pack();
  async function fill(): Promise<void> {
    for await (const { name, bytes, content } of entries) {
      const { promise, resolve, reject } = Promise.withResolvers<void>();
      const header = { name, mtime: modifiedAt };
      const done = (error?: Error | null) => (error ? reject(error) : resolve());
      if (content === null) archive.entry({ ...header, type: 'directory', mode: 0o700 }, done);
      else {
        const entry = archive.entry({ ...header, size: bytes, mode: 0o600 }, done);
        // The error of a reader that left is that of `done`.
        entry.on('error', () => {});
        for await (const piece of content) {
          if (!entry.write(piece)) await Promise.race([once(entry, 'drain'), once(entry, 'close')]);
          if (entry.destroyed) break;
        }
        entry.end(null);
      }
      await promise;
    }
    archive.finalize();
  }
  fill().catch((error: Error) => archive.destroy(error));
  yield* archive as AsyncIterable<Buffer>;
}

const safeName = /^(?!.*(?:^|\/)\.\.?(?:\/|$))[A-Za-z0-9._/-]+$/;

/** Writes the files of an archive into a folder. Throws when the archive is damaged or ends too early. */
export async function extractTar(source: Readable, folder: string): Promise<void> {
  const archive = extract();
  source.on('error', (error) => archive.destroy(error));
  source.pipe(archive as unknown as NodeJS.WritableStream);
  for await (const entry of archive) {
    const { name, type } = entry.header;
    if (!safeName.test(name) || name.startsWith('/')) throw new Error(`${name} is no file of a database`);
    const path = join(folder, name);
    if (type === 'directory') {
      await mkdir(path, { recursive: true, mode: 0o700 });
      entry.resume();
    } else
      await pipeline(Readable.from(entry as AsyncIterable<Buffer>), createWriteStream(path, { mode: 0o600 }));
  }
}
