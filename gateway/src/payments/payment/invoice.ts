import { type Integration, pageDomainSql } from '../../identity/integration.ts';
import type { Owner } from '../../identity/owner.ts';
import type { Reader, Tx } from '../../kit/db/db.ts';
import type { Payment, PaymentId } from './payment.ts';
import { type PaymentRow, paymentOf } from './payment-row.ts';

/** What the page of an invoice was asked to be, beside what its payment keeps. */
export type InvoiceCheckout = {
  speedPolicy: string | null;
  /** As it was written, with its placeholders. */
  redirectURL: string | null;
  redirectAutomatically: boolean | null;
  defaultLanguage: string | null;
  expirationMinutes: number | null;
  paymentTolerance: number | null;
  defaultPaymentMethod: string | null;
  /** By which it is found beside its metadata. */
  searchTerms: readonly string[];
};

/** A payment under the id by which the BTCPay door shows it (contract.md#btcpay). */
export type Invoice = {
  id: string;
  orderId: string | null;
  /** The text of a JSON object. */
  metadata: string;
  checkout: InvoiceCheckout;
  archived: boolean;
};

/** An invoice that is to be made with its payment; `terms`: what it is found by. */
export type NewInvoice = Omit<Invoice, 'archived'> & { terms: readonly string[] };

type InvoiceRow = {
  invoice_id: string;
  invoice_order: string | null;
  invoice_metadata: string;
  invoice_checkout: InvoiceCheckout;
  invoice_archived: boolean;
};

const columns = `p.*, v.id AS invoice_id, v.order_id AS invoice_order, v.metadata AS invoice_metadata,
  v.checkout AS invoice_checkout, v.archived AS invoice_archived`;

/** An invoice with its payment. */
export type InvoicedPayment = { invoice: Invoice; payment: Payment };

const foundOf = (row: PaymentRow & InvoiceRow): InvoicedPayment => ({
  invoice: {
    id: row.invoice_id,
    orderId: row.invoice_order,
    metadata: row.invoice_metadata,
    checkout: row.invoice_checkout,
    archived: row.invoice_archived,
  },
  payment: paymentOf(row),
});

/** Writes invoices, in the transaction that makes their payments. */
export async function insertInvoices(
  tx: Tx,
  made: readonly { invoice: NewInvoice; payment: { id: PaymentId; created_at: string } & Owner }[],
): Promise<void> {
  const records = made.map(({ invoice: { id, orderId, terms, ...invoice }, payment }) => ({
    ...{ payment_id: payment.id, id, order_id: orderId, ...invoice, terms },
    ...{ integration_id: payment.integrationId, mode: payment.mode, created_at: payment.created_at },
  }));
  await tx.query(
    `INSERT INTO payment_invoices (payment_id, id, integration_id, mode, order_id, metadata, checkout, terms, created_at)
     SELECT payment_id, id, integration_id, mode, order_id, metadata, checkout, terms, created_at
     FROM json_to_recordset($1) AS v(payment_id uuid, id text, integration_id uuid, mode text, order_id text,
       metadata text, checkout jsonb, terms bigint[], created_at timestamptz)`,
    [JSON.stringify(records)],
  );
}

/** The owner's invoice of that id; null: it has none. */
export async function findInvoice(reader: Reader, owner: Owner, id: string): Promise<InvoicedPayment | null> {
  const { rows } = await reader.query<PaymentRow & InvoiceRow>(
    `SELECT ${columns} FROM payment_invoices v JOIN payments p ON p.id = v.payment_id
     WHERE v.id = $1 AND v.integration_id = $2 AND v.mode = $3`,
    [id, owner.integrationId, owner.mode],
  );
  return rows[0] ? foundOf(rows[0]) : null;
}

/** What leads to the page of an invoice's payment. */
type InvoicePage = Pick<Payment, 'reference' | 'integrationId'> &
  Pick<Integration, 'pageDomain'> & { language: string | null };

/** The payment behind an invoice's id, whose ever it is, for the page; null: there is none. */
export async function pageOfInvoice(reader: Reader, id: string): Promise<InvoicePage | null> {
  const { rows } = await reader.query<InvoicePage>(
    `SELECT p.reference, p.integration_id AS "integrationId", v.checkout->>'defaultLanguage' AS language,
       ${pageDomainSql} AS "pageDomain"
     FROM payment_invoices v JOIN payments p ON p.id = v.payment_id JOIN integrations i ON i.id = p.integration_id
     WHERE v.id = $1`,
    [id],
  );
  return rows[0] ?? null;
}

