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
 * Where the chain takes it back, it is taken from the business's balance; what it spent meanwhile it owes. Reported twice it is
 * booked once.
 */
export async function bookTopUp(tx: Tx, arrival: Arrival, now: Date): Promise<void> {
  const { rail, key, ledgerId, owner, transaction, asset, units, sender, state, at } = arrival;
  const { rows } =
    state === 'final'
      ? await tx.query<BookedArrival>(becameFinalSql, [
          ...[ledgerId, owner.id, rail, key, transaction],
          ...[asset, units, sender, at, now],
        ])
      : await tx.query<BookedArrival>(leftSql, [ledgerId, now]);
  const [booked] = rows;
  if (booked) await postArrival(tx, arrival, booked, { kind: 'business', cause: 'top_up' }, now);
}

/** How often an arrival was booked, and how much. */
export type BookedArrival = { bookings: number; units: bigint };

/**
 * Posts an arrival that has just become final, or was taken back, to the balance of its owner. What goes is what was
 * booked: the log may come back with another amount.
 */
export async function postArrival(
  tx: Tx,
  { rail, ledgerId, owner: { id: owner }, asset, state }: Arrival,
  { bookings, units }: BookedArrival,
  { kind, cause }: { kind: 'business' | 'user'; cause: string },
  now: Date,
): Promise<void> {
  const holder = { owner, mode: 'live' } as const;
  const kinds = [kind, 'receivable'] as const;
  await lockAccounts(
    tx,
    kinds.map((each): AccountRef => ({ kind: each, ...holder, asset })),
  );
  const shared = { mode: 'live', asset, units, causeId: ledgerId } as const;
  const account = { kind, owner };
  if (state === 'final') {
    const id = bookings === 1 ? ledgerId : newId(now);
    await postAll(tx, [{ ...shared, id, debit: addressesOf(rail), credit: account, cause }], now);
    await repayReceivable(tx, holder, [asset], ledgerId, now);
    return;
  }
  const reversal: Transfer = {
    ...shared,
    id: newId(now),
    debit: account,
    credit: addressesOf(rail),
    cause: `${cause}_undone`,
  };
  await postAll(tx, await coverShortage(tx, holder, [reversal], now), now);
}
