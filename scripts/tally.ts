export type Tally = { passed: number; failed: number };

type Report = {
  numPassedTests: number;
  numFailedTests: number;
  testResults: { status: string; assertionResults: { status: string }[] }[];
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
