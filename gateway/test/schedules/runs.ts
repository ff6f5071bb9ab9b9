import fc from 'fast-check';

export type Runs = {
  runs: number;
  /** Where the schedules come from; absent: others every time. A failure tells its own. */
  seed?: number;
  /** After this long the search for the smallest failing schedule ends with the smallest found. */
  timeLimitMs: number;
};

/** Plays random schedules, and throws with the smallest that goes wrong. */
export async function playRandom<S>(
  schedules: fc.Arbitrary<S>,
  play: (schedule: S) => Promise<void>,
  { runs, seed, timeLimitMs }: Runs,
): Promise<void> {
  await fc.assert(fc.asyncProperty(schedules, play), {
    numRuns: runs,
    interruptAfterTimeLimit: timeLimitMs,
    markInterruptAsFailure: true,
    ...(seed === undefined ? {} : { seed }),
  });
}
