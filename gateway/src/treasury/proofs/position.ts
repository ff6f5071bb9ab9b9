import { type Database, liftTimeLimits, type Reader, transaction } from '../../kit/db/db.ts';
import { newestEntry, type OwedBalance, owedBalances } from '../../ledger/owed.ts';
import { type AssetTotals, installationTotals } from '../../ledger/totals.ts';
import { type ChainSnapshot, snapshotChain } from '../../rails/evm/reserves/snapshot.ts';
import type { ChainWithEndpoints } from '../../rails/evm/scan/look-up.ts';
import type { PiConfig } from '../../rails/pi/horizon/network.ts';
import { type PiSnapshot, snapshotPi } from '../../rails/pi/reserves.ts';
import { originsOf, ProofRefused } from './holdings.ts';

/** The head of the hash chain as one text; null: nothing is stamped yet. */
export type ReadStamp = (reader: Reader) => Promise<string | null>;

/** What the ledger and the reading of networks say at one moment of the database, of live money. */
export type Position = {
  entry: bigint;
  stamp: string | null;
  owed: OwedBalance[];
  totals: AssetTotals[];
  chains: {
    asked: ChainWithEndpoints;
    snapshot: ChainSnapshot;
    origins: Awaited<ReturnType<typeof originsOf>>;
  }[];
  pi: { config: PiConfig; snapshot: PiSnapshot } | null;
};

/** Reads it in one snapshot of the database. Throws ProofRefused where a network has not been read yet. */
export async function readPosition(
  db: Database,
  {
    chains,
    pi,
    readStamp,
  }: { chains: readonly ChainWithEndpoints[]; pi: PiConfig | null; readStamp: ReadStamp },
): Promise<Position> {
  return await transaction(db, async (tx) => {
    await tx.query('SET TRANSACTION ISOLATION LEVEL REPEATABLE READ, READ ONLY');
    await liftTimeLimits(tx);
    const read: Position['chains'] = [];
    for (const asked of chains) {
      const snapshot = await snapshotChain(tx, asked.chain);
      if (!snapshot) throw new ProofRefused(`${asked.chain.name} has not been read yet`);
      read.push({ asked, snapshot, origins: await originsOf(tx, snapshot) });
    }
    const ofPi = pi && (await snapshotPi(tx, pi));
    if (pi && !ofPi) throw new ProofRefused('the account of Pi has not been read yet');
    return {
      entry: await newestEntry(tx),
      stamp: await readStamp(tx),
      owed: await owedBalances(tx),
      totals: (await installationTotals(tx)).filter(({ mode }) => mode === 'live'),
      chains: read,
      pi: pi && ofPi && { config: pi, snapshot: ofPi },
    };
  });
}
