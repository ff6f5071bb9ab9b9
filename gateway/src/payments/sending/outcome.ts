import type { Tx } from '../../kit/db/db.ts';
import type { Outflow } from '../../rails/rail.ts';
import { failReturn, settleReturn } from './return-unmatched.ts';
import { failRefund, settleRefund } from './send-refund.ts';

/** Books what an order of ours sent, by what it was for. */
export async function settleSend(tx: Tx, outflow: Outflow & { sendId: string }, now: Date): Promise<void> {
  const isBooked = (await settleRefund(tx, outflow, now)) || (await settleReturn(tx, outflow, now));
  if (!isBooked) throw new Error(`Send ${outflow.sendId} was ordered for nothing that is known`);
}

/** Ends an order that its rail will never carry out: what it was for waits for an operator again. */
export async function failSend(tx: Tx, sendId: string, why: string, now: Date): Promise<void> {
  const isFailed = (await failRefund(tx, sendId, why, now)) || (await failReturn(tx, sendId, why, now));
  if (!isFailed) throw new Error(`Send ${sendId} was ordered for nothing that is known`);
}
