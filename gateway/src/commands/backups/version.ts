import { readFile } from 'node:fs/promises';
import { join } from 'node:path';

/** The version of this build, from its package.json. */
export async function florinVersion(): Promise<string> {
  const file = join(import.meta.dirname, '../../../package.json');
  return JSON.parse(await readFile(file, 'utf8')).version;
}
