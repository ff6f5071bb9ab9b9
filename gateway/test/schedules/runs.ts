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

/** What a run of many repeats: the schedules of `SEED`, of which `SEED_PATH` is one alone, as a failure tells both. */
export function repeated(env: NodeJS.ProcessEnv): Pick<Runs, 'seed' | 'path'> {
  const { SEED, SEED_PATH } = env;
  return {
    ...(SEED === undefined ? {} : { seed: Number.parseInt(SEED, 10) }),
    ...(SEED_PATH === undefined ? {} : { path: SEED_PATH }),
  };
}
