import type { Logger } from 'pino';
import type { Clock } from '../../../kit/clock.ts';
import type { Database } from '../../../kit/db/db.ts';
import type { Horizon } from '../horizon/horizon.ts';
import type { Account } from './account.ts';
import {
  type Balance,
  type Books,
  lastTokenOf,
  noteAgreement,
  noteDifference,
  readBooks,
} from './balance.ts';

/** A balance, the Horizon that reported it, and the reader's position at that moment. */
export type BalanceReading = {
  balance: Balance;
  horizon: Horizon;
  cursor: bigint;
  /** The ledger up to which the Horizon says that it has shown everything. */
  readTo: bigint;
  /** When that ledger closed, or the time at which it was asked for, whichever is earlier: its clock may be ahead. */
  through: Date;
};

export type ComparisonDeps = { db: Database; now: Clock; log: Logger };

/** A difference is an alarm when this many comparisons have shown it: parts of one Horizon may be behind others. */
export const alarmingComparisons = 2;

/**
 * Compares the account's balance with what the records say of it, and notes the result: a ledger up to which both agree,
 * or a difference, because of which the ledgers since the last agreement are read again. Throws LeaseLost.
 */
export async function compareBalance(
  { db, now, log }: ComparisonDeps,
  { passphrase, account }: Account,
  { balance, horizon, cursor, readTo, through }: BalanceReading,
): Promise<void> {
  const compared = { passphrase, account, cursor };
  const books = await readBooks(db, compared);
  if (books?.cursor !== cursor) return;
  const difference = differenceOf(balance, readTo, books);
  if (difference === null) return;
  if (difference !== 0n) {
    const readBack = readBackFrom(books, difference, now());
    await noteDifference(db, compared, { difference, readBack, through });
    if (books.comparisons + 1 !== alarmingComparisons) return;
    const fields = { account, difference: `${difference}`, endpoint: horizon.name };
    log.error(fields, "the Pi account's balance is not what was read of its movements; they are read again");
    return;
  }
  await noteAgreement(db, compared, balance, through);
  if (books.comparisons >= alarmingComparisons) log.info({ account }, 'the Pi account is in balance again');
}

/** By how much a balance is above what the records say; null where they may be of different times. */
function differenceOf({ units, ledger }: Balance, readTo: bigint, { since, expected }: Books): bigint | null {
  if (ledger > readTo || ledger < since) return null;
  // An installation of an older version has no balance to compare with: it begins with this one.
  return expected === null ? 0n : units - expected;
}

/** Where a second reading begins; null: one is under way, or was made recently for the same difference. */
function readBackFrom(books: Books, difference: bigint, now: Date): { from: bigint; tries: number } | null {
  const from = lastTokenOf(books.agreedLedger ?? 0n);
  if (books.isReadingBack) return null;
  if (books.difference !== difference) return { from, tries: 0 };
  return books.triesAfter === null || books.triesAfter <= now ? { from, tries: books.tries } : null;
}
