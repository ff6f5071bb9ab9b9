import type { Database, Reader } from '../../../../kit/db/db.ts';
import { smallNumber } from '../../../../money/small-number.ts';
import type { ChainConfig } from '../../config/chains.ts';
import { type Held, writeHeld } from './held-chain.ts';
import { type Places, type PlaceWatch, placeWatchOf, type StoredPlaceWatch } from './place-watch.ts';

/** The treasuries and vaults of a chain, and from where on each is read. */
export async function placesOf(reader: Reader, chainId: number): Promise<PlaceWatch[]> {
  const { rows } = await reader.query<{ places: StoredPlaceWatch[] }>(
    'SELECT places FROM evm_chains WHERE chain_id = $1',
    [chainId],
  );
  return (rows[0]?.places ?? []).map(placeWatchOf);
}

/**
 * Begins to read places that are new, or whose token is, from the block after `since` on. An address keeps the place
 * that it is first, so that what it holds stays in one account.
 */
export async function watchNewPlaces(
  db: Database,
  held: Pick<Held, 'chainId' | 'lease' | 'places'>,
  { tokens }: Pick<ChainConfig, 'tokens'>,
  since: bigint,
): Promise<Places> {
  const { configured, watches, direct } = held.places;
  const known = new Set(watches.map(({ address, token }) => `${address} ${token}`));
  const begun: PlaceWatch[] = [];
  for (const { address, place } of configured) {
    for (const { address: token } of tokens) {
      const key = `${address} ${token}`;
      if (known.has(key)) continue;
      known.add(key);
      begun.push({ address, place, token, since });
    }
  }
  if (begun.length === 0) return held.places;
  const stored = begun.map((watch): StoredPlaceWatch => ({ ...watch, since: smallNumber(since) }));
  await writeHeld(db, held, (tx) =>
    tx.query('UPDATE evm_chains SET places = places || $2::jsonb WHERE chain_id = $1', [
      held.chainId,
      JSON.stringify(stored),
    ]),
  );
  return { configured, watches: [...watches, ...begun], direct };
}
