import { test } from 'vitest';
import { playRandom, repeated } from '../schedules/runs.ts';
import { openPiStage } from './pi.ts';
import { piSchedules } from './pi-steps.ts';
import { openPiWorld } from './pi-world.ts';
import { playMoneyOut } from './run.ts';

// `npm run soak` plays 300 schedules, any other run one, always the same, to show that it works. `SEED` repeats those of
// a failure, and `SEED_PATH` one of them alone.

const runs = process.env.SOAK ? 300 : 1;
const timeLimitMs = process.env.SOAK ? 2_400_000 : 300_000;
const which = process.env.SOAK ? repeated(process.env) : { seed: 1, ...repeated(process.env) };

test(
  'however many schedules there are, what is owed is held in the end, and every order is paid once or not at all',
  async () => {
    const world = await openPiWorld();
    await playRandom(
      piSchedules,
      (schedule) => playMoneyOut((setting) => openPiStage(world, setting), schedule),
      { runs, ...which, timeLimitMs },
    );
  },
  timeLimitMs + 30_000,
);
