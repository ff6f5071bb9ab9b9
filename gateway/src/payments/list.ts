import { decodeCursor, encodeCursor } from '../kit/cursor.ts';
import type { Reader } from '../kit/db.ts';
import { uuidPattern } from '../kit/ids.ts';
import type { Owner } from '../webhooks/service.ts';
import { type PaymentFilter, type Selection, selectionOf } from './filter.ts';
import type { Payment } from './payment.ts';
import { type PaymentRow, paymentOf } from './sql.ts';

/** A place in the list: the payment after which a page begins. */
export type Place = { at: Date; id: string };

const cursorPatterns = [/^\d{13,15}$/, uuidPattern];

/** The place that a `next_cursor` of this list names; throws `cursor is invalid` for any other text. */
export function placeOf(cursor: string | undefined): Place | null {
  if (cursor === undefined) return null;
  const [at, id] = decodeCursor(cursor, cursorPatterns);
  return { at: new Date(Number.parseInt(at!, 10)), id: id! };
}

/** The cursor of the page after this payment. */
export function cursorOf({ createdAt, id }: Pick<Payment, 'createdAt' | 'id'>): string {
  return encodeCursor([createdAt.getTime(), id]);
}

/** Up to `limit` of the owner's payments that the filter wants, newest first, after `place`. */
export async function listedPayments(
  reader: Reader,
  owner: Owner,
  filter: PaymentFilter,
  { place, limit }: { place: Place | null; limit: number },
): Promise<Payment[]> {
  const { branches, values } = selectionOf(owner, filter);
  const param = (value: unknown, type: string) => `$${values.push(value)}::${type}`;
  const later =
    place && `AND (p.created_at, p.id) < (${param(place.at, 'timestamptz')}, ${param(place.id, 'uuid')})`;
  const order = `ORDER BY created_at DESC, id DESC LIMIT ${param(limit, 'int')}`;
  // The page is found in indexes alone; its rows are read when it is known.
  const { rows } = await reader.query<PaymentRow>(
    `SELECT p.* FROM (
       SELECT DISTINCT ON (created_at, id) id FROM (
         ${branches.map((branch) => `(SELECT p.created_at, p.id FROM payments p WHERE ${branch} ${later ?? ''} ${order})`).join('\nUNION ALL\n')}
       ) found ${order}
     ) page JOIN payments p USING (id) ORDER BY p.created_at DESC, p.id DESC`,
    values,
  );
  return rows.map(paymentOf);
}

/** How many payments the filter wants, exactly. */
export async function countPayments(reader: Reader, owner: Owner, filter: PaymentFilter): Promise<bigint> {
  const { rows } = await reader.query<{ count: bigint }>(...countQuery(selectionOf(owner, filter)));
  return rows[0]!.count;
}

function countQuery({ branches, values }: Selection): [string, unknown[]] {
  const [only] = branches;
  if (branches.length === 1) return [`SELECT count(*) FROM payments p WHERE ${only}`, values];
  const each = branches.map((branch) => `SELECT p.id FROM payments p WHERE ${branch}`);
  return [`SELECT count(*) FROM (${each.join('\nUNION\n')}) found`, values];
}
