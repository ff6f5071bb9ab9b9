// `npm run check:quick`: types, format, lint and exports, and the tests nearest to what was changed since main, or since the last
// commit of main itself. It is no replacement for `npm test`.
import { execFileSync } from 'node:child_process';
import { nearTests } from './near-tests.ts';
import { root, run, staticChecks } from './programs.ts';

const began = performance.now();
const git = (...args: string[]): string[] =>
  execFileSync('git', args, { cwd: root, encoding: 'utf8', maxBuffer: 64 * 1024 ** 2 })
    .split('\n')
    .filter((line) => line !== '');

const [base = 'HEAD'] = git('merge-base', 'HEAD', process.argv[2] ?? 'main');
const untracked = git('ls-files', '--others', '--exclude-standard');
const changed = [...git('diff', '--name-only', base), ...untracked];
const tests = nearTests(changed, [...git('ls-files'), ...untracked]);

const checks = await Promise.all(staticChecks().map(([command, ...args]) => run(command, args)));
const outcomes = tests.length > 0 ? [...checks, await run('vitest', ['run', ...tests])] : checks;
const failed = outcomes.filter(({ succeeded }) => !succeeded).length;
process.exitCode = failed === 0 ? 0 : 1;
const seconds = Math.round((performance.now() - began) / 1000);
console.log(
  `\n${changed.length} changed files, ${tests.length} test files: ${failed === 0 ? 'passed' : `${failed} failed`}, in ${seconds} s`,
);
