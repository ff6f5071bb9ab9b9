import { Readable } from 'node:stream';
import { csvLine } from '../kit/csv.ts';
import type { Database, Reader } from '../kit/db.ts';
import { refuse } from '../kit/errors.ts';
import { openSnapshot } from '../kit/snapshot.ts';
import type { Owner } from '../webhooks/service.ts';
import { paymentErrors } from './errors.ts';
import type { PaymentFilter } from './filter.ts';
import { countPayments, listedPayments, type Place } from './list.ts';
import { decimal, type Payment } from './payment.ts';

export const exportFormats = ['csv', 'json'] as const;
export type ExportFormat = (typeof exportFormats)[number];

/** `count` is how many payments the stream will hold; an estimate where counting them takes too long. */
export type Export = { stream: Readable; count: bigint; isEstimate: boolean };

const time = (at: Date | null): string | null => at?.toISOString() ?? null;

/** The columns of an export: plain values, decimals as text, times in ISO 8601. */
const columns: Record<string, (payment: Payment) => string | null> = {
  payment_reference: (payment) => payment.reference,
  id: (payment) => payment.id,
  created_at: (payment) => time(payment.createdAt),
  payment_status: (payment) => payment.status,
  reason: (payment) => payment.reason,
  unusual: (payment) => payment.unusual.join(' '),
  currency: (payment) => payment.currency,
  amount: (payment) => decimal(payment, payment.amount),
  amount_due: (payment) => decimal(payment, payment.amountDue),
  service_fee: (payment) => decimal(payment, payment.fee),
  fee_payer: (payment) => payment.feePayer,
  method: (payment) => payment.method,
  customer_email: (payment) => payment.customerEmail,
  customer_reference: (payment) => payment.customerReference,
  payment_note: (payment) => payment.paymentNote,
  item_list: (payment) => payment.itemList && JSON.stringify(payment.itemList),
  meta_data: (payment) => payment.metaData,
  success_url: (payment) => payment.successUrl,
  failure_url: (payment) => payment.failureUrl,
  deadline: (payment) => time(payment.deadline),
  linked_at: (payment) => time(payment.linkedAt),
  completed_at: (payment) => time(payment.completedAt),
  updated_at: (payment) => time(payment.updatedAt),
};

const batchSize = 500;
/** A client that takes nothing for so long has gone, whatever its connection says. */
const idleMs = 120_000;
/** Each holds a connection, and minutes of it; no business may keep all of them from the others. */
const mostAtOnce = 4;
const mostOfOne = 3;

/**
 * Returns `startExport`: exactly the payments that the filter wants, newest first, as they all were at one
 * moment. Rows are read as the client takes them. Throws `too_many_exports`.
 */
export function createExporter(db: Database) {
  const underWay: Owner['integrationId'][] = [];
  return async (owner: Owner, filter: PaymentFilter, format: ExportFormat): Promise<Export> => {
    const { integrationId } = owner;
    const own = underWay.filter((id) => id === integrationId);
    if (underWay.length >= mostAtOnce || own.length >= mostOfOne) {
      throw refuse(paymentErrors.too_many_exports);
    }
    underWay.push(integrationId);
    let snapshot: Awaited<ReturnType<typeof openSnapshot>> | undefined;
    const end = async (): Promise<void> => {
      underWay.splice(underWay.indexOf(integrationId), 1);
      await snapshot?.close();
    };
    try {
      snapshot = await openSnapshot(db, idleMs);
      const { reader } = snapshot;
      const total = await countPayments(reader, owner, filter);
      const stream = Readable.from(written(pages(reader, owner, filter), format), { highWaterMark: 1 });
      stream.once('close', () => void end());
      return { stream, ...total };
    } catch (error) {
      await end();
      throw error;
    }
  };
}

async function* pages(reader: Reader, owner: Owner, filter: PaymentFilter): AsyncGenerator<Payment[]> {
  let place: Place | null = null;
  for (;;) {
    const payments: Payment[] = await listedPayments(reader, owner, filter, { place, limit: batchSize });
    if (payments.length > 0) yield payments;
    const last = payments.at(-1);
    if (!last || payments.length < batchSize) return;
    place = { at: last.createdAt, id: last.id };
  }
}

async function* written(pages: AsyncIterable<Payment[]>, format: ExportFormat): AsyncGenerator<string> {
  const lines = format === 'csv' ? csvOf : jsonOf;
  yield format === 'csv' ? csvLine(Object.keys(columns)) : '[';
  let isFirst = true;
  for await (const payments of pages) {
    yield lines(payments, isFirst);
    isFirst = false;
  }
  if (format === 'json') yield '\n]\n';
}

function csvOf(payments: Payment[]): string {
  const values = Object.values(columns);
  return payments.map((payment) => csvLine(values.map((value) => value(payment) ?? ''))).join('');
}

function jsonOf(payments: Payment[], isFirst: boolean): string {
  const row = (payment: Payment) =>
    Object.fromEntries(Object.entries(columns).map(([name, value]) => [name, value(payment)]));
  const rows = payments.map((payment) => JSON.stringify(row(payment))).join(',\n');
  return `${isFirst ? '\n' : ',\n'}${rows}`;
}
