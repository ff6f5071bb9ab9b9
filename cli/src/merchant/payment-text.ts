import type { Payment, PaymentSummary } from '@florin/sdk';
import { type Column, recordOf, tableOf } from '../output/table.ts';
import { localMinute, localTime, toneOf } from '../output/text.ts';

/** A payment as one row of a list, which fits a hundred columns with a reference that Florin made. */
export const paymentColumns: Column<PaymentSummary>[] = [
  { title: 'created', of: ({ created_at }) => localMinute(created_at) },
  { title: 'payment', of: ({ payment_reference }) => payment_reference },
  { title: 'amount', of: ({ amount }) => amount, isNumber: true },
  { title: '', of: ({ currency }) => currency },
  { title: 'status', of: statusOf, tone: ({ payment_status }) => toneOf(payment_status) },
  {
    title: 'customer',
    of: (payment) => payment.customer_reference ?? payment.customer_email ?? '',
    takesRest: true,
  },
];

function statusOf({ payment_status, reason }: PaymentSummary): string {
  return reason === null ? payment_status : `${payment_status} (${reason})`;
}

/** The details of a payment, for people. */
export function paymentText(payment: Payment): string {
  const { currency } = payment;
  const parts = [
    recordOf([
      ['payment', payment.payment_reference],
      ['status', statusOf(payment), toneOf(payment.payment_status)],
      ['amount', `${payment.amount} ${currency}`],
      ['due', `${payment.amount_due} ${currency}`],
      ['received', `${payment.amount_received} ${currency}`],
      ['fee', `${payment.service_fee} ${currency}, paid by the ${payment.fee_payer}`],
      ['customer', [payment.customer_reference, payment.customer_email].filter(Boolean).join(', ')],
      ['note', payment.payment_note ?? ''],
      ['meta data', payment.meta_data ?? ''],
      ['created', localTime(payment.created_at)],
      ['deadline', localTime(payment.deadline)],
      ['page', payment.PaymentURL ?? ''],
      ['id', payment.id],
    ]),
    section('Timeline', payment.timeline, [
      { title: 'time', of: ({ at }) => localTime(at) },
      { title: 'status', of: ({ status }) => status, tone: ({ status }) => toneOf(status) },
      { title: 'reason', of: ({ reason }) => reason ?? '' },
    ]),
    section('Transfers', payment.transfers, [
      { title: 'amount', of: ({ amount }) => amount, isNumber: true },
      { title: 'asset', of: ({ asset }) => asset },
      { title: 'state', of: ({ state }) => state, tone: ({ state }) => toneOf(state) },
      { title: 'confirmations', of: ({ confirmations, needed }) => `${confirmations} of ${needed}` },
      { title: 'transaction', of: ({ transaction }) => transaction },
    ]),
    section('Refunds', payment.refunds, [
      { title: 'time', of: ({ created_at }) => localTime(created_at) },
      { title: 'amount', of: ({ amount }) => amount, isNumber: true },
      { title: 'asset', of: ({ asset }) => asset },
      { title: 'status', of: ({ status }) => status, tone: ({ status }) => toneOf(status) },
      { title: 'transaction', of: ({ transaction }) => transaction ?? '' },
    ]),
  ];
  return parts.filter((part) => part !== '').join('\n');
}

function section<Row>(title: string, rows: readonly Row[], columns: readonly Column<Row>[]): string {
  return rows.length === 0 ? '' : `${title}\n${tableOf(columns, rows)}`;
}
