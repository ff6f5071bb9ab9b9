import type { Tx } from '../../kit/db/db.ts';
import { newId } from '../../kit/ids.ts';
import { type BookedAt, postAll } from '../../ledger/ledger.ts';
import { directAccountOf, directPlaceOf } from '../../ledger/places.ts';
import { noteReported } from '../../ledger/reported.ts';
import type { DirectMove } from '../../rails/direct.ts';

const causes = { merchant: 'direct_released', host: 'direct_fee', given: 'direct_given' } as const;

/**
 * Books money that left the addresses of direct settlement, or that somebody sent there who pays nothing; or reverses that
 * where the block left its chain. Both parts of a release add up to what left the splitter, so rounding leaves nothing. A
 * move that is reported twice is booked once.
 */
export async function bookDirectMove(tx: Tx, move: DirectMove, { mode, now }: BookedAt): Promise<void> {
  const { rail, moveId, integrationId, transaction, block, asset, units, to: target, state } = move;
  const { sender, receiver, at } = move;
  const row = {
    ...{ integration_id: integrationId, mode, rail, transaction, asset, units, target },
    ...{ sender, receiver, at, final_at: now, block_number: block },
  };
  const noted = { table: 'direct_moves', ledgerId: moveId, state, row };
  const booking = await noteReported(tx, noted, now);
  if (!booking) return;
  const [account, place] = [directAccountOf(integrationId), directPlaceOf(rail)];
  const isIn = (target === 'given') === (state === 'final');
  const [debit, credit] = isIn ? [place, account] : [account, place];
  const cause = state === 'final' ? causes[target] : 'direct_undone';
  // Where the host's address is a treasury, the same move is booked there under this id.
  const id = newId(now);
  await postAll(tx, [{ id, mode, asset, units: booking.units, debit, credit, cause, causeId: moveId }], now);
}
