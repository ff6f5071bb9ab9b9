import type { Journal, Order } from '../parties/journal.ts';
import type { Owner } from '../parties/owner.ts';
import type { Hex, World } from '../world/world.ts';
import type { ChainReader } from './chain.ts';
import { depositOf, type OwnAddress, type Split, splitOf } from './own-address.ts';
import type { DirectRead } from './reading.ts';
import { feeBasisPoints, unsureMs } from './standing.ts';

type DirectDeps = {
  world: World;
  journal: Journal;
  chain: ChainReader;
  owner: Owner;
  sinceBlock: number;
};

/** The split of an address of the merchant's own with the host of a world. */
export const splitIn =
  ({ host }: { host: Split['host'] }) =>
  (merchant: Split['merchant']): Split =>
    splitOf(merchant, host, feeBasisPoints);

/** Reads what is known of direct settlements. `own`: all addresses of the merchant's own that there were, oldest first. */
export async function readDirect(deps: DirectDeps, own: readonly OwnAddress[]): Promise<DirectRead> {
  const { world, chain, sinceBlock, owner } = deps;
  const { deposits, strange } = depositsOf(deps, own);
  const { host } = world.chain;
  const splits = own.map(({ address }) => splitIn(world.chain)(address));
  const sides = [host, ...own.map(({ address }) => address)];
  const places = [...deposits.keys(), ...splits.map(({ splitter }) => splitter), ...sides];
  const moves = await chain.movesOf(sinceBlock, places);
  const held = await Promise.all(
    Object.keys(world.chain.tokens).map(async (asset) => [asset, await chain.held(asset, sides)] as const),
  );
  const onTheWay = await owner.onTheWay();
  return { deposits, splits, strange, moves, held: new Map(held), onTheWay };
}

/** The deposit addresses that were shown, by what their merchant knows, and those that do not follow from it. */
function depositsOf(
  { world, journal }: Pick<DirectDeps, 'world' | 'journal'>,
  own: readonly OwnAddress[],
): Pick<DirectRead, 'deposits' | 'strange'> {
  const deposits: DirectRead['deposits'] = new Map();
  const strange: DirectRead['strange'] = [];
  for (const order of journal.orders) {
    const { ownAsset, places, id, reference } = order;
    const address = places.get(ownAsset ?? '')?.address.toLowerCase();
    if (id === null || address === undefined) continue;
    const split = splitsFor(order, own, splitIn(world.chain)).find(
      ({ splitter }) => depositOf(splitter, id) === address,
    );
    if (split) deposits.set(address, split);
    else strange.push({ reference, address });
  }
  return { deposits, strange };
}

/** The splits that an order may have: of the addresses that held between its creation and when it was shown last. */
export function splitsFor(
  { askedMs, shownMs }: Order,
  own: readonly OwnAddress[],
  split: (merchant: Hex) => Split,
): Split[] {
  const held = own.filter(({ fromMs }, at) => {
    const untilMs = own[at + 1]?.fromMs ?? Infinity;
    return fromMs <= shownMs + unsureMs && askedMs - unsureMs < untilMs;
  });
  return held.map(({ address }) => split(address));
}
