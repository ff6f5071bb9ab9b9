import type { Logger } from 'pino';
import { after } from '../../../kit/clock.ts';
import type { Database } from '../../../kit/db/db.ts';
import { writeUnderLease } from '../../../kit/db/lease.ts';
import { headAt } from '../horizon/fields.ts';
import { HorizonFault } from '../horizon/horizon.ts';
import type { Horizons } from '../horizon/horizons.ts';
import { ledgerOf, type Movement } from '../movements/movement.ts';
import { type Account, endBack, findBack, moveBack } from './account.ts';
import { isSameMovement, type Misread, markGone, misreadOf } from './misread.ts';
import type { Page, PageReader } from './page.ts';
import { type RecordDeps, recordMovement } from './record.ts';

export type BackDeps = RecordDeps & {
  horizons: Horizons;
  log: Logger;
  isClosing: () => boolean;
  readPage: PageReader;
};

/** Which Horizon is asked, as `EndpointPool.use` takes it. */
type Choice = { skip: number } | { except: readonly string[] };
/** A page, and the name of the Horizon that showed it. */
type ShownPage = Page & { by: string };

/** A second reading of an account, up to a ledger. */
type Rereading = BackDeps & { account: Account; upTo: bigint };

const firstPauseSeconds = 15;
const longestPauseSeconds = 3_600;

/**
 * Makes the second reading, which reads a page at each call, first at another Horizon than the best one. It records
 * movements up to `upTo` that were left out, and corrects those that were read wrong. It reads all operations and not
 * only payments, since any may have cost a fee. Returns whether anything was missing or wrong. After a fault of a
 * Horizon the next call tries again. Throws LeaseLost.
 */
export function createReadingBack(deps: BackDeps) {
  return async (account: Account, upTo: bigint): Promise<boolean> => {
    try {
      return await readNext({ ...deps, account, upTo });
    } catch (error) {
      if (error instanceof HorizonFault) return false;
      throw error;
    }
  };
}

/** Reads the page at the cursor of the second reading, and moves or ends that. */
async function readNext(reading: Rereading): Promise<boolean> {
  const { db, account, upTo, now } = reading;
  const back = await findBack(db, account);
  if (back === null) return false;
  const { movements, last, isFull, by } = await operations(reading, back.cursor, { skip: back.tries + 1 });
  // Later movements are not missing: the first reading has not come there yet.
  const passed = movements.filter(({ token }) => ledgerOf(token) <= upTo);
  const { place, isAnyNoted, isStopped } = await recordUnknown(reading, back.cursor, passed);
  if (isStopped) return isAnyNoted;
  let isAnyMissing = isAnyNoted;
  for (const each of await misreadOf(db, passed)) {
    if (await correct(reading, each, by)) isAnyMissing = true;
  }
  if (isFull && last !== null && ledgerOf(last) <= upTo) await moveBack(db, account, place, last);
  // Once something was found, the difference is a new one, even where it is as large as before.
  else await endBack(db, account, place, isAnyMissing ? null : after(now(), pauseSeconds(back.tries)));
  return isAnyMissing;
}

/** The page of operations after a token, at a Horizon that has the ledger `upTo`. */
async function operations(
  { horizons, readPage, account: { passphrase, account }, upTo }: Rereading,
  cursor: bigint,
  choice: Choice,
): Promise<ShownPage> {
  const { value, endpoint } = await horizons.use(async (asked) => {
    const { ledger } = await headAt(asked, passphrase);
    if (ledger < upTo) throw new HorizonFault('behind', `its newest ledger is ${ledger}`);
    return await readPage(asked, { account, list: 'operations', cursor, head: ledger });
  }, choice);
  return { ...value, by: endpoint.name };
}

/** Records movements without a record. `place`: where the cursor is then. `isStopped`: the process is about to end. */
async function recordUnknown(
  reading: Rereading,
  cursor: bigint,
  passed: readonly Movement[],
): Promise<{ place: bigint; isAnyNoted: boolean; isStopped: boolean }> {
  const { db, account, isClosing, log } = reading;
  let place = cursor;
  let isAnyNoted = false;
  for (const movement of await unknownOf(db, passed)) {
    if (isClosing()) return { place, isAnyNoted, isStopped: true };
    const { token, transaction, direction, units } = movement;
    const from = place;
    const isNoted = await recordMovement(reading, account, movement, (tx) =>
      moveBack(tx, account, from, token),
    );
    place = token;
    if (isNoted && units > 0n) {
      const fields = { account: account.account, transaction, direction, units: `${units}` };
      log.error(fields, 'a Horizon had left a movement of PI out; it is taken now');
    }
    isAnyNoted ||= isNoted;
  }
  return { place, isAnyNoted, isStopped: false };
}

/** Marks a movement that was read wrong as gone: it is noted again after that was reported. Returns whether it did. */
async function correct(reading: Rereading, { shown, noted }: Misread, by: string): Promise<boolean> {
  const { db, account, log } = reading;
  const { transaction, units } = shown;
  const isMarked =
    (await isAgreed(reading, shown, by)) &&
    (await writeUnderLease(db, account.lease, (tx) => markGone(tx, shown)));
  const fields = { account: account.account, transaction, units: `${units}`, told: `${noted.units}` };
  if (isMarked) log.error(fields, 'a movement of PI was read wrong; it is reversed, and booked as it is');
  else log.error(fields, 'a Horizon shows a movement of PI in another way than it is noted');
  return isMarked;
}

/** Whether another Horizon, where there is one, shows a movement in the same way as the one with this name. */
async function isAgreed(reading: Rereading, movement: Movement, by: string): Promise<boolean> {
  if (reading.horizons.size === 1) return true;
  try {
    const { movements } = await operations(reading, movement.token - 1n, { except: [by] });
    return isSameMovement(
      movement,
      movements.find(({ token }) => token === movement.token),
    );
  } catch (error) {
    if (error instanceof HorizonFault) return false;
    throw error;
  }
}

const pauseSeconds = (tries: number): number =>
  Math.min(longestPauseSeconds, firstPauseSeconds * 2 ** Math.min(tries, 10));

/** The movements that have no record, or one that is gone. */
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
