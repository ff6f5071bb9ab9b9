import { hashAt, jsonAt, recordsOf, textAt, transactionIn, unitsAt } from '../horizon/fields.ts';
import type { Horizon, Json } from '../horizon/horizon.ts';
import type { Horizons } from '../horizon/horizons.ts';

/** A transaction that is said to have paid a platform payment. */
export type Expected = { txid: string; identifier: string; units: bigint };

/**
 * What the network shows of it. `paid`: it moved exactly these units to the custody account, with the identifier as
 * memo. `unknown`: it is not there, or not yet. `other`: it is there, and did something else, or nothing.
 */
export type OnChain = 'paid' | 'unknown' | 'other';

/** Looks a transaction up on the network. Throws HorizonFault where that cannot be asked. */
export async function findOnChain(
  horizons: Pick<Horizons, 'use'>,
  account: string,
  expected: Expected,
  signal?: AbortSignal,
): Promise<OnChain> {
  signal?.throwIfAborted();
  const { value } = await horizons.use((horizon) => look(horizon, account, expected));
  return value;
}

async function look(horizon: Horizon, account: string, expected: Expected): Promise<OnChain> {
  const path = `/transactions/${expected.txid}`;
  const answer = await horizon.get(path);
  if (!answer) return 'unknown';
  const { isSuccessful, memoType, memo } = transactionIn(answer);
  if (!isSuccessful || memoType !== 'text' || memo !== expected.identifier) return 'other';
  // At most a hundred fit into a transaction.
  const page = await horizon.get(`${path}/operations?limit=200`);
  if (!page) return 'unknown';
  return recordsOf(page).some((record) => pays(record, account, expected)) ? 'paid' : 'other';
}

/** Enough to hold what arrives between two readings: older records are known already. */
const newestRecords = 100;

/** A transaction among the newest of the account that paid this; null: none. Throws HorizonFault as `findOnChain`. */
export async function findUnread(
  horizons: Pick<Horizons, 'use'>,
  account: string,
  { identifier, units }: Omit<Expected, 'txid'>,
  signal?: AbortSignal,
): Promise<string | null> {
  signal?.throwIfAborted();
  const path = `/accounts/${account}/payments?order=desc&limit=${newestRecords}&join=transactions`;
  const { value: page } = await horizons.use((horizon) => horizon.get(path));
  for (const record of page ? recordsOf(page) : []) {
    const { hash: txid, isSuccessful, memoType, memo } = transactionIn(jsonAt(record, 'transaction'));
    const isMarked = isSuccessful && memoType === 'text' && memo === identifier;
    if (isMarked && pays(record, account, { txid, identifier, units })) return txid;
  }
  return null;
}

/** Whether a record is the payment; the platform's wallets use the simplest operation only. */
function pays(record: Json, account: string, { txid, units }: Expected): boolean {
  return (
    record.type === 'payment' &&
    record.asset_type === 'native' &&
    hashAt(record, 'transaction_hash') === txid &&
    textAt(record, 'to') === account &&
    unitsAt(record, 'amount') === units
  );
}
