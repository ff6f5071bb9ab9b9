import { countAt, nonsense, recordsOf } from '../answers.ts';
import type { Horizon } from '../horizon.ts';
import { type Movement, movementIn } from './movement.ts';

/** What follows a place in the account's history. */
export type Page = {
  movements: Movement[];
  /** The token of its last record, whether it moved anything or not; null for an empty page. */
  last: bigint | null;
  /** Whether there may be more behind it. */
  isFull: boolean;
};

const recordsAtMost = 200;

/**
 * Reads what follows `cursor` in an account's payments, failed ones as well: those cost their fee. Throws
 * HorizonFault for a page that is not one of this account in order, so that no record can be skipped.
 */
export async function readPage(horizon: Horizon, account: string, cursor: bigint): Promise<Page> {
  const answer = await horizon.get(
    `/accounts/${account}/payments?cursor=${cursor}&order=asc&limit=${recordsAtMost}` +
      '&join=transactions&include_failed=true',
  );
  // An account that is not there any more, or not yet.
  if (!answer) return { movements: [], last: null, isFull: false };
  const records = recordsOf(answer);
  if (records.length > recordsAtMost) throw nonsense('more records than were asked for');
  const movements: Movement[] = [];
  let last = cursor;
  for (const record of records) {
    const token = countAt(record, 'paging_token');
    if (token <= last) throw nonsense('records out of their order');
    last = token;
    const movement = await movementIn(horizon, account, record);
    if (movement) movements.push(movement);
  }
  return { movements, last: records.length > 0 ? last : null, isFull: records.length === recordsAtMost };
}

/** The place after everything that an account's history holds by now. */
export async function newestToken(horizon: Horizon, account: string): Promise<bigint> {
  const answer = await horizon.get(`/accounts/${account}/payments?order=desc&limit=1&include_failed=true`);
  const [newest] = answer ? recordsOf(answer) : [];
  return newest ? countAt(newest, 'paging_token') : 0n;
}
