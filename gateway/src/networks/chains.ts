import type { Logger } from 'pino';
import type { Database } from '../kit/db/db.ts';
import type { Assets } from '../money/assets.ts';
import { withWaits } from '../payments/waits.ts';
import type { ChainConfig } from '../rails/evm/config/chains.ts';
import { openChain } from '../rails/evm/open-chain.ts';
import { planRecheck } from '../rails/evm/scan/blocks/recheck-plan.ts';
import { createLookUp } from '../rails/evm/scan/look-up.ts';
import { createSweeper } from '../rails/evm/sweep/sweeper.ts';
import type { LookUpTransaction, RailProbe } from '../rails/rail.ts';
import { createTakeReports, type TakeDeps } from './take-reports.ts';

export type ChainsDeps = TakeDeps & {
  db: Database;
  assets: Assets;
  chains: readonly ChainConfig[];
  log: Logger;
  /** USD for one of an asset, as a decimal; null: not known. */
  usdOf: (asset: string) => string | null;
};

/** The chains of the installation as the rest of the gateway knows them. */
export type Chains = {
  lookUp: LookUpTransaction;
  probes: RailProbe[];
  /** What is to be done again and again for each of them. */
  loops: { name: string; everyMs: number; work: () => Promise<void> }[];
  /** Ends what is under way at endpoints; to be called before the loops are waited for. */
  disconnect(): Promise<void>;
  /** Leaves the chains to other processes; after the loops. */
  release(): Promise<void>;
};

/** How often it is looked whether something is to be read a second time; of a long way each look reads one range. */
const secondReadingMs = 2_000;
/** How often what a sweeper sent is looked after; for more to send it looks less often. */
const slowestSweepMs = 10_000;

/** Follows the configured chains, and reports to payments what their scans see. */
export function createChains(deps: ChainsDeps): Chains {
  const { db, chains, now, log, usdOf } = deps;
  const take = createTakeReports(deps);
  const opened = chains.map((chain) =>
    openChain({
      db,
      chain,
      now,
      log,
      take,
    }),
  );
  const lookUp = createLookUp({
    db,
    chains: opened,
    recheck: (chainId, block) => planRecheck(db, chainId, block, now()),
    log,
  });
  return {
    lookUp,
    probes: opened.map(({ health }) => withWaits(db, now, health)),
    loops: opened.flatMap(({ chain, endpoints, everyMs, round, readAgain }) => {
      const scans = [
        { name: `chain ${chain.id}`, everyMs, work: round },
        // Apart from the scan, which does not wait for it.
        { name: `chain ${chain.id} again`, everyMs: secondReadingMs, work: readAgain },
      ];
      const keyFile = chain.sweep.gasKeyFile;
      if (keyFile === null) return scans;
      const { tick } = createSweeper({ db, chain, endpoints, usdOf, now, log, keyFile });
      const sweepMs = Math.min(slowestSweepMs, chain.sweep.everySeconds * 1000);
      return [...scans, { name: `sweeps ${chain.id}`, everyMs: sweepMs, work: tick }];
    }),
    async disconnect() {
      await Promise.all(opened.map((each) => each.disconnect()));
    },
    async release() {
      await Promise.all(opened.map((each) => each.release()));
    },
  };
}
