import { execFile, execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import { stripTypeScriptTypes } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import type { World } from './conformance.ts';

const here = import.meta.dirname;
const binaries = join(here, '../../../../node_modules/.bin');

const program = [
  "import * as sdk from '@florin/sdk';",
  "import { conform } from './conformance.js';",
  "import { world } from './world.js';",
  '',
].join('\n');

/**
 * Makes a project outside of the workspace that has installed the SDK as it is published: `main.js` runs the
 * conformance program and prints what it checked as JSON.
 */
export function makeProject(world: World): string {
  const directory = mkdtempSync(join(tmpdir(), 'florin-sdk-'));
  const installed = join(directory, 'node_modules/@florin/sdk');
  mkdirSync(installed, { recursive: true });
  execFileSync(process.execPath, [join(here, '../../build.ts'), installed], { stdio: 'pipe' });
  const conformance = stripTypeScriptTypes(readFileSync(join(here, 'conformance.ts'), 'utf8'));
  const write = (name: string, text: string) => writeFileSync(join(directory, name), text);
  write('package.json', '{ "type": "module", "private": true }');
  write('conformance.js', conformance);
  write('world.js', `export const world = ${JSON.stringify(world)};`);
  write('main.js', `${program}console.log(JSON.stringify(await conform(sdk, world)));`);
  const answer = 'Response.json(await conform(sdk, world))';
  write(
    'worker.js',
    `${program}const worker = { fetch: async () => ${answer} }; export { worker as default };`,
  );
  write('script.js', `${program}export const done = conform(sdk, world);`);
  return directory;
}

/** Bundles one of the project's programs, as those do it who deploy to runtimes without packages. */
export function bundle(directory: string, program: string, format: 'esm' | 'iife'): string {
  const out = join(directory, `bundled-${program}`);
  const args = [
    join(directory, program),
    `--format=${format}`,
    '--name=program',
    '--platform=neutral',
    '-o',
    out,
  ];
  execFileSync(join(binaries, 'rolldown'), args, { stdio: 'pipe' });
  return readFileSync(out, 'utf8');
}

/** Runs `main.js` by a runtime, with its arguments; gives what was checked. Rejects with what the program wrote. */
export async function run(directory: string, runtime: string, ...args: string[]): Promise<string[]> {
  const options = { cwd: directory, timeout: 60_000 };
  const { stdout } = await promisify(execFile)(runtime, [...args, 'main.js'], options);
  return JSON.parse(stdout) as string[];
}
