import type { Logger } from 'pino';
import type { Console } from '../identity/console/console.ts';
import type { Database } from '../kit/db/db.ts';
import type { Slice } from '../kit/slice.ts';
import type { StateDeps } from '../payments/payment/state.ts';
import type { ChainConfig } from '../rails/evm/config/chains.ts';
import type { IsContract } from '../rails/evm/rpc/holds-code.ts';
import type { ChainWithEndpoints } from '../rails/evm/scan/look-up.ts';
import type { SignedByContract } from '../rails/evm/signatures/signed-by-contract.ts';
import { sweepConsoleRoutes } from '../rails/evm/sweep/console-routes.ts';
import { createSweepMetrics } from '../rails/evm/sweep/metrics.ts';
import { joinLookUps } from '../rails/join.ts';
import type { LookUpTransaction } from '../rails/look-up.ts';
import type { PiConfig, PiNetworks } from '../rails/pi/horizon/network.ts';
import type { PiBrowsers } from '../rails/pi/platform/browser.ts';
import { simulatedHealth } from '../rails/simulated/rail.ts';
import { noChains } from './no-chains.ts';
import { otherCoinRoutes } from './other-coins.ts';
import { createRailMetrics, createTransferCounter } from './rail-metrics.ts';
import { railConsoleRoutes } from './rail-routes.ts';
import type { Sends, TakeDeps } from './take-reports.ts';

export type NetworkDeps = StateDeps &
  PiNetworks & {
    db: Database;
    sends: Sends;
    bookArrival: TakeDeps['bookArrival'];
    chains: readonly ChainConfig[];
    /** USD for one of an asset, as a decimal; null: not known. */
    usdOf: (asset: string) => string | null;
    log: Logger;
  };

export type Networks = Slice<Console> & {
  lookUp: LookUpTransaction;
  /** The chains and their endpoints. */
  chains: readonly ChainWithEndpoints[];
  isContract: IsContract;
  signedByContract: SignedByContract;
  /** By mode; null: no payments inside the Pi Browser. */
  piBrowsers: PiBrowsers;
};

/** Follows the configured chains and Pi networks, and reports what arrives there to payments. */
export async function createNetworks(deps: NetworkDeps): Promise<Networks> {
  const { db } = deps;
  const transfers = createTransferCounter();
  const opened = { ...deps, count: transfers.count };
  // The code of a network is loaded only where that is configured, to save memory.
  const chains =
    deps.chains.length > 0 ? (await import('./chains.ts')).createChains(opened) : noChains(opened);
  const openPi = async (pi: PiConfig | null) => pi && (await import('./pi.ts')).createPi({ ...opened, pi });
  const { pi, testPi = null } = deps;
  const [live, test] = [await openPi(pi), await openPi(testPi)];
  const all = [chains, live, test].filter((each) => each !== null);
  const probes = all.flatMap((each) => each.probes);
  return {
    chains: chains.all,
    lookUp: joinLookUps(all.map((each) => each.lookUp)),
    isContract: chains.isContract,
    signedByContract: chains.signedByContract,
    piBrowsers: { live: live?.browser ?? null, test: test?.browser ?? null },
    routes: {
      dashboard(dashboard) {
        railConsoleRoutes(dashboard, [...probes, () => simulatedHealth(db, deps.now())]);
        sweepConsoleRoutes(dashboard, deps);
        otherCoinRoutes(dashboard, deps);
      },
    },
    loops: all.flatMap((each) => each.loops).map((loop) => ({ ...loop, isOptional: true })),
    metrics(registry) {
      createRailMetrics(registry, probes);
      transfers.register(registry);
      createSweepMetrics(registry, db);
    },
    async disconnect() {
      await Promise.all(all.map((each) => each.disconnect()));
    },
    async close() {
      await Promise.all(all.map((each) => each.release().catch(() => {})));
    },
  };
}
