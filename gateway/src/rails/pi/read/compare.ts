import type { Logger } from 'pino';
import type { Clock } from '../../../kit/clock.ts';
import type { Database } from '../../../kit/db/db.ts';
import type { Horizon } from '../horizon/horizon.ts';
import type { Account } from './account.ts';
import { type Balance, type Books, endOf, noteAgreement, noteDifference, readBooks } from './balance.ts';

/** A balance, the Horizon that reported it, and the reader's position at that moment. */
export type Look = {
  balance: Balance;
  horizon: Horizon;
  cursor: bigint;
  /** The ledger up to which the Horizon has shown everything, as it says. */
  readTo: bigint;
  /** When that ledger closed, or an earlier one; or the clock before it was asked for, which a ledger's may be ahead of. */
  through: Date;
};

export type ComparisonDeps = { db: Database; now: Clock; log: Logger };

/** A balance that differs at one look alone is that of a Horizon whose parts are not equally far. */
export const alarmingLooks = 2;

/**
 * Compares the account's balance with what the records say of it, and notes what comes of that: a ledger up to which
 * both agree, or a difference, on account of which the ledgers since then are read again. Throws LeaseLost.
 */
export async function compareBalance(
  { db, now, log }: ComparisonDeps,
  { passphrase, account }: Account,
  { balance, horizon, cursor, readTo, through }: Look,
): Promise<void> {
  const compared = { passphrase, account, cursor };
  const books = await readBooks(db, compared);
  if (books?.cursor !== cursor) return;
  const difference = differenceOf(balance, readTo, books);
  if (difference === null) return;
  if (difference !== 0n) {
    await noteDifference(db, compared, difference, againFrom(books, difference, now()), through);
    if (books.looks + 1 !== alarmingLooks) return;
    const fields = { account, difference: `${difference}`, endpoint: horizon.name };
    log.error(fields, "the Pi account's balance is not what was read of its movements; they are read again");
    return;
  }
  await noteAgreement(db, compared, balance, through);
  if (books.looks >= alarmingLooks) log.info({ account }, 'the Pi account is in balance again');
}

/** By how much a balance is above what the records say; null where it may be that of another moment. */
function differenceOf({ units, ledger }: Balance, readTo: bigint, { since, expected }: Books): bigint | null {
  if (ledger > readTo || ledger < since) return null;
  // The first balance that an older installation sees is the one that it begins with.
  return expected === null ? 0n : units - expected;
}

/**
 * From where the ledgers are read again; null: that is under way, or was done not long ago for the same difference.
 */
function againFrom(books: Books, difference: bigint, now: Date): { from: bigint; tries: number } | null {
  const from = endOf(books.agreedLedger ?? 0n);
  if (books.isReadingBack) return null;
  if (books.difference !== difference) return { from, tries: 0 };
  return books.triesAfter === null || books.triesAfter <= now ? { from, tries: books.tries } : null;
}
