import type { Tx } from '../../kit/db/db.ts';
import { postAll } from '../../ledger/ledger.ts';
import { addressesOf } from '../../ledger/places.ts';
import type { UnmatchedDeposit } from '../../rails/rail.ts';
import type { StateDeps } from '../payment/state.ts';
import { unmatchedAccount } from './assign.ts';

/** Books money that names no payment, once however often it is reported. */
export async function bookUnmatched(tx: Tx, deps: StateDeps, deposit: UnmatchedDeposit): Promise<void> {
  const now = deps.now();
  const { rail, key, ledgerId, transaction, asset, units, sender, memo, at } = deposit;
  const mode = deps.assets.modeOf(asset);
  const { rowCount } = await tx.query(
    `INSERT INTO unmatched_deposits (rail, key, ledger_id, transaction, asset, units, sender, memo, at, booked_at, mode)
     VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11) ON CONFLICT DO NOTHING`,
    [rail, key, ledgerId, transaction, asset, units, sender, memo, at, now, mode],
  );
  if (rowCount === 0) {
    // The conflict is a second report of the same deposit, or a ledger id that another deposit has.
    const known = await tx.query('SELECT FROM unmatched_deposits WHERE rail = $1 AND key = $2', [rail, key]);
    if (known.rowCount === 0)
      throw new Error(`Unmatched deposit ${rail} ${key} has the ledger id of another`);
    return;
  }
  const sides = { debit: addressesOf(rail), credit: unmatchedAccount(rail) };
  const cause = { cause: 'stray_received', causeId: ledgerId };
  await postAll(tx, [{ id: ledgerId, mode, asset, units, ...sides, ...cause }], now);
}
