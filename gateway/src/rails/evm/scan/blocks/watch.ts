import { after } from '../../../../kit/clock.ts';
import type { Reader } from '../../../../kit/db/db.ts';
import type { ChainConfig, Hex } from '../../config/chains.ts';
import type { Watched } from './logs.ts';
import type { OurTransfer } from './match.ts';
import { type Places, placesIn } from './place-watch.ts';
import type { Search } from './window.ts';

/** Transfers to an older address of a payment are found by the second reading. */
const watchedDays = 90;
/** With more addresses it is cheaper to read all transfers of the listed tokens. */
const watchedAtMost = 4_000;
const rememberSeconds = 600;

/**
 * Returns the function that chooses the addresses whose transfers are asked for. It must be called after the head was
 * learned: then it includes every address that was shown to a customer before the last block was made.
 */
export function createWatch(
  reader: Reader,
  { isTest = false }: Pick<ChainConfig, 'isTest'>,
): (places: Places, now: Date) => Promise<Watched> {
  // Remembered for a while: counting many addresses costs as much as reading them.
  let manyUntil: Date | null = null;
  return async (watchedPlaces, now) => {
    if (manyUntil && now < manyUntil) return 'all';
    const { rows } = await reader.query<{ address: Hex }>(
      `SELECT address FROM evm_addresses WHERE owner_kind <> 'payment' AND is_test = $3
       UNION ALL
       (SELECT address FROM evm_addresses WHERE owner_kind = 'payment' AND created_at > $1 AND is_test = $3 LIMIT $2)
       LIMIT $2`,
      [after(now, -watchedDays * 86_400), watchedAtMost + 1, isTest],
    );
    manyUntil = rows.length > watchedAtMost ? after(now, rememberSeconds) : null;
    if (manyUntil) return 'all';
    const places = [...placesIn(watchedPlaces)];
    return { receivers: [...places, ...rows.map(({ address }) => address)], senders: places };
  };
}

/** Returns whether a transfer was asked for when its block was read, judged by the age of its address. */
export async function watchedAmong(
  reader: Reader,
  transfers: readonly OurTransfer[],
  now: Date,
): Promise<(transfer: OurTransfer) => boolean> {
  if (transfers.length === 0) return () => false;
  const { rows } = await reader.query<{ address: Hex }>(
    "SELECT address FROM evm_addresses WHERE address = ANY ($1) AND (owner_kind <> 'payment' OR created_at > $2)",
    [transfers.map(({ address }) => address), after(now, -watchedDays * 86_400)],
  );
  const young = new Set(rows.map(({ address }) => address));
  // Sweeps and moves are found by the treasury or vault.
  return ({ kind, address }) => kind !== 'deposit' || young.has(address);
}

/** The same search with the receivers of these transfers: what was found once must be found again. */
export function watchAlso(search: Search, transfers: readonly OurTransfer[]): Search {
  if (search.watched === 'all' || transfers.length === 0) return search;
  const receivers = new Set(search.watched.receivers);
  for (const { kind, address } of transfers) if (kind === 'deposit') receivers.add(address);
  return { ...search, watched: { ...search.watched, receivers: [...receivers] } };
}
