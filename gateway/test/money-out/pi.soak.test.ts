import { test } from 'vitest';
import { playRandom, whichRuns } from '../schedules/runs.ts';
import { openPiStage } from './pi.ts';
import { piSchedules } from './pi-steps.ts';
import { openPiWorld } from './pi-world.ts';
import { playMoneyOut } from './run.ts';

// `npm run test:soak` plays 300 schedules, any other run eight, always the same. `SEED` repeats those of a failure, and
// `SEED_PATH` one of them alone.

const runs = process.env.SOAK ? 300 : 8;
const timeLimitMs = process.env.SOAK ? 2_400_000 : 900_000;
const which = whichRuns(process.env, 11);

test(
  'whatever happens to the Pi network, its Horizons, its account and its senders, every order is paid once or not at all, and what is owed is held',
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
