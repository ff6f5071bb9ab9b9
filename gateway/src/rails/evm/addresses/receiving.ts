import type { Reader } from '../../../kit/db/db.ts';
import type { Assets } from '../../../money/assets.ts';
import type { DirectSettlement, OwnAddresses } from '../../direct.ts';
import type { ChainConfig } from '../config/chains.ts';
import { type OwnSplit, splitOn } from './direct-places.ts';
import { splitterAddress } from './splitters.ts';

export type ReceivingDeps = { assets: Assets; direct: DirectSettlement };

/** The chains as they receive, and the splits that stand for treasuries there. */
type Ways = { chains: readonly ChainConfig[]; splits: readonly OwnSplit[] };

/** How payments are received, those that are received alike together: by treasuries, or to their merchants' own addresses. */
export async function receivedWays(
  reader: Reader,
  deps: ReceivingDeps,
  chains: readonly ChainConfig[],
  payments: readonly { id: string; currency: string }[],
): Promise<{ ids: string[]; ways: Ways }[]> {
  if (payments.length === 0) return [];
  const owns = await deps.direct.ownAddressesOf(
    reader,
    payments.map(({ id }) => id),
  );
  const alike = Map.groupBy(payments, ({ id, currency }) => JSON.stringify([currency, owns.get(id)]));
  return [...alike.values()].map((group) => {
    const [{ id, currency }] = group as [(typeof group)[0]];
    const ways = waysOf(chains, { currency, own: owns.get(id) ?? null }, deps);
    return { ids: group.map((each) => each.id), ways };
  });
}

/**
 * The chains as payments of a currency are received on them: where its asset has an address of the merchant's own, by the
 * splitter in place of the treasury.
 */
function waysOf(
  chains: readonly ChainConfig[],
  { currency, own }: { currency: string; own: OwnAddresses | null },
  { assets, direct: { isRequired } }: ReceivingDeps,
): Ways {
  const splits: OwnSplit[] = [];
  const received = chains.flatMap((chain): ChainConfig[] => {
    const token = chain.tokens.find(({ asset }) => assets.get(asset).currency === currency);
    const split = token ? splitOn(chain, token.asset, own) : null;
    if (!split) return isRequired && token ? [] : [chain];
    splits.push(split);
    return [{ ...chain, receiving: { kind: 'forwarder', treasury: splitterAddress(split) } }];
  });
  return { chains: received, splits };
}
