import type { Logger } from 'pino';
import type { Assets } from './kit/assets.ts';
import type { Database } from './kit/db.ts';
import { recordTransfer } from './payments/observe.ts';
import type { StateDeps } from './payments/state.ts';
import { bookSweep } from './payments/sweeps.ts';
import type { ChainConfig } from './rails/evm/chains.ts';
import { followChain } from './rails/evm/follow.ts';
import { createLookUp } from './rails/evm/look-up.ts';
import { planRecheck } from './rails/evm/scan/recheck-plan.ts';
import { createEvmRail } from './rails/evm/service.ts';
import type { Observation, Rail, RailProbe } from './rails/rail.ts';

export type ChainsDeps = StateDeps & {
  db: Database;
  assets: Assets;
  chains: readonly ChainConfig[];
  log: Logger;
  /** Hears of each transfer that was booked, for the metrics. */
  count: (rail: string, state: Observation['state']) => void;
};

/** The chains of the installation as the rest of the gateway knows them. */
export type Chains = {
  rail: Rail;
  probes: RailProbe[];
  /** What is to be done again and again for each of them. */
  loops: { name: string; everyMs: number; work: () => Promise<void> }[];
  /** Ends what is under way at endpoints; to be called before the loops are waited for. */
  disconnect(): Promise<void>;
  /** Leaves the chains to other processes; after the loops. */
  release(): Promise<void>;
};

/** Follows the configured chains: what their scans see goes to payments, in the transaction that notes it as told. */
export function createChains(deps: ChainsDeps): Chains {
  const { db, chains, assets, now, log, count } = deps;
  const followed = chains.map((chain) =>
    followChain({
      db,
      chain,
      now,
      log,
      async report(tx, seen, at) {
        await recordTransfer(tx, deps, seen, at);
        count(seen.rail, seen.state);
      },
      reportSweep: (tx, sweep) => bookSweep(tx, sweep, now()),
    }),
  );
  const lookUp = createLookUp({
    db,
    chains: followed,
    recheck: (chainId, block) => planRecheck(db, chainId, block, now()),
    log,
  });
  return {
    rail: createEvmRail({ chains, assets, now, lookUp }),
    probes: followed.map(({ health }) => health),
    loops: followed.map(({ chain, everyMs, round }) => ({ name: `chain ${chain.id}`, everyMs, work: round })),
    async disconnect() {
      await Promise.all(followed.map((each) => each.disconnect()));
    },
    async release() {
      await Promise.all(followed.map((each) => each.release()));
    },
  };
}
