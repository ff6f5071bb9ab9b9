import type { Readable } from 'node:stream';
import { extract, pack } from 'tar-stream';

/** One file of a tar archive, small enough to be held in memory. */
export type TarEntry = { name: string; body: Buffer };

/** The bytes of an archive with these files, produced while they are read. Throws the error of `entries`. */
export async function* packTar(
  entries: Iterable<TarEntry> | AsyncIterable<TarEntry>,
  modifiedAt: Date,
): AsyncGenerator<Buffer> {
  const archive = pack();
  async function fill(): Promise<void> {
    for await (const { name, body } of entries) {
      const { promise, resolve, reject } = Promise.withResolvers<void>();
      const header = { name, mode: 0o600, mtime: modifiedAt };
      archive.entry(header, body, (error) => (error ? reject(error) : resolve()));
      await promise;
    }
    archive.finalize();
  }
  fill().catch((error: Error) => archive.destroy(error));
  yield* archive as AsyncIterable<Buffer>;
}

/** The files of an archive, one after the other. Throws when a header is damaged, and when a file ends too early. */
export async function* readTar(source: Readable): AsyncGenerator<TarEntry> {
  const archive = extract();
  source.on('error', (error) => archive.destroy(error));
  source.pipe(archive as unknown as NodeJS.WritableStream);
  for await (const entry of archive) {
    const parts: Buffer[] = [];
    for await (const part of entry as AsyncIterable<Buffer>) parts.push(part);
    yield { name: entry.header.name, body: Buffer.concat(parts) };
  }
}
