import { test } from 'vitest';
import { playSchedules } from '../../../../test/pi/browser-run.ts';

const timeLimitMs = 300_000;

test(
  'whatever happens to customers in the Pi Browser, what the platform confirmed is delivered, and nothing else',
  async () => {
    await playSchedules({ runs: 10, seed: 7, timeLimitMs });
  },
  timeLimitMs + 30_000,
);
