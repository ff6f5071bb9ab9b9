import { test } from 'vitest';
import { playSchedules } from '../../../../test/pi/browser-run.ts';

// 300 schedules by `npm run soak`, and one otherwise, to see that it works. `SEED` plays those of a failure again.

const runs = process.env.SOAK ? 300 : 1;
const timeLimitMs = process.env.SOAK ? 900_000 : 300_000;
const seed = process.env.SEED === undefined ? {} : { seed: Number.parseInt(process.env.SEED, 10) };

test(
  'random schedules of customers in the Pi Browser end right, however many they are',
  async () => {
    await playSchedules({ runs, ...seed, timeLimitMs });
  },
  timeLimitMs + 30_000,
);
