import type { Logger } from 'pino';
import type { Clock } from '../../../kit/clock.ts';
import type { Database } from '../../../kit/db.ts';
import { standingAt } from '../answers.ts';
import { type Horizon, HorizonFault } from '../horizon.ts';
import type { Horizons } from '../horizons.ts';
import type { Account } from './account.ts';
import {
  type Balance,
  type Books,
  endOf,
  noteAgreement,
  noteDifference,
  readBalance,
  readBooks,
} from './balance.ts';

/** A balance, who told it, and where reading stands at that moment. */
export type Look = {
  balance: Balance;
  horizon: Horizon;
  cursor: bigint;
  /** The ledger up to which the Horizon has shown everything, as it says. */
  readTo: bigint;
};

export type ComparisonDeps = { db: Database; horizons: Horizons; now: Clock; log: Logger };

/** A balance that differs at one look alone is that of a Horizon whose parts are not equally far. */
export const alarmingLooks = 2;

/**
 * Holds the account's balance against what the records say of it, and notes what comes of that: a place up to which
 * both agree, or a difference, on account of which the ledgers since that place are read again.
 */
export function createComparison({ db, horizons, now, log }: ComparisonDeps) {
  /** Whether another Horizon knows a balance that is as new, and agrees. */
  async function isDoubted(look: Look, books: Books, { passphrase, account }: Account): Promise<boolean> {
    if (horizons.size === 1) return false;
    const ask = async (asked: Horizon) => {
      const { ledger: head } = await standingAt(asked, passphrase);
      const balance = await readBalance(asked, account, head);
      return (
        balance !== null && balance.ledger >= look.balance.ledger && differenceOf({ ...look, balance }, books)
      );
    };
    try {
      const { value, horizon } = await horizons.use(ask, 1);
      return value === 0n && horizon.name !== look.horizon.name;
    } catch (error) {
      if (error instanceof HorizonFault) return false;
      throw error;
    }
  }

  return async (account: Account, look: Look): Promise<void> => {
    const books = await readBooks(db, account);
    if (books?.cursor !== look.cursor) return;
    const compared = { ...account, cursor: look.cursor };
    const difference = differenceOf(look, books);
    if (difference === null) return;
    if (difference === 0n) {
      if (books.difference === null && books.agreedLedger === look.balance.ledger) return;
      await noteAgreement(db, compared, look.balance);
      if (books.looks >= alarmingLooks)
        log.info({ account: account.account }, 'the Pi account is in balance again');
      return;
    }
    if (await isDoubted(look, books, account)) {
      horizons.suspect(look.horizon, 'it tells a balance that neither the records nor another Horizon have');
      return;
    }
    await noteDifference(db, compared, difference, againFrom(books, difference, now()));
    if (books.looks + 1 === alarmingLooks) {
      const fields = { account: account.account, difference: `${difference}`, endpoint: look.horizon.name };
      log.error(
        fields,
        "the Pi account's balance is not what was read of its movements; they are read again",
      );
    }
  };
}

/** By how much a balance is above what the records say; null where it may be that of another moment. */
function differenceOf({ balance, readTo }: Look, { since, expected }: Books): bigint | null {
  if (balance.ledger > readTo || balance.ledger < since) return null;
  // The first balance that an older installation sees is the one that it begins with.
  return expected === null ? 0n : balance.units - expected;
}

/** From where the ledgers are read again; null: that is under way, or was done not long ago for the same difference. */
function againFrom(books: Books, difference: bigint, now: Date): { from: bigint; tries: number } | null {
  const from = endOf(books.agreedLedger ?? 0n);
  if (books.isReadingBack) return null;
  if (books.difference !== difference) return { from, tries: 0 };
  return books.triesAfter === null || books.triesAfter <= now ? { from, tries: books.tries } : null;
}
