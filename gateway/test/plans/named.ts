import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';

const source = join(import.meta.dirname, '../../src');
const named = /name: '([a-z0-9-]+)',\s*text\b/g;

/** The name of every named statement of the gateway, as its sources have them. */
export async function namedStatements(): Promise<string[]> {
  const files = (await readdir(source, { recursive: true })).filter(
    (file) => file.endsWith('.ts') && !file.endsWith('.test.ts'),
  );
  const texts = await Promise.all(files.map((file) => readFile(join(source, file), 'utf8')));
  return texts.flatMap((text) => [...text.matchAll(named)].map((match) => match[1] ?? '')).sort();
}
