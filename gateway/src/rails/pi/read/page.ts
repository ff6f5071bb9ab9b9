import { countAt, nonsense, recordsOf } from '../horizon/fields.ts';
import { type Horizon, HorizonFault } from '../horizon/horizon.ts';
import { ledgerOf, type Movement, movementIn } from '../movements/movement.ts';

/** A page of the account's history. */
export type Page = {
  movements: Movement[];
  /** The token of its last record, whether it moved anything or not; null for an empty page. */
  last: bigint | null;
  /** Whether there may be more after it. */
  isFull: boolean;
};

type PageRequest = {
  account: string;
  /** `operations` are all that concern the account, `payments` those of them that may move money. */
  list: 'payments' | 'operations';
  /** The page begins after this token. */
  cursor: bigint;
  /** How many records it may have. */
  size: number;
  /** The newest ledger that the Horizon reported. */
  head: bigint;
};

/** Ledgers that may close while a round reads: more than an hour of them. */
const newLedgers = 1_000n;

/**
 * Reads a page of an account's history, with failed operations, which cost their fee. Throws HorizonFault for a page
 * that is not this account's or not in order, so that no record can be skipped.
 */
async function readPage(horizon: Horizon, request: PageRequest): Promise<Page> {
  const { account, list, cursor, size, head } = request;
  const answer = await horizon.get(
    `/accounts/${account}/${list}?cursor=${cursor}&order=asc&limit=${size}` +
      '&join=transactions&include_failed=true',
  );
  // The account does not exist any more, or not yet.
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

/** Throws HorizonFault for a ledger that cannot exist yet: a cursor there would skip everything before it. */
export function requireKnown(ledger: bigint, head: bigint): void {
  if (ledger > head + newLedgers) throw nonsense('a ledger to come');
}

const largestPage = 200;

/** Reads a page of the size that suits the Horizons now. Throws HorizonFault. */
export type PageReader = (horizon: Horizon, request: Omit<PageRequest, 'size'>) => Promise<Page>;

/**
 * Makes the reader of pages. They are as large as they can be, and smaller after an answer that was too long or took too
 * long: a record comes with its whole transaction, which may have a hundred operations.
 */
export function createPageReader(): PageReader {
  let size = largestPage;
  return async (horizon, request) => {
    for (;;) {
      try {
        const page = await readPage(horizon, { ...request, size });
        size = Math.min(largestPage, size * 2);
        return page;
      } catch (error) {
        const kind = error instanceof HorizonFault ? error.kind : null;
        if (kind !== 'too_much' && kind !== 'timeout') throw error;
        const isSmallest = size === 1;
        size = Math.max(1, Math.floor(size / 4));
        if (kind === 'timeout' || isSmallest) throw error;
      }
    }
  };
}
