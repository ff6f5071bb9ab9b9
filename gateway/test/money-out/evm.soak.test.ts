import { test } from 'vitest';
import { playRandom, repeated } from '../schedules/runs.ts';
import { openEvmStage } from './evm.ts';
import { evmSchedules } from './evm-steps.ts';
import { openEvmWorld } from './evm-world.ts';
import { playMoneyOut } from './run.ts';

// `npm run soak` plays 300 schedules, any other run one, always the same, to show that it works. `SEED` repeats those of
// a failure, and `SEED_PATH` one of them alone.

const runs = process.env.SOAK ? 300 : 1;
const timeLimitMs = process.env.SOAK ? 2_400_000 : 300_000;
const which = process.env.SOAK ? repeated(process.env) : { seed: 1, ...repeated(process.env) };

test(
  'however many schedules there are, what is owed is held in the end, and every order is paid once or not at all',
  async () => {
    const world = await openEvmWorld();
    await playRandom(
      evmSchedules,
      (schedule) => playMoneyOut((setting) => openEvmStage(world, setting), schedule),
      { runs, ...which, timeLimitMs },
    );
  },
  timeLimitMs + 30_000,
);
