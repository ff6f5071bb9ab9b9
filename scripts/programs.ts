import { spawn } from 'node:child_process';
import { globSync } from 'node:fs';
import { delimiter, dirname, join } from 'node:path';

export const root = dirname(import.meta.dirname);

const binaries = join(root, 'node_modules', '.bin');

/** Runs a program of the installed packages, shows what it prints, and says whether it succeeded. */
export function run(
  command: string,
  args: string[],
  env: Record<string, string> = {},
): Promise<{ succeeded: boolean }> {
  console.log(`\n> ${command} ${args.join(' ')}`);
  const path = `${binaries}${delimiter}${process.env.PATH}`;
  const child = spawn(join(binaries, command), args, {
    cwd: root,
    stdio: ['ignore', 'inherit', 'inherit'],
    env: { ...process.env, PATH: path, ...env },
    shell: process.platform === 'win32',
  });
  return new Promise((resolve) => {
    child.once('error', (error) => {
      console.error(error.message);
      resolve({ succeeded: false });
    });
    child.once('exit', (code) => resolve({ succeeded: code === 0 }));
  });
}

/**
 * The checks that run nothing of the product, as commands. The large project is checked by one thread: each further one
 * checks much of the same again, and two cores are busy without it.
 */
export function staticChecks(): [string, ...string[]][] {
  const projects = ['tsconfig.json', ...globSync('web/*/tsconfig.json', { cwd: root })];
  return [
    ...projects.map((project): [string, ...string[]] => [
      'tsc',
      '--noEmit',
      '--checkers',
      '1',
      '-p',
      project,
    ]),
    ['biome', 'check'],
    // An exported name that no other file uses.
    ['knip', '--no-progress'],
  ];
}
