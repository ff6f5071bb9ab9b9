import { test } from 'vitest';
import { playRandom, whichRuns } from '../schedules/runs.ts';
import { openEvmWorld } from './evm-world.ts';
import { playRestore, restores } from './restores.ts';

// `npm run test:soak` plays 300 schedules, any other run four, always the same, in which something is paid since the backup and
// clocks are an hour apart. `SEED` repeats those of a failure, and `SEED_PATH` one of them alone.

const runs = process.env.SOAK ? 300 : 4;
const timeLimitMs = process.env.SOAK ? 2_400_000 : 300_000;
const which = whichRuns(process.env, 5);
const played = process.env.SOAK
  ? restores
  : restores.map((each) => ({ ...each, ahead: 3_600, since: 5, after: [] }));

test(
  'after a restore payouts go on only when all that left since the backup is somebody’s, however far clocks are apart',
  async () => {
    const world = await openEvmWorld();
    await playRandom(played, (restore) => playRestore(world, restore), { runs, ...which, timeLimitMs });
  },
  timeLimitMs + 30_000,
);
