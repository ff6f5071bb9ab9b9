import type { Clock } from '../../kit/clock.ts';
import type { Assets } from '../../money/assets.ts';
import type { Destination, Rail } from '../rail.ts';
import {
  makeAddresses,
  ownersOpened,
  paymentOfAddress,
  type ShownAddress,
  shownAddresses,
  shownChains,
} from './addresses/addresses.ts';
import { checksummed } from './addresses/forwarders.ts';
import { makeReusable } from './addresses/reusable.ts';
import { type ChainConfig, railOf } from './config/chains.ts';
import { evmReadThrough } from './read-through.ts';
import { readTransaction } from './scan/look-up.ts';

export type EvmDeps = {
  chains: readonly ChainConfig[];
  assets: Assets;
  now: Clock;
};

/** The rail of all EVM chains of the installation. */
export function createEvmRail({ chains, assets, now }: EvmDeps): Rail {
  const byId = new Map(chains.map((chain) => [chain.id, chain]));
  const currencies = new Set<string>(
    chains.flatMap(({ tokens }) => tokens.map(({ asset }) => assets.get(asset).currency)),
  );

  function destinationsOn({ address, chainId, assets: verified, isUnreadable }: ShownAddress): Destination[] {
    const chain = byId.get(chainId);
    if (!chain) return [];
    return chain.tokens
      .filter(({ asset }) => verified.includes(asset))
      .map(({ asset, address: token, scale }) => ({
        rail: railOf(chainId),
        asset,
        network: assets.get(asset).network,
        address: checksummed(address),
        memo: null,
        ...(isUnreadable ? { isUnreadable } : {}),
        evm: {
          chainId,
          chainName: chain.name,
          token: checksummed(token),
          scale,
          nativeSymbol: chain.nativeSymbol,
          confirmations: chain.confirmations,
          blockSeconds: chain.blockSeconds,
          publicRpcUrl: chain.publicRpcUrl,
          explorer: chain.explorer,
          ...(chain.faucet ? { faucet: true } : {}),
        },
      }));
  }

  return {
    async open(tx, payments) {
      const own = payments.filter(({ currency }) => currencies.has(currency));
      const opened = await ownersOpened(
        tx,
        own.filter(({ isLater }) => isLater).map(({ id }) => id),
      );
      const ids = own.map(({ id }) => id).filter((id) => !opened.has(id));
      if (ids.length > 0) await makeAddresses(tx, chains, ids, now());
    },
    payable: async (reader) =>
      (await shownChains(reader, now())).flatMap(({ chainId, assets: verified, isUnreadable }) =>
        (byId.has(chainId) ? verified : []).flatMap((asset) => {
          const network = assets.find(asset)?.network;
          return network === undefined ? [] : [{ asset, network, ...(isUnreadable ? { isUnreadable } : {}) }];
        }),
      ),
    destinations: async (reader, paymentId) =>
      (await shownAddresses(reader, paymentId, now())).flatMap((shown) => destinationsOn(shown)),
    async openReusable(tx, owner, asset) {
      const chain = chains.find(({ tokens }) => tokens.some((token) => token.asset === asset));
      if (chain) await makeReusable(tx, { chain, chains }, owner, now());
      return chain !== undefined;
    },
    reusable: async (reader, { id }) =>
      (await shownAddresses(reader, id, now())).flatMap((shown) => destinationsOn(shown)),
    async readThrough(reader, paymentId, rails) {
      const ids = chains.map(({ id }) => id).filter((id) => rails.includes(railOf(id)));
      if (ids.length === 0) return new Map();
      const found = await evmReadThrough(reader, paymentId, ids);
      return new Map([...found].map(([id, through]) => [railOf(id), through]));
    },
    readTransaction,
    paymentOfAddress,
  };
}
