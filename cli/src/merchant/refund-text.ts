import type { Refund } from '@florin/sdk';
import { type Column, recordOf } from '../output/table.ts';
import { localTime, toneOf } from '../output/text.ts';

/** A refund as one row of a list. */
export const refundColumns: Column<Refund>[] = [
  { title: 'created', of: ({ created_at }) => localTime(created_at) },
  { title: 'refund', of: ({ id }) => id },
  { title: 'amount', of: ({ amount }) => amount, isNumber: true },
  { title: 'asset', of: ({ asset }) => asset },
  { title: 'to', of: ({ to }) => to ?? '' },
  { title: 'status', of: ({ status }) => status, tone: ({ status }) => toneOf(status) },
];

/** The details of a refund, for people. */
export function refundText(refund: Refund): string {
  return recordOf([
    ['refund', refund.id],
    ['payment', refund.payment_reference],
    ['status', refund.status],
    ['amount', `${refund.amount} ${refund.asset}`],
    ['of the fee', `${refund.fee_returned} ${refund.asset}`],
    ['to', refund.to ?? ''],
    ['memo', refund.memo ?? ''],
    ['reason', refund.reason ?? ''],
    ['claim page', refund.claim_url ?? ''],
    ['transaction', refund.transaction ?? ''],
    [refund.status === 'queued' ? 'held up' : 'failure', refund.failure ?? ''],
    ['created', localTime(refund.created_at)],
    ['completed', refund.completed_at ? localTime(refund.completed_at) : ''],
  ]);
}
