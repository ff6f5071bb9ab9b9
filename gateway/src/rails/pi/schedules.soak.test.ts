import { test } from 'vitest';
import { playSchedules } from '../../../test/pi/run.ts';
import { openWorld } from '../../../test/pi/world.ts';

// 300 schedules by `npm run soak`, and one otherwise, to see that it works. `SEED` plays those of a failure again.

const runs = process.env.SOAK ? 300 : 1;
const timeLimitMs = process.env.SOAK ? 900_000 : 300_000;
const seed = process.env.SEED === undefined ? {} : { seed: Number.parseInt(process.env.SEED, 10) };

test(
  'random schedules end with a ledger that holds what the network holds, however many they are',
  async () => {
    await playSchedules(await openWorld(), { runs, ...seed, timeLimitMs });
  },
  timeLimitMs + 30_000,
);