/** The ids and metadata of these payments' invoices, by the payments' ids. */
export async function invoicesOf(
  reader: Reader,
  paymentIds: readonly string[],
): Promise<Map<string, Pick<Invoice, 'id' | 'metadata'>>> {
  const { rows } = await reader.query<{ payment_id: string; id: string; metadata: string }>(
    'SELECT payment_id, id, metadata FROM payment_invoices WHERE payment_id = ANY ($1)',
    [paymentIds],
  );
  return new Map(rows.map(({ payment_id, id, metadata }) => [payment_id, { id, metadata }]));
}

export type InvoiceChange = { archived: boolean } | Pick<NewInvoice, 'orderId' | 'metadata' | 'terms'>;

/** Changes an invoice: whether it is archived, or its metadata as a whole. */
export async function changeInvoice(tx: Tx, paymentId: string, change: InvoiceChange): Promise<void> {
  if ('archived' in change) {
    await tx.query('UPDATE payment_invoices SET archived = $2 WHERE payment_id = $1', [
      paymentId,
      change.archived,
    ]);
    return;
  }
  await tx.query(
    'UPDATE payment_invoices SET order_id = $2, metadata = $3, terms = $4 WHERE payment_id = $1',
    [paymentId, change.orderId, change.metadata, change.terms],
  );
}

/** Which invoices; what is null filters nothing. */
export type InvoiceFilter = {
  orderIds: readonly string[] | null;
  /** Names of `statusSql`. */
  statuses: readonly InvoiceStatus[] | null;
  /** A term that it is found by. */
  term: string | null;
  from: Date | null;
  to: Date | null;
  withArchived: boolean;
  /** Only those that have refunds. */
  refunded?: boolean;
  skip: number;
  take: number;
};

export type InvoiceStatus = 'New' | 'Processing' | 'Settled' | 'Expired' | 'Invalid';

/** The statuses of that API in terms of payments `p`; `statusOf` of the door says the same of one payment. */
const statusSql: Record<InvoiceStatus, string> = {
  New: `p.status IN ('unlinked', 'linked')`,
  Processing: `p.status = 'pending'`,
  Settled: `(p.status = 'completed' OR p.status = 'in-appeal' AND p.completed_at IS NOT NULL)`,
  Expired: `(p.status = 'cancelled' AND p.reason IN ('abandoned', 'returned')
    OR p.status = 'in-appeal' AND p.completed_at IS NULL)`,
  Invalid: `(p.status = 'failed' OR p.status = 'cancelled' AND p.reason IN ('customer', 'merchant'))`,
};

/** A page of the owner's invoices, newest first. */
export async function listInvoices(
  reader: Reader,
  owner: Owner,
  filter: InvoiceFilter,
): Promise<InvoicedPayment[]> {
  const values: unknown[] = [owner.integrationId, owner.mode];
  const param = (value: unknown, type: string) => `$${values.push(value)}::${type}`;
  const { orderIds, statuses, term, from, to, withArchived, refunded, skip, take } = filter;
  const conditions = [
    'v.integration_id = $1 AND v.mode = $2',
    ...(withArchived ? [] : ['NOT v.archived']),
    ...(refunded ? ['p.has_refunds'] : []),
    ...(orderIds ? [`v.order_id = ANY (${param(orderIds, 'text[]')})`] : []),
    ...(statuses ? [`(${statuses.map((status) => statusSql[status]).join(' OR ') || 'false'})`] : []),
    ...(term === null ? [] : [`v.terms @> ARRAY[${param(term, 'bigint')}]`]),
    ...(from ? [`v.created_at >= ${param(from, 'timestamptz')}`] : []),
    ...(to ? [`v.created_at <= ${param(to, 'timestamptz')}`] : []),
  ];
  const { rows } = await reader.query<PaymentRow & InvoiceRow>(
    `SELECT ${columns} FROM payment_invoices v JOIN payments p ON p.id = v.payment_id
     WHERE ${conditions.join(' AND ')}
     ORDER BY v.created_at DESC, v.payment_id DESC OFFSET ${param(skip, 'int')} LIMIT ${param(take, 'int')}`,
    values,
  );
  return rows.map(foundOf);
}
