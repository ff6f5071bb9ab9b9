import { playRandom, type Runs } from '../schedules/runs.ts';
import { openGame } from './game.ts';
import { checkAgainstChain, settleDown } from './oracle.ts';
import { learn, play } from './play.ts';
import { schedules } from './schedules.ts';
import type { Schedule } from './steps.ts';
import type { World } from './world.ts';

/** Plays random schedules on a world, each from the beginning, and throws with the smallest that goes wrong. */
export async function playSchedules(world: World, runs: Runs): Promise<void> {
  await playRandom(schedules, (schedule) => playSchedule(world, schedule), runs);
}

/** Plays one schedule to its end, and holds what came of it against the chain. */
export async function playSchedule(world: World, { setting, steps }: Schedule): Promise<void> {
  const game = await openGame(world, setting);
  await learn(game);
  for (const step of steps) await play(game, step);
  await settleDown(game);
  await checkAgainstChain(game);
}
