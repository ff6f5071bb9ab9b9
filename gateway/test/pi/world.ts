import { after } from '../../src/kit/clock.ts';
import type { Database } from '../../src/kit/db/db.ts';
import { type Horizon, startHorizon } from '../horizon/horizon.ts';
import { journalTableSql, journalTriggersSql, journalWaitsSql } from '../schedules/journal.ts';
import { troubleSql } from '../schedules/trouble.ts';
import { atFileEnd } from '../suite/endings.ts';
import { emptyTables, testDatabase } from '../support/database.ts';
import { testClock } from '../support/fixtures.ts';
import { type BrittleHorizon, startBrittleHorizon } from './horizon.ts';
import { openNetwork, type PiNetwork } from './network.ts';
import { secretFile } from './send-fixtures.ts';

// What all schedules of a test file share: one network, two Horizons of it, one database.

export type World = {
  db: Database;
  /** Of whoever looks at the network. */
  clock: ReturnType<typeof testClock>;
  network: PiNetwork;
  /** How far the network's clock is ahead of the gateway's. */
  offset: { aheadSeconds: number };
  /** Ledgers close over what the first one takes; the second one lets it wait for the next ledger, and says 504. */
  horizons: readonly [BrittleHorizon, BrittleHorizon];
  /** The one that wallets use, which nothing happens to. */
  walletHorizon: Horizon;
  platformKeyFile: string;
};

export const platformKey = 'key-of-the-app';

export async function openWorld(): Promise<World> {
  const { db } = await testDatabase(16);
  await db.query(journalTableSql);
  await db.query(journalTriggersSql);
  await db.query(journalWaitsSql);
  await db.query(troubleSql);
  const clock = testClock();
  const offset = { aheadSeconds: 0 };
  const network = openNetwork(() => after(clock.now(), offset.aheadSeconds));
  const { core } = network;
  const world: World = {
    ...{ db, clock, network, offset },
    horizons: [
      await startBrittleHorizon(core),
      await startBrittleHorizon(core, { closeMs: null, submitTimeoutMs: 20 }),
    ],
    walletHorizon: await startHorizon({ core }),
    platformKeyFile: await secretFile(platformKey),
  };
  atFileEnd(async () => {
    for (const { horizon } of world.horizons) await horizon.stop();
    await world.walletHorizon.stop();
  });
  return world;
}

/** Horizons that are well, and nothing in the database of what was before. */
export async function resetWorld({ db, horizons }: World): Promise<void> {
  for (const horizon of horizons) horizon.mend();
  await emptyTables(
    db,
    'leases, pi_memos, pi_accounts, pi_records, pi_platform_payments, pi_sends, pi_envelopes, pi_senders, unmatched_deposits, payment_transfers, payment_refunds, payment_claims, schedule_journal, schedule_trouble',
  );
}
