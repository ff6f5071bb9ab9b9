import type { Tx } from '../kit/db/db.ts';
import { type ErrorRow, refuse } from '../kit/errors.ts';
import { type AccountRef, lockAccounts } from './accounts.ts';
import { ledgerErrors } from './errors.ts';
import { accountsOf, postAll, recordOf, type Transfer } from './ledger.ts';
import { repayReceivables } from './receivable.ts';
import { type EndedHoldRow, endHoldsSql, placeHoldsSql } from './sql.ts';

/** How holds are placed. */
export type HoldTerms = {
  /** What the owners of the debit accounts owe is paid out of them before. */
  repays?: true;
  /** The refusal where an account has not enough left; absent: `insufficient_balance`. */
  short?: ErrorRow;
};

/**
 * Sets the units of transfers aside on their debit accounts until `endHolds`: all of them, or none. Throws
 * `insufficient_balance`, or what `terms` name, when an account has not enough left. Locks the accounts: a caller that
 * books more in the same transaction locks all accounts before (`lockAccounts`).
 */
export async function placeHolds(
  tx: Tx,
  transfers: readonly Transfer[],
  now: Date,
  { repays, short = ledgerErrors.insufficient_balance }: HoldTerms = {},
): Promise<void> {
  if (transfers.length === 0) return;
  const debts = repays ? transfers.map(receivableOf) : [];
  await lockAccounts(tx, [...transfers.flatMap(accountsOf), ...debts]);
  const credits = debts.map(({ owner, mode, asset }) => ({ owner, mode, assets: [asset], causeId: null }));
  await repayReceivables(tx, credits, now);
  const { rowCount } = await tx.query({
    name: 'place-holds',
    text: placeHoldsSql,
    values: [JSON.stringify(transfers.map(recordOf)), now],
  });
  if (rowCount !== transfers.length) throw refuse(short);
}

const receivableOf = ({ debit: { owner }, mode, asset }: Transfer): AccountRef => ({
  ...{ kind: 'receivable', owner },
  ...{ mode, asset },
});

export const placeHold = (tx: Tx, transfer: Transfer, now: Date): Promise<void> =>
  placeHolds(tx, [transfer], now);

/**
 * Posts or voids pending holds and returns the ids of those that it ended; the others had ended before. Credit accounts
 * that store a balance are to be locked before, with the debit accounts (`lockAccounts`).
 */
export async function endHolds(
  tx: Tx,
  ids: readonly string[],
  end: 'posted' | 'voided',
  now: Date,
): Promise<Set<string>> {
  if (ids.length === 0) return new Set();
  const { rows } = await tx.query<EndedHoldRow>({
    name: 'end-holds',
    text: endHoldsSql,
    values: [ids, end, now],
  });
  if (end === 'posted') {
    const transfers = rows.map(
      (hold): Transfer => ({
        id: hold.id,
        mode: hold.mode,
        asset: hold.asset,
        units: hold.units,
        debit: { kind: hold.debit_kind, owner: hold.debit_owner },
        credit: { kind: hold.credit_kind, owner: hold.credit_owner },
        cause: hold.cause,
        causeId: hold.cause_id,
      }),
    );
    await postAll(tx, transfers, now);
  }
  return new Set(rows.map(({ id }) => id));
}

/** Posts or voids one hold; false when it had ended before. */
export async function endHold(tx: Tx, id: string, end: 'posted' | 'voided', now: Date): Promise<boolean> {
  return (await endHolds(tx, [id], end, now)).has(id);
}
