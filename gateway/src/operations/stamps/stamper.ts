import { appendFile } from 'node:fs/promises';
import type { Logger } from 'pino';
import type { Clock } from '../../kit/clock.ts';
import { createCompleteRows } from '../../kit/db/complete-rows.ts';
import { type Database, type Reader, transaction } from '../../kit/db/db.ts';
import { holdLease, type Lease, LeaseLost, leaveLease, takeLease } from '../../kit/db/lease.ts';
import { oneRow } from '../../kit/db/one-row.ts';
import { newId } from '../../kit/ids.ts';
import { type Book, books, bookTerms, nothing, type Reach } from './books.ts';
import { headSql, stampedSql, stampSql } from './sql.ts';

/** The newest stamp. A copy that is kept elsewhere proves later that nothing before it was changed. */
export type Head = { number: bigint; hash: string; made_at: Date };

export type StamperDeps = {
  db: Database;
  /** A file to which heads are appended; empty: none. */
  headsFile: string;
  log: Logger;
  now: Clock;
};

export type Stamper = {
  /** Stamps the rows that are complete, if no other process does. */
  run(): Promise<void>;
  /** Publishes the last head and leaves the lease. */
  close(): Promise<void>;
};

/** How many numbers one stamp covers at most. */
const stampNumbers = 20_000n;
/** How many stamps one run makes: an installation from before stamps has all its rows to stamp. */
const stampsPerRun = 10;
const leaseSeconds = 15;
const publishMs = 60_000;

export function createStamper({ db, headsFile, log, now }: StamperDeps): Stamper {
  const terms = { name: 'stamps', holder: newId<'stamper'>(), seconds: leaseSeconds };
  const completeRows = createCompleteRows(db, bookTerms);
  let isHolder = false;
  let stamped = nothing;
  let head: Head | null = null;
  let published: Head | null = null;
  let publishedMs = Number.NEGATIVE_INFINITY;

  async function run(): Promise<void> {
    const complete = await completeRows();
    if (complete && isAhead(complete, stamped)) {
      stamped = await stampedReach(db);
      const lease = isAhead(complete, stamped) ? await takeLease(db, terms) : null;
      isHolder ||= lease !== null;
      if (lease) await stampUpTo(lease, complete);
    }
    if (now().getTime() - publishedMs >= publishMs) await publish();
  }

  async function stampUpTo(lease: Lease, complete: Reach): Promise<void> {
    try {
      for (let made = 0; made < stampsPerRun; made++) {
        const book = books.find((each) => stamped[each] < complete[each]);
        if (!book) return;
        const next = await stampNext(db, lease, { book, complete: complete[book], now: now() });
        head = next.head ?? head;
        stamped = { ...stamped, [book]: next.upTo };
      }
    } catch (error) {
      if (!(error instanceof LeaseLost)) throw error;
    }
  }

  /** Writes the head to the log and to the file of heads. */
  async function publish(): Promise<void> {
    if (!head || head.number === published?.number) return;
    const { number, hash, made_at } = head;
    publishedMs = now().getTime();
    log.info({ stamp: `${number}:${hash}` }, 'head of the hash chain');
    if (headsFile !== '') await appendFile(headsFile, `${number}:${hash} ${made_at.toISOString()}\n`);
    published = head;
  }

  return {
    run,
    async close() {
      await publish();
      if (isHolder) await leaveLease(db, terms);
    },
  };
}

function isAhead(complete: Reach, stamped: Reach): boolean {
  return books.some((book) => complete[book] > stamped[book]);
}

/** Up to which row each book is stamped; with `before` only by the stamps before that one. */
export async function stampedReach(reader: Reader, before: bigint | null = null): Promise<Reach> {
  return oneRow(await reader.query<Reach>(stampedSql, [before]), 'what is stamped');
}

/** The newest stamp; null: there is none yet. */
export async function readHead(reader: Reader): Promise<Head | null> {
  return (await reader.query<Head>(headSql)).rows[0] ?? null;
}

/** The newest stamp as one text, as it is logged; null: there is none yet. */
export async function readStamp(reader: Reader): Promise<string | null> {
  const head = await readHead(reader);
  return head && `${head.number}:${head.hash}`;
}

type Order = { book: Book; complete: bigint; now: Date };

/** Stamps the next rows of a book, at most as many as one stamp takes, if there are any. Throws LeaseLost. */
async function stampNext(
  db: Database,
  lease: Lease,
  { book, complete, now }: Order,
): Promise<{ head: Head | null; upTo: bigint }> {
  return await transaction(db, async (tx) => {
    await holdLease(tx, lease);
    // Read under the lease: another process may have stamped meanwhile.
    const from = (await stampedReach(tx))[book] + 1n;
    if (from > complete) return { head: null, upTo: from - 1n };
    const upTo = from + stampNumbers - 1n < complete ? from + stampNumbers - 1n : complete;
    const made = await tx.query<Head>(stampSql, [book, upTo, now]);
    return { head: oneRow(made, 'a stamp'), upTo };
  });
}
