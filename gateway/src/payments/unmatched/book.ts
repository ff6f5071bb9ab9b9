import type { Tx } from '../../kit/db/db.ts';
import { postAll } from '../../ledger/ledger.ts';
import type { Stray } from '../../rails/rail.ts';
import type { StateDeps } from '../state.ts';
import { strayAccount } from './assign.ts';

/** Books money that names no payment, once however often it is reported. */
export async function bookStray(tx: Tx, deps: StateDeps, stray: Stray): Promise<void> {
  const now = deps.now();
  const { rail, key, ledgerId, transaction, asset, units, sender, memo, at } = stray;
  const { rowCount } = await tx.query(
    `INSERT INTO stray_transfers (rail, key, ledger_id, transaction, asset, units, sender, memo, at, booked_at)
     VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10) ON CONFLICT DO NOTHING`,
    [rail, key, ledgerId, transaction, asset, units, sender, memo, at, now],
  );
  if (rowCount === 0) {
    // Either index may be the one that meets a twin; but a ledger id is of one stray alone.
    const known = await tx.query('SELECT FROM stray_transfers WHERE rail = $1 AND key = $2', [rail, key]);
    if (known.rowCount === 0) throw new Error(`Stray ${rail} ${key} has the ledger id of another`);
    return;
  }
  const sides = { debit: { kind: 'external', owner: rail }, credit: strayAccount(rail) } as const;
  const cause = { cause: 'stray_received', causeId: ledgerId };
  await postAll(tx, [{ id: ledgerId, mode: 'live', asset, units, ...sides, ...cause }], now);
}
