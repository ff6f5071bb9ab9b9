import type { Payout, PayoutFee } from '@florin/sdk';
import { type Column, recordOf } from '../output/table.ts';
import { localTime, toneOf } from '../output/text.ts';

/** A payout as one row of a list. */
export const payoutColumns: Column<Payout>[] = [
  { title: 'created', of: ({ created_at }) => localTime(created_at) },
  { title: 'payout', of: ({ id, payout_reference }) => payout_reference ?? id },
  { title: 'amount', of: ({ amount }) => amount, isNumber: true },
  { title: 'asset', of: ({ asset }) => asset },
  { title: 'to', of: ({ to }) => to },
  { title: 'status', of: ({ status }) => status, tone: ({ status }) => toneOf(status) },
];

/** The details of a payout, for people. */
export function payoutText(payout: Payout): string {
  const { approvals, approvals_needed: needed } = payout;
  return recordOf([
    ['payout', payout.id],
    ['reference', payout.payout_reference ?? ''],
    ['status', payout.status],
    ['amount', `${payout.amount} ${payout.asset}`],
    ['fee', `${payout.fee} ${payout.asset}`],
    ['to', payout.to],
    ['memo', payout.memo ?? ''],
    ['description', payout.description ?? ''],
    ['approvals', needed === 0 ? '' : `${approvals.length} of ${needed}`],
    ['transaction', payout.transaction ?? ''],
    [payout.status === 'queued' ? 'held up' : 'failure', payout.failure ?? ''],
    ['created', localTime(payout.created_at)],
    ['completed', payout.completed_at ? localTime(payout.completed_at) : ''],
  ]);
}

/** What a payout costs in one asset, as one row. */
export const feeColumns: Column<PayoutFee>[] = [
  { title: 'asset', of: ({ asset }) => asset },
  { title: 'fee', of: ({ fee }) => fee, isNumber: true },
  { title: 'minimum', of: ({ minimum }) => minimum, isNumber: true },
  { title: 'daily limit', of: ({ daily_limit }) => daily_limit ?? '', isNumber: true },
  { title: 'available', of: ({ available, why }) => (available ? 'yes' : `no: ${why}`) },
];
