import type { Logger } from 'pino';
import type { Database } from '../kit/db/db.ts';
import type { Assets } from '../money/assets.ts';
import { withWaits } from '../payments/settlement/await-rails.ts';
import { readAddress } from '../rails/evm/addresses/forwarders.ts';
import type { ChainConfig } from '../rails/evm/config/chains.ts';
import { openChain } from '../rails/evm/open-chain.ts';
import { payoutFaults } from '../rails/evm/payouts/sender-state.ts';
import { holdsCode, type IsContract } from '../rails/evm/rpc/holds-code.ts';
import { createAgreement } from '../rails/evm/scan/blocks/agreement.ts';
import { planMissed } from '../rails/evm/scan/blocks/recheck-plan.ts';
import { type ChainWithEndpoints, createLookUp } from '../rails/evm/scan/look-up.ts';
import { type SignedByContract, signedByContract } from '../rails/evm/signatures/signed-by-contract.ts';
import { createSweeper } from '../rails/evm/sweep/sweeper.ts';
import { openEvmSending } from './evm-sending.ts';
import { createHandPaying } from './hand-paying.ts';
import type { Network } from './network.ts';
import { createOwnTransfers } from './own-transfers.ts';
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
export type Chains = Network & {
  /** The chains and their endpoints, for other code that asks them. */
  all: readonly ChainWithEndpoints[];
  isContract: IsContract;
  signedByContract: SignedByContract;
};

/** How often blocks that must be read a second time are looked for; each look reads one range of them. */
const secondReadingMs = 2_000;
/** The longest time between two looks at what a sweeper sent. */
const slowestSweepMs = 10_000;

/** Follows the configured chains, and reports what their scans see to payments. */
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
  const sendings = new Map(
    opened.flatMap(({ chain, endpoints }) => {
      const sending = openEvmSending({ db, chain, endpoints, take, sends: deps.sends, now, log });
      return sending ? [[chain.id, sending] as const] : [];
    }),
  );
  const lookUp = createLookUp({
    db,
    chains: opened,
    recheck: (chainId, shown) => planMissed(db, chainId, shown, now()),
    now,
    log,
  });
  const agreements = new Map(
    opened.map(({ chain, endpoints }) => [chain.id, createAgreement(endpoints, now, log)]),
  );
  const chainOf = (asset: string) =>
    opened.find(({ chain }) => chain.tokens.some((token) => token.asset === asset));
  return {
    lookUp,
    all: opened,
    async isContract(asset, written) {
      const found = chainOf(asset);
      const address = readAddress(written);
      return found && address ? await holdsCode(found.endpoints, address) : null;
    },
    async signedByContract(asset, written, message, signature) {
      const chainId = chainOf(asset)?.chain.id;
      const agreement = chainId === undefined ? undefined : agreements.get(chainId);
      const address = readAddress(written);
      if (chainId === undefined || !agreement || !address) return null;
      return await signedByContract({ db, agreement, log }, { chainId, address, message, signature });
    },
    probes: opened.map(({ chain, health }) =>
      withWaits(db, now, async () => {
        const found = await health();
        return chain.vault
          ? { ...found, faults: [...found.faults, ...(await payoutFaults(db, chain.id))] }
          : found;
      }),
    ),
    loops: opened.flatMap(({ chain, endpoints, everyMs, round, readAgain }) => {
      const agreement = createAgreement(endpoints, now, log);
      const scans = [
        createOwnTransfers({ ...deps, chain, agreement }),
        { name: `chain ${chain.id}`, everyMs, work: round },
        // A loop of its own, so that the scan does not wait for it.
        { name: `chain ${chain.id} again`, everyMs: secondReadingMs, work: readAgain },
      ];
      const sending = sendings.get(chain.id);
      const hand =
        chain.receiving.kind === 'forwarder' ? [createHandPaying({ db, chain, take, now, log })] : [];
      const sends = [...(sending ? [sending.loop] : []), ...hand];
      const keyFile = chain.sweep.gasKeyFile;
      if (keyFile === null) return [...scans, ...sends];
      const { tick } = createSweeper({ db, chain, endpoints, usdOf, now, log, keyFile });
      const sweepMs = Math.min(slowestSweepMs, chain.sweep.everySeconds * 1000);
      return [...scans, ...sends, { name: `sweeps ${chain.id}`, everyMs: sweepMs, work: tick }];
    }),
    async disconnect() {
      await Promise.all([...opened, ...sendings.values()].map((each) => each.disconnect()));
    },
    async release() {
      await Promise.all(opened.map((each) => each.release()));
    },
  };
}
