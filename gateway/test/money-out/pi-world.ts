import type { Database } from '../../src/kit/db/db.ts';
import { type BrittleHorizon, startBrittleHorizon } from '../pi/horizon.ts';
import { openNetwork, type PiNetwork } from '../pi/network.ts';
import { atFileEnd } from '../suite/endings.ts';
import { testDatabase } from '../support/database.ts';
import { type TestClock, testClock } from '../support/fixtures.ts';
import { cleaner } from './clean.ts';

/** What all schedules of a test file share: one network, two Horizons of it, one database. */
export type PiWorld = {
  db: Database;
  /** Of the network and of whoever looks at it. */
  clock: TestClock;
  network: PiNetwork;
  /** Ledgers close over what the first one takes; the second one lets it wait for the next ledger, and says 504. */
  horizons: readonly [BrittleHorizon, BrittleHorizon];
  /** Nothing is in the database, and the Horizons are well. */
  clean(): Promise<void>;
};

export async function openPiWorld(): Promise<PiWorld> {
  const { db } = await testDatabase(16);
  const clock = testClock();
  const network = openNetwork(clock.now);
  const { core } = network;
  const horizons = [
    await startBrittleHorizon(core),
    await startBrittleHorizon(core, { closeMs: null, submitTimeoutMs: 20 }),
  ] as const;
  atFileEnd(async () => {
    for (const { horizon } of horizons) await horizon.stop();
  });
  const empty = await cleaner(db);
  return {
    ...{ db, clock, network, horizons },
    async clean() {
      for (const horizon of horizons) horizon.mend();
      core.baseFee = 100_000n;
      await empty();
    },
  };
}
