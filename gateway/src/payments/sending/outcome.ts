import type { Tx } from '../../kit/db/db.ts';
import type { Outflow } from '../../rails/rail.ts';
import { failReturn, settleReturn } from './return-unmatched.ts';
import { failRefund, settleRefund } from './send-refund.ts';

/** Books what an order of ours sent, by what it was for. */
export async function settleSend(tx: Tx, outflow: Outflow & { sendId: string }, now: Date): Promise<void> {
  const isBooked = (await settleRefund(tx, outflow, now)) || (await settleReturn(tx, outflow, now));
  if (!isBooked) throw new Error(`Send ${outflow.sendId} was ordered for nothing that is known`);
}

/** Takes back what an order was for that its rail will never carry out. */
export async function undoSend(tx: Tx, sendId: string, why: string, now: Date): Promise<void> {
  const isUndone = (await failRefund(tx, sendId, why, now)) || (await failReturn(tx, sendId, why, now));
  if (!isUndone) throw new Error(`Send ${sendId} was ordered for nothing that is known`);
}
