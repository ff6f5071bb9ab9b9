import { test } from 'vitest';
import { playSchedules } from '../../../test/chain/run.ts';
import { openWorld } from '../../../test/chain/world.ts';

// `npm run soak` plays 300 schedules, any other run one, to show that it works. `SEED` repeats those of a failure.

const runs = process.env.SOAK ? 300 : 1;
const timeLimitMs = process.env.SOAK ? 2_400_000 : 300_000;
const seed = process.env.SEED === undefined ? {} : { seed: Number.parseInt(process.env.SEED, 10) };

test(
  'random schedules end with a ledger that holds what the chain holds, however many they are',
  async () => {
    await playSchedules(await openWorld(), { runs, ...seed, timeLimitMs });
  },
  timeLimitMs + 30_000,
);
