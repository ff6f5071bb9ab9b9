import type { Hex } from '../../config/chains.ts';

/** A treasury or vault. Its transfers of the token are read from the block after `since` on. */
export type PlaceWatch = { address: Hex; place: 'treasury' | 'vault'; token: Hex; since: bigint };

/** The treasuries and vaults that were ever configured. Only the transfers that `watches` names are read. */
export type Places = {
  configured: readonly ConfiguredPlace[];
  watches: readonly PlaceWatch[];
  /** The addresses of direct settlement. */
  direct: ReadonlySet<Hex>;
};

/** A place as it is configured, or was. */
type ConfiguredPlace = Pick<PlaceWatch, 'address' | 'place'>;

/** As the row of a chain keeps it. */
export type StoredPlaceWatch = Omit<PlaceWatch, 'since'> & { since: number };

/** A row of a chain's column, as it is used. */
export function placeWatchOf({ since, ...watch }: StoredPlaceWatch): PlaceWatch {
  return { ...watch, since: BigInt(since) };
}

/** All addresses whose transfers are read besides those of payments and other owners. */
export const placesIn = ({ configured, direct }: Places): Set<Hex> =>
  new Set([...configured.map(({ address }) => address), ...direct]);

/** Returns what an address is for the transfers of a token in a block; null: no place that was read by then. */
export function placeFinder({ watches, direct }: Places) {
  const known = new Map(watches.map((watch) => [`${watch.address} ${watch.token}`, watch]));
  return (address: Hex, token: Hex, block: bigint): PlaceWatch['place'] | 'direct' | null => {
    // Before its first payment is shown nothing comes there.
    if (direct.has(address)) return 'direct';
    const watch = known.get(`${address} ${token}`);
    return watch && block > watch.since ? watch.place : null;
  };
}
