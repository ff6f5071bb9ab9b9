import type { Tx } from '../kit/db/db.ts';
import { newId } from '../kit/ids.ts';
import { postAll } from '../ledger/ledger.ts';
import { placeOf } from '../ledger/places.ts';
import type { Move } from '../rails/move.ts';
import type { Outflow } from '../rails/rail.ts';

// When the same state is reported again, neither of these finds a row.
const becameFinalSql = `
INSERT INTO treasury_moves AS m
  (ledger_id, rail, transaction, asset, units, source, target, sender, receiver, at, state, final_at)
VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, 'final', $11)
ON CONFLICT (ledger_id) DO UPDATE SET state = 'final', gone_at = NULL, bookings = m.bookings + 1
WHERE m.state = 'gone'
RETURNING bookings`;
// The payout that ordered it waits again, and is matched with what carries it out in the end.
const leftSql = `
UPDATE treasury_moves SET state = 'gone', gone_at = $2, payout_id = NULL WHERE ledger_id = $1 AND state = 'final'
RETURNING bookings`;

/**
 * Books money that came into a treasury or vault, or left it, or that came back because the block left its chain. What
 * is owed to whom does not change. What left goes to the operator's account outside, from which a payout takes it.
 * Reported twice it is booked once; reported as gone that was never final, nothing is booked.
 */
export async function bookMove(tx: Tx, move: Move, now: Date): Promise<void> {
  const { rail, ledgerId, transaction, asset, units, from, to, sender, receiver, at, state } = move;
  const { rows } =
    state === 'final'
      ? await tx.query<{ bookings: number }>(becameFinalSql, [
          ...[ledgerId, rail, transaction, asset, units, from, to],
          ...[sender, receiver, at, now],
        ])
      : await tx.query<{ bookings: number }>(leftSql, [ledgerId, now]);
  const row = rows[0];
  if (!row) return;
  const ends = { source: placeOf(rail, from), target: placeOf(rail, to) };
  // An account of the outside holds what it is below zero.
  const [debit, credit] = state === 'final' ? [ends.target, ends.source] : [ends.source, ends.target];
  const id = state === 'final' && row.bookings === 1 ? ledgerId : newId(now);
  const cause = state === 'final' ? 'treasury_moved' : 'treasury_move_undone';
  await postAll(tx, [{ id, mode: 'live', asset, units, debit, credit, cause, causeId: ledgerId }], now);
}

/** What left a rail's one account without an order: it goes to the operator's account outside. */
export function unorderedMove({
  rail,
  ledgerId,
  transaction,
  asset,
  units,
  to: receiver,
  at,
}: Outflow): Move {
  const ends = { from: 'addresses', to: 'operator', sender: null, receiver } as const;
  return { rail, ledgerId, transaction, asset, units, ...ends, at, state: 'final' };
}
