import { test } from 'vitest';
import { playSchedules } from '../../../test/pi/run.ts';
import { openWorld } from '../../../test/pi/world.ts';

const timeLimitMs = 300_000;

test(
  'whatever happens to a Pi network, its Horizons and its readers, the ledger ends with what the network holds',
  async () => {
    await playSchedules(await openWorld(), { runs: 12, seed: 5, timeLimitMs });
  },
  timeLimitMs + 30_000,
);
