// `npm test`: every check, and as its last line `N passed, N failed`, where each static check counts as
// one. Arguments are handed to vitest as filters (`npm test -- ledger`). `--soak`: the long seeded runs alone.
import { spawn } from 'node:child_process';
import { globSync } from 'node:fs';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { delimiter, dirname, join } from 'node:path';
import { buildDashboard } from './build-dashboard.ts';
import { countTests, notRun, type Tally } from './tally.ts';

const root = dirname(import.meta.dirname);
const binaries = join(root, 'node_modules', '.bin');

type Outcome = { succeeded: boolean };

function run(command: string, args: string[], env: Record<string, string> = {}): Promise<Outcome> {
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
 * All at once. The large project is checked by one thread: each further one checks much of the same again, and two
 * cores are busy without it.
 */
async function runChecks(): Promise<Tally> {
  const projects = ['tsconfig.json', ...globSync('web/*/tsconfig.json', { cwd: root })];
  const checks = [
    ...projects.map((project) => ['tsc', '--noEmit', '--checkers', '1', '-p', project]),
    ['biome', 'check'],
  ];
  const outcomes = await Promise.all(checks.map(([command = '', ...args]) => run(command, args)));
  const passed = outcomes.filter(({ succeeded }) => succeeded).length;
  return { passed, failed: outcomes.length - passed };
}

/** The build is a check too: it fails when the first script is larger than it may be. */
async function runBuild(): Promise<Tally> {
  try {
    await buildDashboard();
    return { passed: 1, failed: 0 };
  } catch (error) {
    console.error(error);
    return { passed: 0, failed: 1 };
  }
}

type Tests = Tally & { notRun: string[] };

async function runTests(filters: string[], env: Record<string, string>): Promise<Tests> {
  const directory = await mkdtemp(join(tmpdir(), 'florin-tests-'));
  const report = join(directory, 'report.json');
  try {
    const reporters = ['--reporter=default', '--reporter=json', `--outputFile.json=${report}`];
    const { succeeded } = await run('vitest', ['run', ...reporters, ...filters], env);
    const written = await readFile(report, 'utf8').catch(() => undefined);
    return { ...countTests(written, succeeded), notRun: notRun(written, root) };
  } finally {
    await rm(directory, { recursive: true, force: true });
  }
}

const args = process.argv.slice(2);
const isSoak = args.includes('--soak');
const filters = args.filter((arg) => arg !== '--soak');

const nothing: Tally = { passed: 0, failed: 0 };
const build = await runBuild();
const checks = isSoak ? nothing : await runChecks();
const tests = isSoak ? await runTests(['soak', ...filters], { SOAK: '1' }) : await runTests(filters, {});
const failed = build.failed + checks.failed + tests.failed;
process.exitCode = failed === 0 ? 0 : 1;
if (tests.notRun.length > 0) console.log(`\n${tests.notRun.join('\n')}`);
console.log(`\n${build.passed + checks.passed + tests.passed} passed, ${failed} failed`);
