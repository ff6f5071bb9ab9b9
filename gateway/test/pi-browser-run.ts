import { checkGame } from './pi-browser-oracle.ts';
import { openGame, play, type Step, schedules, settleDown } from './pi-browser-play.ts';
import { openPiWorld } from './pi-browser-world.ts';
import { playRandom, type Runs } from './schedule-runs.ts';

/** Plays random schedules with two processes of the gateway, and throws with the smallest that goes wrong. */
export async function playSchedules(runs: Runs): Promise<void> {
  const world = await openPiWorld();
  const processes = [world, world.processOn(world.shop.db)];
  const playSchedule = async (steps: Step[]) => {
    const game = await openGame(world, processes);
    for (const step of steps) await play(game, step);
    await settleDown(game);
    await checkGame(game);
  };
  await playRandom(schedules, playSchedule, runs);
}
