import { test } from 'vitest';
import { playSchedules } from '../../../test/chain/run.ts';
import { openWorld } from '../../../test/chain/world.ts';

const timeLimitMs = 300_000;

test(
  'whatever happens to a chain, its endpoints and its scanners, the ledger ends with what the chain holds',
  async () => {
    await playSchedules(await openWorld(), { runs: 12, seed: 4, timeLimitMs });
  },
  timeLimitMs + 30_000,
);
