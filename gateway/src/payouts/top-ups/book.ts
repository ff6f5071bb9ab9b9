import type { Tx } from '../../kit/db/db.ts';
import { newId } from '../../kit/ids.ts';
import { type AccountRef, lockAccounts, postAll, type Transfer } from '../../ledger/ledger.ts';
import { addressesOf } from '../../ledger/places.ts';
import { coverShortage, repayReceivable } from '../../ledger/receivable.ts';
import type { Arrival } from '../../rails/owner.ts';

// When the same state is reported again, neither of these finds a row.
const becameFinalSql = `
INSERT INTO top_ups AS t
  (ledger_id, integration_id, rail, key, transaction, asset, units, sender, state, at, booked_at)
VALUES ($1, $2, $3, $4, $5, $6, $7, $8, 'final', $9, $10)
ON CONFLICT (ledger_id) DO UPDATE SET state = 'final', gone_at = NULL, units = excluded.units,
  bookings = t.bookings + 1
WHERE t.state = 'gone'
RETURNING bookings, units`;
const leftSql = `
UPDATE top_ups SET state = 'gone', gone_at = $2 WHERE ledger_id = $1 AND state = 'final'
RETURNING bookings, units`;

/**
 * Books what came to a top-up address: all of it is the business's, without fee, and pays first what the business owes.
 * Where the chain takes it back, the business gives it back; what it spent meanwhile it owes. Reported twice it is
 * booked once.
 */
export async function bookTopUp(tx: Tx, arrival: Arrival, now: Date): Promise<void> {
  const { rail, key, ledgerId, owner, transaction, asset, units, sender, state, at } = arrival;
  const { rows } =
    state === 'final'
      ? await tx.query<{ bookings: number; units: bigint }>(becameFinalSql, [
          ...[ledgerId, owner.id, rail, key, transaction],
          ...[asset, units, sender, at, now],
        ])
      : await tx.query<{ bookings: number; units: bigint }>(leftSql, [ledgerId, now]);
  const row = rows[0];
  if (!row) return;
  const business = { owner: owner.id, mode: 'live' } as const;
  const kinds = ['business', 'receivable'] as const;
  await lockAccounts(
    tx,
    kinds.map((kind): AccountRef => ({ kind, ...business, asset })),
  );
  // What goes is what was booked: the log may come back with another amount.
  const shared = { mode: 'live', asset, units: row.units, causeId: ledgerId } as const;
  const account = { kind: 'business', owner: owner.id } as const;
  if (state === 'final') {
    const id = row.bookings === 1 ? ledgerId : newId(now);
    await postAll(tx, [{ ...shared, id, debit: addressesOf(rail), credit: account, cause: 'top_up' }], now);
    await repayReceivable(tx, business, [asset], ledgerId, now);
    return;
  }
  const undone: Transfer = {
    ...shared,
    id: newId(now),
    debit: account,
    credit: addressesOf(rail),
    cause: 'top_up_undone',
  };
  await postAll(tx, await coverShortage(tx, business, [undone], now), now);
}
