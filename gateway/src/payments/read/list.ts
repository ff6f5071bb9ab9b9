import type { Owner } from '../../identity/owner.ts';
import type { Reader } from '../../kit/db/db.ts';
import { oneRow } from '../../kit/db/one-row.ts';
import { codeOf } from '../../kit/db/system-errors.ts';
import { type TimePlace, timeCursor } from '../../kit/http/cursor.ts';
import type { Payment } from '../payment/payment.ts';
import { type PaymentRow, paymentOf } from '../payment/payment-row.ts';
import { type PaymentFilter, selectionOf } from './filter.ts';

/** The cursor of the page after this payment. */
export function cursorOf({ createdAt, id }: Pick<Payment, 'createdAt' | 'id'>): string {
  return timeCursor({ at: createdAt, id });
}

export type PageOfList = { place: TimePlace | null; limit: number };

/** Up to `limit` of the owner's payments that the filter wants, newest first, after `place`. */
export async function listedPayments(
  reader: Reader,
  owner: Owner,
  filter: PaymentFilter,
  page: PageOfList,
): Promise<Payment[]> {
  const { rows } = await reader.query<PaymentRow>(listQuery(owner, filter, page, 'p.*'));
  return rows.map(paymentOf);
}

/** The query of a page of the list, with these columns of `payments p`. */
export function listQuery(
  owner: Owner,
  filter: PaymentFilter,
  { place, limit }: PageOfList,
  columns: string,
): { text: string; values: unknown[] } {
  const { branches, values } = selectionOf(owner, filter);
  const param = (value: unknown, type: string) => `$${values.push(value)}::${type}`;
  const later = place
    ? `AND (p.created_at, p.id) < (${param(place.at, 'timestamptz')}, ${param(place.id, 'uuid')})`
    : '';
  const order = `ORDER BY created_at DESC, id DESC LIMIT ${param(limit, 'int')}`;
  const found = branches.map(
    (branch) => `(SELECT p.created_at, p.id FROM payments p WHERE ${branch} ${later} ${order})`,
  );
  // The ids of the page are found in indexes alone; its rows are read afterwards.
  const text = `
    SELECT ${columns}
    FROM (
      SELECT DISTINCT ON (created_at, id) id FROM (${found.join(' UNION ALL ')}) found ${order}
    ) page JOIN payments p USING (id)
    ORDER BY p.created_at DESC, p.id DESC`;
  return { text, values };
}

const countTimeoutMs = 3_000;
const queryCanceled = '57014';

/**
 * How many payments the filter wants, within a transaction: exactly, or as the planner guesses where counting
 * takes longer than three seconds.
 */
export async function countPayments(
  reader: Reader,
  owner: Owner,
  filter: PaymentFilter,
): Promise<{ count: bigint; isEstimate: boolean }> {
  const { branches, values } = selectionOf(owner, filter);
  const each = branches.map((branch) => `SELECT p.id FROM payments p WHERE ${branch}`).join(' UNION ');
  await reader.query(`SAVEPOINT counting; SET LOCAL statement_timeout = ${countTimeoutMs}`);
  try {
    const found = await reader.query<{ count: bigint }>(`SELECT count(*) FROM (${each}) found`, values);
    return { count: oneRow(found, 'count of payments').count, isEstimate: false };
  } catch (error) {
    if (codeOf(error) !== queryCanceled) throw error;
    await reader.query('ROLLBACK TO SAVEPOINT counting');
    type Planned = { 'QUERY PLAN': [{ Plan: { 'Plan Rows': number } }] };
    const planned = await reader.query<Planned>(`EXPLAIN (FORMAT JSON) ${each}`, values);
    const [{ Plan: plan }] = oneRow(planned, 'plan of the count')['QUERY PLAN'];
    return { count: BigInt(plan['Plan Rows']), isEstimate: true };
  } finally {
    // The time limit ends with the savepoint.
    await reader.query('ROLLBACK TO SAVEPOINT counting').catch(() => {});
  }
}
