import { test } from 'vitest';
import { playSchedules } from '../../../test/chain/run.ts';
import { openWorld } from '../../../test/chain/world.ts';
import { whichRuns } from '../../../test/schedules/runs.ts';

// `npm run test:soak` plays 300 schedules, any other run five, always the same. `SEED` repeats those of a failure, and
// `SEED_PATH` one of them alone.

const runs = process.env.SOAK ? 300 : 5;
const timeLimitMs = process.env.SOAK ? 2_400_000 : 900_000;
const which = whichRuns(process.env, 4);

test(
  'whatever happens to a chain, its endpoints and its scanners, the ledger ends with what the chain holds',
  async () => {
    await playSchedules(await openWorld(), { runs, ...which, timeLimitMs });
  },
  timeLimitMs + 30_000,
);
