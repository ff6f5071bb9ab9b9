import type { Logger } from 'pino';
import { after } from '../../../kit/clock.ts';
import type { Database } from '../../../kit/db/db.ts';
import { writeUnderLease } from '../../../kit/db/lease.ts';
import { headAt } from '../horizon/fields.ts';
import { type Horizon, HorizonFault } from '../horizon/horizon.ts';
import type { Horizons } from '../horizon/horizons.ts';
import { ledgerOf, type Movement } from '../movements/movement.ts';
import { type Account, endBack, findBack, moveBack } from './account.ts';
import { isSameMovement, type Misread, misreadOf, takeBack } from './misread.ts';
import type { Page } from './page.ts';
import { type Taking, takeMovement } from './take.ts';

export type BackDeps = Taking & {
  horizons: Horizons;
  log: Logger;
  isClosing: () => boolean;
  /** A page of all operations of the account behind a place. */
  pageAt: (horizon: Horizon, account: Account, from: bigint, head: bigint) => Promise<Page>;
};

/** Which Horizon is asked. */
type Other = { skip: number } | { except: readonly string[] };
/** A page, and the name of the Horizon that showed it. */
type Told = Page & { by: string };

const firstPauseSeconds = 15;
const longestPauseSeconds = 3_600;

/**
 * Reads on where ledgers are read a second time, a page at each call, at another Horizon than the best one first, and
 * takes what was left out up to the ledger that reading has come to, and what was read wrong anew. All operations are read, and not only payments: any
 * may have cost a fee. Answers whether anything was missing. Faults of Horizons are left for the next call. Throws LeaseLost.
 */
export function createReadingBack(deps: BackDeps) {
  const { db, horizons, now, isClosing, log, pageAt } = deps;

  async function page(account: Account, from: bigint, upTo: bigint, other: Other): Promise<Told> {
    const { value, endpoint } = await horizons.use(async (asked) => {
      const { ledger } = await headAt(asked, account.passphrase);
      if (ledger < upTo) throw new HorizonFault('behind', `its newest ledger is ${ledger}`);
      return await pageAt(asked, account, from, ledger);
    }, other);
    return { ...value, by: endpoint.name };
  }

  /** Whether another Horizon, where there is one, shows a movement as the one of this name does. */
  async function isAgreed(account: Account, movement: Movement, upTo: bigint, by: string): Promise<boolean> {
    if (horizons.size === 1) return true;
    try {
      const { movements } = await page(account, movement.token - 1n, upTo, { except: [by] });
      return isSameMovement(
        movement,
        movements.find(({ token }) => token === movement.token),
      );
    } catch (error) {
      if (error instanceof HorizonFault) return false;
      throw error;
    }
  }

  /** Takes back what was read wrong: it is noted anew when it was reported as gone. Answers whether it did. */
  async function correct(
    account: Account,
    { now: movement, told }: Misread,
    upTo: bigint,
    by: string,
  ): Promise<boolean> {
    const { transaction, units } = movement;
    const isTaken =
      (await isAgreed(account, movement, upTo, by)) &&
      (await writeUnderLease(db, account.lease, (tx) => takeBack(tx, movement)));
    const fields = { account: account.account, transaction, units: `${units}`, told: `${told.units}` };
    if (isTaken) log.error(fields, 'a movement of PI was read wrong; it is reversed, and booked as it is');
    else log.error(fields, 'a Horizon shows a movement of PI in another way than it is noted');
    return isTaken;
  }

  async function readPage(account: Account, upTo: bigint): Promise<boolean> {
    const back = await findBack(db, account);
    if (back === null) return false;
    const told = await page(account, back.cursor, upTo, { skip: back.tries + 1 });
    const { movements, last, isFull } = told;
    let place = back.cursor;
    let isAnyMissing = false;
    // What came since is not missing: it has its turn.
    const passed = movements.filter(({ token }) => ledgerOf(token) <= upTo);
    for (const movement of await unknownOf(db, passed)) {
      if (isClosing()) return isAnyMissing;
      const { token, transaction, direction, units } = movement;
      const from = place;
      const isNoted = await takeMovement(deps, account, movement, (tx) => moveBack(tx, account, from, token));
      place = token;
      if (isNoted && units > 0n) {
        const fields = { account: account.account, transaction, direction, units: `${units}` };
        log.error(fields, 'a Horizon had left a movement of PI out; it is taken now');
      }
      isAnyMissing ||= isNoted;
    }
    for (const each of await misreadOf(db, passed)) {
      if (await correct(account, each, upTo, told.by)) isAnyMissing = true;
    }
    if (isFull && last !== null && ledgerOf(last) <= upTo) await moveBack(db, account, place, last);
    // After something was found, the difference is another one, even where it is as large as the last.
    else await endBack(db, account, place, isAnyMissing ? null : after(now(), pauseSeconds(back.tries)));
    return isAnyMissing;
  }

  return async (account: Account, upTo: bigint): Promise<boolean> => {
    try {
      return await readPage(account, upTo);
    } catch (error) {
      if (error instanceof HorizonFault) return false;
      throw error;
    }
  };
}

const pauseSeconds = (tries: number): number =>
  Math.min(longestPauseSeconds, firstPauseSeconds * 2 ** Math.min(tries, 10));

/** Those that are in no record, or in one that was taken back. */
async function unknownOf(db: Database, movements: readonly Movement[]): Promise<Movement[]> {
  const { rows } = await db.query<{ paging_token: bigint; transaction: string }>(
    `SELECT r.paging_token, r.transaction
     FROM unnest($1::text[], $2::numeric[]) AS m (transaction, paging_token)
     JOIN pi_records r USING (transaction, paging_token) WHERE r.state <> 'gone'`,
    [movements.map((each) => each.transaction), movements.map(({ token }) => token)],
  );
  const known = new Set(rows.map(({ transaction, paging_token }) => `${transaction} ${paging_token}`));
  return movements.filter(({ transaction, token }) => !known.has(`${transaction} ${token}`));
}
