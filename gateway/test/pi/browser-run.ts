import { playRandom, type Runs } from '../schedules/runs.ts';
import { checkGame } from './browser-oracle.ts';
import { openGame, play, type Step, schedules, settleDown } from './browser-play.ts';
import { openPiWorld } from './browser-world.ts';

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
