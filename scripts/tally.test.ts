import { expect, test } from 'vitest';
import { countTests, notRun } from './tally.ts';

const passed = { status: 'passed' };
const failed = { status: 'failed' };

function report(numPassedTests: number, numFailedTests: number, ...testResults: unknown[]): string {
  return JSON.stringify({ numPassedTests, numFailedTests, testResults });
}

test('every test counts once', () => {
  const file = { status: 'failed', assertionResults: [passed, passed, failed] };
  expect(countTests(report(2, 1, file), false)).toEqual({ passed: 2, failed: 1 });
});

test('a file that cannot be loaded counts as a failure', () => {
  const good = { status: 'passed', assertionResults: [passed] };
  expect(countTests(report(1, 0, good, { status: 'failed', assertionResults: [] }), false)).toEqual({
    passed: 1,
    failed: 1,
  });
});

test('a hook that throws after its tests passed counts as a failure', () => {
  const file = { status: 'failed', assertionResults: [passed] };
  expect(countTests(report(1, 0, file), false)).toEqual({ passed: 1, failed: 1 });
});

test('a run that failed without a failed test, or left no report, counts as a failure', () => {
  const file = { status: 'passed', assertionResults: [passed] };
  expect(countTests(report(1, 0, file), false)).toEqual({ passed: 1, failed: 1 });
  expect(countTests(undefined, false)).toEqual({ passed: 0, failed: 1 });
});

test('tests that were not run are named, and counted neither way', () => {
  const lacking = { status: 'skipped', fullName: 'on PostgreSQL 15 all migrations are applied' };
  const file = {
    name: '/clone/gateway/test/a.test.ts',
    status: 'passed',
    assertionResults: [passed, lacking],
  };
  expect(countTests(report(1, 0, file), true)).toEqual({ passed: 1, failed: 0 });
  expect(notRun(report(1, 0, file), '/clone')).toEqual([
    'Not run here, and counted neither as passed nor as failed: 1',
    '  gateway/test/a.test.ts: on PostgreSQL 15 all migrations are applied',
  ]);
  expect(notRun(report(1, 0, { ...file, assertionResults: [passed] }), '/clone')).toEqual([]);
});

test('of a great many that were not run the first are named', () => {
  const assertionResults = Array.from({ length: 500 }, (_, n) => ({ status: 'pending', fullName: `${n}` }));
  const lines = notRun(
    report(0, 0, { name: '/clone/a.test.ts', status: 'passed', assertionResults }),
    '/clone',
  );
  expect(lines).toHaveLength(22);
  expect(lines.at(-1)).toBe('  and 480 more');
});
