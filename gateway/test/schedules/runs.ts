import fc from 'fast-check';

export type Runs = {
  runs: number;
  /** Where the schedules come from; absent: others every time. A failure tells its own. */
  seed?: number;
  /** Of these the one that failed, as a failure tells it; absent: all. */
  path?: string;
  /** After this long the search for the smallest failing schedule ends with the smallest found. */
  timeLimitMs: number;
};

/** Plays random schedules, and throws with the smallest that goes wrong. */
export async function playRandom<S>(
  schedules: fc.Arbitrary<S>,
  play: (schedule: S) => Promise<void>,
  { runs, seed, path, timeLimitMs }: Runs,
): Promise<void> {
  await fc.assert(fc.asyncProperty(schedules, play), {
    numRuns: runs,
    interruptAfterTimeLimit: timeLimitMs,
    markInterruptAsFailure: true,
    ...(seed === undefined ? {} : { seed }),
    ...(path === undefined ? {} : { path }),
  });
}

/**
 * Which schedules are played: those of `SEED`, of which `SEED_PATH` is one alone, as a failure tells both. Without it a soak
 * plays others every time, and any other run those of the usual seed.
 */
export function whichRuns(
  { SOAK, SEED, SEED_PATH }: NodeJS.ProcessEnv,
  usualSeed: number,
): Pick<Runs, 'seed' | 'path'> {
  return {
    ...(SOAK ? {} : { seed: usualSeed }),
    ...(SEED === undefined ? {} : { seed: Number.parseInt(SEED, 10) }),
    ...(SEED_PATH === undefined ? {} : { path: SEED_PATH }),
  };
}
