import type { Clock } from '../../kit/clock.ts';
import type { Reader } from '../../kit/db/db.ts';
import type { Assets } from '../../money/assets.ts';
import type { AssetCode } from '../../money/money.ts';
import type { DirectSettlement, TokenPlace } from '../direct.ts';
import type { Destination, Offer, Rail } from '../rail.ts';
import {
  makeAddresses,
  paymentOfAddress,
  type ShownChain,
  shownAddresses,
  shownChains,
} from './addresses/addresses.ts';
import { derivationsOf } from './addresses/derivations.ts';
import { isSplitOn, keepDirectPlaces } from './addresses/direct-places.ts';
import { checksummed } from './addresses/forwarders.ts';
import { receivedWays } from './addresses/receiving.ts';
import { makeReusable } from './addresses/reusable.ts';
import { type ChainConfig, railOf } from './config/chains.ts';
import { evmReadThrough, newestBlock } from './read-through.ts';
import { readTransaction } from './scan/look-up.ts';

export type EvmDeps = {
  chains: readonly ChainConfig[];
  assets: Assets;
  now: Clock;
  /** Absent: all money is received by the gateway. */
  direct?: DirectSettlement;
};

const noDirect: DirectSettlement = { isRequired: false, ownAddressesOf: async () => new Map() };

/** The rail of all EVM chains of the installation. */
export function createEvmRail({ chains, assets, now, direct = noDirect }: EvmDeps): Rail {
  const byId = new Map(chains.map((chain) => [chain.id, chain]));
  const live = chains.filter(({ isTest }) => !isTest);
  const test = chains.filter(({ isTest }) => isTest);
  const currencies = new Set<string>(
    live.flatMap(({ tokens }) => tokens.map(({ asset }) => assets.get(asset).currency)),
  );

  const offersOn = (shown: ShownChain): Offer[] => {
    const chain = byId.get(shown.chainId);
    return chain ? offersOf(chain, shown, assets) : [];
  };

  async function destinations(reader: Reader, ownerId: string): Promise<Destination[]> {
    const shown = await shownAddresses(reader, ownerId, now());
    return shown.flatMap(({ address, isDirect, ...chain }) =>
      offersOn(chain).map((offer) => ({
        ...offer,
        ...(isDirect ? { isDirect } : {}),
        ...{ address: checksummed(address), memo: null },
      })),
    );
  }

  return {
    async open(tx, payments) {
      const ours = payments.filter(({ currency }) => currencies.has(currency));
      for (const { ids, ways } of await receivedWays(tx, { assets, direct }, live, ours)) {
        await keepDirectPlaces(tx, ways.splits, now());
        await makeAddresses(tx, ways.chains, ids, now());
      }
    },
    destinations,
    async offers(reader, { id, mode }) {
      const on = mode === 'live' ? live : test;
      const all = on.length === 0 ? [] : (await shownChains(reader, on, now())).flatMap(offersOn);
      if (mode === 'test' || !direct.isRequired) return all;
      const own = (await direct.ownAddressesOf(reader, [id])).get(id) ?? null;
      return all.filter(({ asset, evm }) => isSplitOn(byId.get(evm?.chainId ?? 0), asset, own));
    },
    async openFor(tx, owner, asset) {
      const one = { id: owner.id, currency: assets.get(asset).currency };
      const own = owner.kind === 'payment' ? await receivedWays(tx, { assets, direct }, chains, [one]) : [];
      const ways = own[0]?.ways ?? { chains, splits: [] };
      const chain = ways.chains.find(({ tokens }) => tokens.some((token) => token.asset === asset));
      if (!chain) return false;
      await keepDirectPlaces(tx, ways.splits, now());
      await makeReusable(tx, { chain, chains: ways.chains }, owner, now());
      return true;
    },
    reusable: (reader, { id }) => destinations(reader, id),
    async readThrough(reader, paymentId, rails) {
      const ids = chains.map(({ id }) => id).filter((id) => rails.includes(railOf(id)));
      if (ids.length === 0) return new Map();
      const found = await evmReadThrough(reader, paymentId, ids);
      return new Map([...found].map(([id, through]) => [railOf(id), through]));
    },
    derivations: (reader, { id, currency }) => derivationsOf(reader, { id, currency }, { chains, assets }),
    tokenPlace: (reader, asset) => tokenPlace(reader, chains, asset),
    readTransaction,
    paymentOfAddress,
  };
}

function offersOf(
  chain: ChainConfig,
  { assets: verified, isUnreadable }: ShownChain,
  assets: Assets,
): Offer[] {
  return chain.tokens
    .filter(({ asset }) => verified.includes(asset))
    .map(({ asset, address: token, scale }) => ({
      rail: railOf(chain.id),
      asset,
      network: assets.get(asset).network,
      ...(isUnreadable ? { isUnreadable } : {}),
      ...(chain.isTest ? { isTest: true } : {}),
      evm: {
        chainId: chain.id,
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

async function tokenPlace(
  reader: Reader,
  chains: readonly ChainConfig[],
  asset: AssetCode,
): Promise<TokenPlace | null> {
  for (const { id: chainId, tokens } of chains) {
    const token = tokens.find((each) => each.asset === asset)?.address;
    const after = token && (await newestBlock(reader, chainId));
    if (token && after) return { chainId, token, after };
  }
  return null;
}
