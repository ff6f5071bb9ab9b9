import type { Tx } from '../kit/db/db.ts';
import { type BookedAt, postAll } from '../ledger/ledger.ts';
import { addressesOf, feeAccount } from '../ledger/places.ts';
import type { Outflow } from '../rails/rail.ts';

/**
 * Books the network fee of money that left the account where a rail receives. What an order of ours sent is booked by
 * `settleSend`, which knows the order; the caller books anything else as a move (`unorderedMove`). Reported twice it is
 * booked once, if `settleSend` does so too.
 */
export async function bookOutflow(
  tx: Tx,
  outflow: Outflow,
  { mode, now }: BookedAt,
  settleSend: (tx: Tx, outflow: Outflow & { sendId: string }) => Promise<void>,
): Promise<void> {
  const { rail, ledgerId, feeLedgerId, asset, fee, sendId } = outflow;
  // A transaction that moved nothing cost its fee too.
  if (fee > 0n) {
    const sides = { debit: feeAccount, credit: addressesOf(rail) };
    const causeId = sendId ?? ledgerId;
    await postAll(
      tx,
      [{ id: feeLedgerId, mode, asset, units: fee, ...sides, cause: 'network_fee', causeId }],
      now,
    );
  }
  if (sendId !== null) await settleSend(tx, { ...outflow, sendId });
}
