import type { Logger } from 'pino';
import type { Database } from '../../kit/db/db.ts';
import type { LookUp } from '../look-up.ts';
import { recordsOf, transactionIn } from './horizon/fields.ts';
import { type Horizon, HorizonFault } from './horizon/horizon.ts';
import type { Horizons } from './horizon/horizons.ts';
import { movementIn } from './movements/movement.ts';

export type PiLookUpDeps = {
  db: Database;
  account: string;
  horizons: Pick<Horizons, 'use'>;
  /** Makes the reader read at once. */
  wake: () => void;
  log: Logger;
  /** A customer waits for the answer. */
  withinMs?: number;
};

/** A transaction's hash in lower case; null for a text that is none. */
export function readTransaction(text: string): string | null {
  const hash = text.trim().toLowerCase();
  return /^[0-9a-f]{64}$/.test(hash) ? hash : null;
}

/**
 * Looks a transaction up that a customer names. One that paid the account and was not read yet counts when the reader
 * records it, and not before. Returns null for a text that is no hash. It never fails because no Horizon answers.
 */
export function createPiLookUp({ db, account, horizons, wake, log, withinMs = 2_000 }: PiLookUpDeps) {
  async function recorded(paymentId: string, hash: string): Promise<LookUp | null> {
    const { rows } = await db.query<{ owner_id: string | null; state: string }>(
      "SELECT owner_id, state FROM pi_records WHERE transaction = $1 AND direction = 'in' AND state <> 'gone'",
      [hash],
    );
    if (rows.some(({ owner_id, state }) => owner_id === paymentId && state !== 'unmatched')) return 'found';
    if (rows.some(({ state }) => state === 'unmatched')) return 'unmatched';
    return rows.length > 0 ? 'elsewhere' : null;
  }

  async function ask(horizon: Horizon, hash: string): Promise<LookUp> {
    const answer = await horizon.get(`/transactions/${hash}`);
    if (!answer) return 'unknown';
    if (!transactionIn(answer).isSuccessful) return 'failed';
    return (await hasPaid(horizon, account, hash)) ? 'waiting' : 'elsewhere';
  }

  async function askAny(hash: string): Promise<LookUp> {
    try {
      const { value } = await horizons.use((horizon) => ask(horizon, hash));
      if (value === 'waiting') wake();
      return value;
    } catch (error) {
      if (!(error instanceof HorizonFault)) log.error({ err: error }, 'a transaction could not be looked up');
      return 'unasked';
    }
  }

  return async (paymentId: string, text: string): Promise<LookUp | null> => {
    const hash = readTransaction(text);
    if (hash === null) return null;
    const known = await recorded(paymentId, hash);
    if (known) return known;
    const { promise, resolve } = Promise.withResolvers<LookUp>();
    const timer = setTimeout(() => resolve('unasked'), withinMs);
    askAny(hash).then(resolve);
    const result = await promise;
    clearTimeout(timer);
    return result;
  };
}

/** Whether any operation of a transaction moved coins to the account. */
async function hasPaid(horizon: Horizon, account: string, hash: string): Promise<boolean> {
  const page = await horizon.get(`/transactions/${hash}/payments?limit=200&join=transactions`);
  for (const record of page ? recordsOf(page) : []) {
    const isOurs = [record.to, record.account, record.into].includes(account);
    if (isOurs && (await movementIn(horizon, account, record))?.direction === 'in') return true;
  }
  return false;
}
