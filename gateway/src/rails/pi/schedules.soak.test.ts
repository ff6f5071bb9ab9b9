import { test } from 'vitest';
import { playSchedules } from '../../../test/pi/run.ts';
import { openWorld } from '../../../test/pi/world.ts';
import { whichRuns } from '../../../test/schedules/runs.ts';

// `npm run test:soak` plays 300 schedules, any other run eight, always the same. `SEED` repeats those of a failure, and
// `SEED_PATH` one of them alone.

const runs = process.env.SOAK ? 300 : 8;
const timeLimitMs = 900_000;
const which = whichRuns(process.env, 5);

test(
  'whatever happens to a Pi network, its Horizons and its readers, the ledger ends with what the network holds',
  async () => {
    await playSchedules(await openWorld(), { runs, ...which, timeLimitMs });
  },
  timeLimitMs + 30_000,
);
