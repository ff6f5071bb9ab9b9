import { test } from 'vitest';
import { playRandom } from '../schedules/runs.ts';
import { openPiStage } from './pi.ts';
import { piSchedules } from './pi-steps.ts';
import { openPiWorld } from './pi-world.ts';
import { playMoneyOut } from './run.ts';

const timeLimitMs = 300_000;

test(
  'whatever happens to the Pi network, its Horizons, its account and its senders, every order is paid once or not at all',
  async () => {
    const world = await openPiWorld();
    await playRandom(
      piSchedules,
      (schedule) => playMoneyOut((setting) => openPiStage(world, setting), schedule),
      { runs: 16, seed: 11, timeLimitMs },
    );
  },
  timeLimitMs + 30_000,
);
