import { test } from 'vitest';
import { playRandom, whichRuns } from '../schedules/runs.ts';
import { openEvmStage } from './evm.ts';
import { evmSchedules } from './evm-steps.ts';
import { openEvmWorld } from './evm-world.ts';
import { playMoneyOut } from './run.ts';

// `npm run test:soak` plays 300 schedules, any other run four, always the same. `SEED` repeats those of a failure, and
// `SEED_PATH` one of them alone.

const runs = process.env.SOAK ? 300 : 4;
const timeLimitMs = process.env.SOAK ? 2_400_000 : 900_000;
const which = whichRuns(process.env, 11);

test(
  'whatever happens to a chain, its endpoints, its vault and its senders, every order is paid once or not at all, and what is owed is held',
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
