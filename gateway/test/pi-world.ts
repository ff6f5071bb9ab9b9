import { afterAll } from 'vitest';
import type { Database } from '../src/kit/db.ts';
import { testDatabase } from './database.ts';
import { testClock } from './fixtures.ts';
import { type BrittleHorizon, startBrittleHorizon } from './pi-horizon.ts';
import { openNetwork, type PiNetwork } from './pi-network.ts';
import { journalTableSql, journalTransfersSql } from './schedule-journal.ts';

// What all schedules of a test file share: one network, two Horizons of it, one database.

export type World = {
  db: Database;
  /** Of the network and of whoever looks at it. */
  clock: ReturnType<typeof testClock>;
  network: PiNetwork;
  horizons: readonly [BrittleHorizon, BrittleHorizon];
};

const opened: World[] = [];
afterAll(async () => {
  for (const { horizons } of opened) for (const { horizon } of horizons) await horizon.stop();
});

export async function openWorld(): Promise<World> {
  const { db } = await testDatabase(16);
  await db.query(journalTableSql);
  await db.query(journalTransfersSql);
  const clock = testClock();
  const network = openNetwork(clock.now);
  const { core } = network;
  const world: World = {
    ...{ db, clock, network },
    horizons: [await startBrittleHorizon(core), await startBrittleHorizon(core)],
  };
  opened.push(world);
  return world;
}

/** Horizons that are well, and nothing in the database of what was before. */
export async function resetWorld({ db, horizons }: World): Promise<void> {
  for (const horizon of horizons) horizon.mend();
  await db.query('TRUNCATE pi_memos, pi_accounts, pi_records, stray_transfers, schedule_journal CASCADE');
}
