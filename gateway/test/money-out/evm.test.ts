import { test } from 'vitest';
import { playRandom } from '../schedules/runs.ts';
import { openEvmStage } from './evm.ts';
import { evmSchedules } from './evm-steps.ts';
import { openEvmWorld } from './evm-world.ts';
import { playMoneyOut } from './run.ts';

const timeLimitMs = 300_000;

test(
  'whatever happens to a chain, its endpoints, its vault and its senders, every order is paid once or not at all',
  async () => {
    const world = await openEvmWorld();
    await playRandom(
      evmSchedules,
      (schedule) => playMoneyOut((setting) => openEvmStage(world, setting), schedule),
      { runs: 8, seed: 11, timeLimitMs },
    );
  },
  timeLimitMs + 30_000,
);
