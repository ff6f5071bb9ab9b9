import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { stripTypes } from '../../src/kit/pages/strip-types.ts';

const modules = ['talk', 'overlay', 'pi-sdk'];

/** The script that pages load in place of Pi's own SDK: its modules in one scope. */
export async function sdkScript(): Promise<string> {
  return await browserScript(join(import.meta.dirname, 'browser'), ...modules);
}

/** Modules of a folder as one classic script, in the order of their imports. */
export async function browserScript(folder: string, ...names: string[]): Promise<string> {
  const texts = await Promise.all(names.map((name) => readFile(join(folder, `${name}.ts`), 'utf8')));
  const source = texts
    .join('\n')
    .replace(/^import [^;]* from '\.\/[a-z-]+\.ts';$/gm, '')
    .replace(/^export /gm, '');
  const [script] = await stripTypes([source]);
  return `(() => {\n${script}\n})();\n`;
}
