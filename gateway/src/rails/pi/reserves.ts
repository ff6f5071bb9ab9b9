import type { Reader } from '../../kit/db/db.ts';
import type { PiConfig } from './horizon/network.ts';
import { readBooks } from './read/balance.ts';

/** What is known of the custody account; amounts are units of PI. */
export type PiSnapshot = {
  /** The ledger at which the account's balance was last compared with its records. */
  ledger: bigint;
  /** What the network showed, with what its records moved since then. */
  held: bigint;
  /** What it held before its records begin. */
  opening: bigint;
  /** What is on the account and not in the ledger yet, or waits for the Pi platform. */
  unbooked: bigint;
};

/** Reads the account's money in the caller's snapshot of the database; null before the balance was first compared. */
export async function snapshotPi(
  reader: Reader,
  { passphrase, account }: Pick<PiConfig, 'passphrase' | 'account'>,
): Promise<PiSnapshot | null> {
  const books = await readBooks(reader, { passphrase, account });
  if (!books || books.expected === null || books.agreedLedger === null) return null;
  const { rows } = await reader.query<{ moved: bigint; unbooked: bigint }>(
    `SELECT coalesce(sum(CASE direction WHEN 'in' THEN units ELSE -units END - fee)
         FILTER (WHERE state <> 'gone'), 0) AS moved,
       coalesce(sum(CASE direction WHEN 'in' THEN units ELSE -units - fee END)
         FILTER (WHERE state <> 'gone' AND coalesce(reported_state, 'held') IN ('held', 'gone')), 0)
         - coalesce(sum(units) FILTER (WHERE state = 'gone' AND reported_state <> 'gone'), 0) AS unbooked
     FROM pi_records WHERE account = $1`,
    [account],
  );
  const { moved = 0n, unbooked = 0n } = rows[0] ?? {};
  return {
    ledger: books.agreedLedger,
    held: books.expected + (books.difference ?? 0n),
    opening: books.expected - moved,
    unbooked,
  };
}
