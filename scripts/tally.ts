import { relative } from 'node:path';

export type Tally = { passed: number; failed: number };

type Report = {
  numPassedTests: number;
  numFailedTests: number;
  testResults: { name: string; status: string; assertionResults: { status: string; fullName: string }[] }[];
};

/**
 * Counts the tests of a vitest JSON report. A file that failed without a failed test of its own (it could not be
 * loaded, or a hook threw) counts as one failure, and so does a run that failed with nothing to show for it.
 */
export function countTests(report: string | undefined, succeeded: boolean): Tally {
  if (report === undefined) return { passed: 0, failed: 1 };
  const { numPassedTests, numFailedTests, testResults } = JSON.parse(report) as Report;
  const brokenFiles = testResults.filter(
    (file) => file.status === 'failed' && !file.assertionResults.some((test) => test.status === 'failed'),
  );
  const failed = numFailedTests + brokenFiles.length;
  return { passed: numPassedTests, failed: failed === 0 && !succeeded ? 1 : failed };
}

const namesAtMost = 20;

/** The tests that were not run, such as those of a program that this machine lacks, in lines for people; empty: none. */
export function notRun(report: string | undefined, root: string): string[] {
  if (report === undefined) return [];
  const { testResults } = JSON.parse(report) as Report;
  const names = testResults.flatMap(({ name, assertionResults }) =>
    assertionResults
      .filter(({ status }) => status !== 'passed' && status !== 'failed')
      .map(({ fullName }) => `  ${relative(root, name)}: ${fullName}`),
  );
  if (names.length === 0) return [];
  const more = names.length - namesAtMost;
  return [
    `Not run here, and counted neither as passed nor as failed: ${names.length}`,
    ...names.slice(0, namesAtMost),
    ...(more > 0 ? [`  and ${more} more`] : []),
  ];
}
