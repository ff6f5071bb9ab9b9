import { expect, test } from 'vitest';
import { countTests } from './tally.ts';

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
