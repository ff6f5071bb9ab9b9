// `npm test`: every check, and as its last line `N passed, N failed`, where each static check counts as
// one. Arguments are handed to vitest as filters (`npm test -- ledger`). `--soak`: the long seeded runs alone.
import { type Cpu, cpuLines, cpuMs } from '../gateway/test/suite/cpu.ts';
import { buildDashboard } from './build-dashboard.ts';
import { run, staticChecks } from './programs.ts';
import { runTests } from './run-tests.ts';
import type { Tally } from './tally.ts';

async function runChecks(): Promise<Tally> {
  const outcomes = await Promise.all(staticChecks().map(([command, ...args]) => run(command, args)));
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

const args = process.argv.slice(2);
const isSoak = args.includes('--soak');
const filters = args.filter((arg) => arg !== '--soak');

const nothing: Tally = { passed: 0, failed: 0 };
const build = await runBuild();
const checks = isSoak ? nothing : await runChecks();
const before: Cpu = { of: 'build and static checks', ms: cpuMs() ?? 0 };
const tests = isSoak ? await runTests(['soak', ...filters], { SOAK: '1' }) : await runTests(filters, {});
const failed = build.failed + checks.failed + tests.failed;
process.exitCode = failed === 0 ? 0 : 1;
for (const lines of [tests.notRun, tests.cpu.length === 0 ? [] : cpuLines([before, ...tests.cpu])]) {
  if (lines.length > 0) console.log(`\n${lines.join('\n')}`);
}
console.log(`\n${build.passed + checks.passed + tests.passed} passed, ${failed} failed`);
