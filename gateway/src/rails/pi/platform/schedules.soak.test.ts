import { test } from 'vitest';
import { playSchedules } from '../../../../test/pi/browser-run.ts';
import { whichRuns } from '../../../../test/schedules/runs.ts';

// `npm run test:soak` plays 300 schedules, any other run six, always the same. `SEED` repeats those of a failure, and
// `SEED_PATH` one of them alone.

const runs = process.env.SOAK ? 300 : 6;
const timeLimitMs = 900_000;
const which = whichRuns(process.env, 7);

test(
  'whatever happens to customers in the Pi Browser, what the platform confirmed is delivered, and nothing else',
  async () => {
    await playSchedules({ runs, ...which, timeLimitMs });
  },
  timeLimitMs + 30_000,
);
