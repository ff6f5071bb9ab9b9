import fc from 'fast-check';
import { checkGame } from './pi-browser-oracle.ts';
import { openGame, play, schedules, settleDown } from './pi-browser-play.ts';
import { openPiWorld } from './pi-browser-world.ts';

export type Runs = {
  runs: number;
  /** Where the schedules come from; absent: others every time. A failure tells its own. */
  seed?: number;
  timeLimitMs: number;
};

/** Plays random schedules with two processes of the gateway, and throws with the smallest that goes wrong. */
export async function playSchedules({ runs, seed, timeLimitMs }: Runs): Promise<void> {
  const world = await openPiWorld();
  const processes = [world, world.processOn(world.shop.db)];
  const property = fc.asyncProperty(schedules, async (steps) => {
    const game = await openGame(world, processes);
    for (const step of steps) await play(game, step);
    await settleDown(game);
    await checkGame(game);
  });
  await fc.assert(property, {
    numRuns: runs,
    interruptAfterTimeLimit: timeLimitMs,
    markInterruptAsFailure: true,
    ...(seed === undefined ? {} : { seed }),
  });
}
