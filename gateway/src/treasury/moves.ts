import type { Tx } from '../kit/db/db.ts';
import { type BookedAt, postAll } from '../ledger/ledger.ts';
import { placeOf } from '../ledger/places.ts';
import { noteReported } from '../ledger/reported.ts';
import type { Move } from '../rails/move.ts';
import type { Outflow } from '../rails/rail.ts';

/**
 * Books money that came into a treasury or vault or left it, or reverses that where the block left its chain. No
 * customer's or business's balance changes. Money that left goes to the operator's account outside, from which a payout
 * takes it. A move that is reported twice is booked once; one that has gone and was never final is not booked.
 */
export async function bookMove(tx: Tx, move: Move, { mode, now }: BookedAt): Promise<void> {
  const { rail, ledgerId, transaction, asset, units, from, to, sender, receiver, at, state } = move;
  const row = {
    ...{ rail, transaction, asset, units, source: from, target: to },
    ...{ sender, receiver, at, final_at: now },
  };
  const booking = await noteReported(
    tx,
    { table: 'treasury_moves', ledgerId, state, row: { ...row, mode } },
    now,
  );
  if (!booking) return;
  // The payout that ordered it waits again, and is matched with what carries it out in the end.
  if (state === 'gone')
    await tx.query('UPDATE treasury_moves SET payout_id = NULL WHERE ledger_id = $1', [ledgerId]);
  const ends = { source: placeOf(rail, from), target: placeOf(rail, to) };
  // What is held outside is an external account's balance below zero, so the debit is where the money went.
  const [debit, credit] = state === 'final' ? [ends.target, ends.source] : [ends.source, ends.target];
  const cause = state === 'final' ? 'treasury_moved' : 'treasury_move_undone';
  await postAll(tx, [{ ...booking, mode, asset, debit, credit, cause, causeId: ledgerId }], now);
}

/** The move of money that left a rail's only account without an order: it goes to the operator's account outside. */
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
