import fc from 'fast-check';
import { closeGame, openGame } from './pi-game.ts';
import { checkAgainstNetwork } from './pi-oracle.ts';
import { play, settleDown } from './pi-play.ts';
import { schedules } from './pi-schedules.ts';
import type { Schedule } from './pi-steps.ts';
import type { World } from './pi-world.ts';

export type Runs = {
  runs: number;
  /** Where the schedules come from; absent: others every time. A failure tells its own. */
  seed?: number;
  /** After this long the search for the smallest failing schedule ends with the smallest found. */
  timeLimitMs: number;
};

/** Plays random schedules on a world, each from the beginning, and throws with the smallest that goes wrong. */
export async function playSchedules(world: World, { runs, seed, timeLimitMs }: Runs): Promise<void> {
  await fc.assert(
    fc.asyncProperty(schedules, (schedule) => playSchedule(world, schedule)),
    {
      numRuns: runs,
      interruptAfterTimeLimit: timeLimitMs,
      markInterruptAsFailure: true,
      ...(seed === undefined ? {} : { seed }),
    },
  );
}

/** Plays one schedule to its end, and holds what came of it against the network. */
export async function playSchedule(world: World, { setting, steps }: Schedule): Promise<void> {
  const game = await openGame(world, setting);
  try {
    for (const step of steps) await play(game, step);
    await settleDown(game);
    await checkAgainstNetwork(game);
  } finally {
    await closeGame(game);
  }
}
