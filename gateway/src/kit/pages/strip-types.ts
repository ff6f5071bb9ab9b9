import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { mkdir, readFile, rename, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { Worker } from 'node:worker_threads';
import { isRelease } from '../programs.ts';

/** Beside the installed packages, like the JavaScript of our programs (`kit/kept-javascript.mjs`). */
const kept = join(import.meta.dirname, '../../../../node_modules/.cache/florin');

/**
 * Turns TypeScript into JavaScript, each text by itself; in a release they are JavaScript already. The result is kept
 * for the next start: the compiler takes 20 MB, of which a process keeps 15 after using it.
 */
export async function stripTypes(sources: string[]): Promise<string[]> {
  if (isRelease) return sources;
  const key = createHash('sha256')
    .update(JSON.stringify([process.version, sources]))
    .digest('hex');
  const file = join(kept, `scripts-${key.slice(0, 32)}.json`);
  const earlier = await readFile(file, 'utf8').catch(() => null);
  if (earlier !== null) return JSON.parse(earlier) as string[];
  const stripped = await compile(sources);
  // Where nothing can be written, the next start compiles again.
  await keep(file, JSON.stringify(stripped)).catch(() => {});
  return stripped;
}

/** Compiles in a thread, so that the compiler's memory is freed with it. */
async function compile(sources: string[]): Promise<string[]> {
  const thread = new Worker(new URL('./strip-types-thread.ts', import.meta.url), { workerData: sources });
  const ended = once(thread, 'exit');
  const [stripped] = (await once(thread, 'message')) as [string[]];
  await ended;
  return stripped;
}

/** Writes the file in whole or not at all: another process may read it meanwhile. */
async function keep(file: string, text: string): Promise<void> {
  await mkdir(kept, { recursive: true });
  const draft = `${file}.${process.pid}`;
  await writeFile(draft, text);
  await rename(draft, file);
}
