import { mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { PageFile } from './page-files.ts';
import { storeFiles } from './stored-files.ts';

const [body, gzip, brotli] = ['plain', 'gzip', 'brotli'].map((text) => Buffer.from(text)) as [
  Buffer,
  Buffer,
  Buffer,
];
const files: PageFile[] = ['page-1.css', 'page-2.js'].map((name) => ({
  path: `/pay/${name}`,
  name,
  contentType: 'text/plain',
  etag: '"1"',
  body,
  gzip: () => gzip,
  brotli: () => brotli,
}));
const names = files.flatMap(({ name }) => [name, `${name}.br`, `${name}.gz`]);

let parent: string;
beforeEach(async () => {
  parent = await mkdtemp(join(tmpdir(), 'florin-stored-'));
});
afterEach(() => rm(parent, { recursive: true }));

describe('what the page loads', () => {
  test('lies on disk with what is compressed of it, and stays when the gateway ends', async () => {
    const { directory, remove } = await storeFiles(files, join(parent, 'new', 'dist'));
    expect((await readdir(directory)).sort()).toEqual(names.sort());
    expect(await readFile(join(directory, 'page-2.js'), 'utf8')).toBe('plain');
    expect(await readFile(join(directory, 'page-2.js.br'), 'utf8')).toBe('brotli');
    expect(await readFile(join(directory, 'page-2.js.gz'), 'utf8')).toBe('gzip');
    await remove();
    expect(await readdir(directory)).toHaveLength(names.length);
  });

  test('is neither compressed nor written again', async () => {
    await storeFiles(files, parent);
    const written = (await stat(join(parent, 'page-1.css'))).ino;
    const again = (): Buffer => expect.unreachable('compressed again');
    await storeFiles(
      files.map((file) => ({ ...file, gzip: again, brotli: again })),
      parent,
    );
    expect((await stat(join(parent, 'page-1.css'))).ino).toBe(written);
  });

  test('is written by many gateways at once, each file as a whole', async () => {
    await Promise.all(Array.from({ length: 8 }, () => storeFiles(files, parent)));
    expect((await readdir(parent)).sort()).toEqual(names.sort());
    expect(await readFile(join(parent, 'page-1.css'), 'utf8')).toBe('plain');
  });

  test('lies in a temporary directory where the installation may not be written to', async () => {
    await writeFile(join(parent, 'dist'), 'a file where the directory should be');
    const { directory, remove } = await storeFiles(files, join(parent, 'dist'));
    expect((await readdir(directory)).sort()).toEqual(names.sort());
    await remove();
    await expect(stat(directory)).rejects.toThrow('ENOENT');
  });
});
