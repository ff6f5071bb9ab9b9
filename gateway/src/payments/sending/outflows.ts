import type { Tx } from '../../kit/db/db.ts';
import { postAll, type Transfer } from '../../ledger/ledger.ts';
import type { Outflow } from '../../rails/rail.ts';
import { feeAccount } from '../settle.ts';
import { treasuryOf } from '../treasury.ts';

/**
 * Books money that left where a rail receives, and what its network took. What an order of ours sent is booked by
 * `settleSend`, which knows what the order was for; anything else somebody with the key took to the operator's
 * treasury. Reported twice it is booked once, if `settleSend` does so too.
 */
export async function bookOutflow(
  tx: Tx,
  outflow: Outflow,
  now: Date,
  settleSend: (tx: Tx, outflow: Outflow & { sendId: string }) => Promise<void>,
): Promise<void> {
  const { rail, ledgerId, feeLedgerId, asset, units, fee, sendId } = outflow;
  const credit = { kind: 'external', owner: rail } as const;
  const shared = { mode: 'live', asset, credit, causeId: sendId ?? ledgerId } as const;
  const booked: Transfer[] = [];
  // A transaction that moved nothing cost its fee all the same.
  if (sendId === null && units > 0n) {
    booked.push({ ...shared, id: ledgerId, units, debit: treasuryOf(rail), cause: 'treasury_moved' });
  }
  if (fee > 0n) {
    booked.push({ ...shared, id: feeLedgerId, units: fee, debit: feeAccount, cause: 'network_fee' });
  }
  await postAll(tx, booked, now);
  if (sendId !== null) await settleSend(tx, { ...outflow, sendId });
}
