import { access, mkdir, mkdtemp, rename, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { FastifyInstance } from 'fastify';
import { filePolicy } from '../http/answer-headers.ts';
import { createSendFile, keptForEver } from '../http/static-files.ts';
import { randomBase62 } from '../ids.ts';
import type { PageFile } from './page-files.ts';

/** Beside the sources. File names change with their content, so files of all versions may be here. */
const beside = join(import.meta.dirname, '../../../../web/checkout/dist');

/**
 * Writes the page's files to disk where they are missing, compressed ones beside the plain ones. In a read-only
 * installation the directory is a temporary one, which `remove` deletes.
 */
export async function storeFiles(
  files: readonly PageFile[],
  directory = beside,
): Promise<{ directory: string; remove(): Promise<void> }> {
  try {
    await writeMissing(directory, files);
    return { directory, remove: async () => {} };
  } catch {
    const temporary = await mkdtemp(join(tmpdir(), 'florin-checkout-'));
    await writeMissing(temporary, files);
    return { directory: temporary, remove: () => rm(temporary, { recursive: true, force: true }) };
  }
}

async function writeMissing(directory: string, files: readonly PageFile[]): Promise<void> {
  await mkdir(directory, { recursive: true });
  for (const { name, body, gzip, brotli } of files) {
    await writeOnce(join(directory, `${name}.br`), brotli);
    await writeOnce(join(directory, `${name}.gz`), gzip);
    await writeOnce(join(directory, name), () => body);
  }
}

/** Writes a file completely or not at all: another gateway may write the same file at the same time. */
async function writeOnce(path: string, content: () => Buffer): Promise<void> {
  const isThere = await access(path).then(
    () => true,
    () => false,
  );
  if (isThere) return;
  const draft = `${path}.${randomBase62(8)}.part`;
  await writeFile(draft, content());
  await rename(draft, path);
}

/** Serves files that may be kept for ever, each at its path; there is one call for each `page`. */
export async function serveFiles(page: FastifyInstance, files: readonly PageFile[]): Promise<void> {
  const { directory, remove } = await storeFiles(files);
  page.addHook('onClose', remove);
  const sendFile = await createSendFile(page, directory);
  for (const { path, name } of files) {
    page.get(path, { schema: { hide: true } }, async (_request, reply) =>
      sendFile(reply.header('content-security-policy', filePolicy), name, {
        ...keptForEver,
        etag: false,
      }),
    );
  }
}
