import { countAt, nonsense, recordsOf } from '../horizon/fields.ts';
import type { Horizon } from '../horizon/horizon.ts';
import { ledgerOf, type Movement, movementIn } from '../movements/movement.ts';

/** What follows a place in the account's history. */
export type Page = {
  movements: Movement[];
  /** The token of its last record, whether it moved anything or not; null for an empty page. */
  last: bigint | null;
  /** Whether there may be more behind it. */
  isFull: boolean;
};

/**
 * Where a page begins, how long it may be, and the newest ledger that its Horizon reported. `operations` are all that
 * concern the account, `payments` those of them that may move money.
 */
export type PageRequest = {
  account: string;
  list: 'payments' | 'operations';
  cursor: bigint;
  size: number;
  head: bigint;
};

/** Ledgers that may close while a round reads: more than an hour of them. */
const newLedgers = 1_000n;

/**
 * Reads what follows a place in an account's history, failed ones as well: those cost their fee. Throws
 * HorizonFault for a page that is not one of this account in order, so that no record can be skipped.
 */
export async function readPage(horizon: Horizon, request: PageRequest): Promise<Page> {
  const { account, list, cursor, size, head } = request;
  const answer = await horizon.get(
    `/accounts/${account}/${list}?cursor=${cursor}&order=asc&limit=${size}` +
      '&join=transactions&include_failed=true',
  );
  // An account that is not there any more, or not yet.
  if (!answer) return { movements: [], last: null, isFull: false };
  const records = recordsOf(answer);
  if (records.length > size) throw nonsense('more records than were asked for');
  const movements: Movement[] = [];
  let last = cursor;
  for (const record of records) {
    const token = countAt(record, 'paging_token');
    if (token <= last) throw nonsense('records out of their order');
    requireKnown(ledgerOf(token), head);
    last = token;
    const movement = await movementIn(horizon, account, record);
    if (movement) movements.push(movement);
  }
  return { movements, last: records.length > 0 ? last : null, isFull: records.length === size };
}

/** After a ledger that is nowhere, everything that is real would be skipped. */
export function requireKnown(ledger: bigint, head: bigint): void {
  if (ledger > head + newLedgers) throw nonsense('a ledger to come');
}

/** How many records are asked for at once. */
export type PageSize = {
  now(): number;
  /** Those were too many; false when there is nothing less to ask for. */
  shrink(): boolean;
  grow(): void;
};

const largestPage = 200;

/**
 * The size of pages: as large as they can be, and smaller after an answer that was too long or took too long. A
 * record comes with its whole transaction, which may have a hundred operations.
 */
export function createPageSize(): PageSize {
  let size = largestPage;
  return {
    now: () => size,
    shrink() {
      const isLess = size > 1;
      size = Math.max(1, Math.floor(size / 4));
      return isLess;
    },
    grow() {
      size = Math.min(largestPage, size * 2);
    },
  };
}
