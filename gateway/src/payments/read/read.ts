import type { Owner } from '../../identity/owner.ts';
import type { Reader } from '../../kit/db/db.ts';
import { anyLength } from '../../kit/db/sql-arrays.ts';
import { kitErrors, refuse } from '../../kit/errors.ts';
import { pageOf, timePlaceOf } from '../../kit/http/cursor.ts';
import { type Assets, fineScale } from '../../money/assets.ts';
import { decimalOf } from '../../money/money.ts';
import { isReference, type ListQuery } from '../create/schema.ts';
import { type PagesAt, pageLink } from '../payment/page-link.ts';
import { decimal, isCharged, type Payment, type PaymentId, type PaymentStatus } from '../payment/payment.ts';
import { type PaymentRow, paymentOf } from '../payment/payment-row.ts';
import { askedFeeOf, askedOf } from '../payment/price.ts';
import { type OwnQuote, quotesOf } from '../prices/quotes.ts';
import { quoteView } from '../prices/view.ts';
import { refundView } from '../refunds/view.ts';
import { receivedUnits, transfersOfAll } from '../settlement/received.ts';
import type { Refund } from '../settlement/refund.ts';
import { refundsOf } from '../settlement/refund-rows.ts';
import type { TransferRow } from '../settlement/transfer.ts';
import { type Explorers, senderUrl, transactionUrl } from './explorers.ts';
import type { PaymentFilter } from './filter.ts';
import { cursorOf, listedPayments } from './list.ts';

/** The owner's payment of that reference; anybody else's is `Not found`. */
export async function findOwnPayment(reader: Reader, owner: Owner, reference: string): Promise<Payment> {
  if (!isReference(reference)) throw refuse(kitErrors.not_found);
  const { rows } = await reader.query<PaymentRow>(
    'SELECT * FROM payments WHERE reference = $1 AND integration_id = $2 AND mode = $3',
    [reference, owner.integrationId, owner.mode],
  );
  if (!rows[0]) throw refuse(kitErrors.not_found);
  return paymentOf(rows[0]);
}

/** A page of the owner's payments, newest first. */
export async function listPayments(reader: Reader, owner: Owner, query: ListQuery, pagesAt: PagesAt) {
  const { status, currency, customer_reference, payment_link, from, to, cursor, limit = 20 } = query;
  const filter: PaymentFilter = {
    statuses: status && [status],
    currencies: currency && [currency],
    customerReference: customer_reference,
    linkId: payment_link,
    from,
    to,
  };
  const rows = await listedPayments(reader, owner, filter, { place: timePlaceOf(cursor), limit: limit + 1 });
  const page = pageOf(rows, limit, cursorOf);
  return { items: page.items.map((payment) => summaryOf(payment, pagesAt)), next_cursor: page.next_cursor };
}

/** A payment's own fields, as lists show them. */
export function summaryOf(payment: Payment, pagesAt: PagesAt) {
  return {
    id: payment.id,
    payment_reference: payment.reference,
    ...askedOf(payment),
    payment_status: payment.status,
    reason: payment.reason,
    payment_type: payment.paymentType,
    amount_due: isCharged(payment) ? decimal(payment, payment.amountDue) : null,
    service_fee: askedFeeOf(payment),
    fee_payer: payment.feePayer,
    customer_email: payment.customerEmail,
    customer_reference: payment.customerReference,
    success_url: payment.successUrl,
    failure_url: payment.failureUrl,
    item_list: payment.itemList,
    meta_data: payment.metaData,
    payment_note: payment.paymentNote,
    payment_link: payment.linkId,
    deadline: payment.deadline.toISOString(),
    created_at: payment.createdAt.toISOString(),
    updated_at: payment.updatedAt.toISOString(),
    PaymentURL: pageLink(pagesAt, payment),
  };
}

export type MoveRow = { at: Date; to_status: PaymentStatus; reason: string | null };

/** What a payment is described with. */
export type DescribeDeps = { assets: Assets; explorers: Explorers };

/** Everything known of a payment: its fields, what arrived, and how it came to its status. */
export async function describePayment(
  reader: Reader,
  deps: DescribeDeps,
  payment: Payment,
  pagesAt: PagesAt,
) {
  const transfers = await transfersOfAll(reader, [payment.id]);
  const [described] = await describePayments(reader, deps, [{ payment, pagesAt }], () => transfers);
  if (!described) throw new Error('A payment was not described');
  return described;
}

/** The same for many, each with where its page is and with what arrived for it. */
export async function describePayments(
  reader: Reader,
  deps: DescribeDeps,
  asked: readonly { payment: Payment; pagesAt: PagesAt }[],
  transfersOf: (id: PaymentId) => TransferRow[],
) {
  const all = await movesOfAll(
    reader,
    asked.map(({ payment }) => payment.id),
  );
  const moves = Map.groupBy(all, ({ payment_id }) => payment_id);
  const refunds = new Map<string, Refund[]>();
  for (const {
    payment: { id, hasRefunds },
  } of asked)
    if (hasRefunds) refunds.set(id, await refundsOf(reader, id));
  const quotes = await quotesOf(
    reader,
    asked.map(({ payment }) => payment),
  );
  return asked.map(({ payment, pagesAt }) =>
    descriptionOf({ ...deps, pagesAt }, payment, {
      quote: quotes.find((each) => each.paymentId === payment.id && each.quote.currency === payment.currency),
      transfers: transfersOf(payment.id),
      moves: moves.get(payment.id) ?? [],
      refunds: refunds.get(payment.id) ?? [],
    }),
  );
}

type Parts = { quote: OwnQuote | undefined; transfers: TransferRow[]; moves: MoveRow[]; refunds: Refund[] };

function descriptionOf(
  { assets, pagesAt, explorers }: DescribeDeps & { pagesAt: PagesAt },
  payment: Payment,
  { quote, transfers, moves, refunds }: Parts,
) {
  return {
    ...summaryOf(payment, pagesAt),
    short: payment.shortUnits !== null,
    ...(payment.price && { quote: quote ? quoteView(quote.quote) : null }),
    amount_received: isCharged(payment)
      ? decimalOf(receivedUnits(assets, payment, transfers), fineScale)
      : null,
    transfers: transfers.map((transfer) => locatedTransfer({ assets, explorers }, transfer)),
    timeline: [
      { at: payment.createdAt.toISOString(), status: 'unlinked' as const, reason: null },
      ...moves.map((move) => ({ at: move.at.toISOString(), status: move.to_status, reason: move.reason })),
    ],
    refunds: refunds.map((refund) => refundView({ assets, pagesAt }, payment, refund)),
  };
}

/** How a payment came to its status. */
export async function movesOf(reader: Reader, paymentId: string): Promise<MoveRow[]> {
  return await movesOfAll(reader, [paymentId]);
}

async function movesOfAll(reader: Reader, ids: readonly string[]) {
  const { rows } = await reader.query<MoveRow & { payment_id: PaymentId }>({
    name: 'moves-of-payments',
    text: `SELECT payment_id, at, to_status, reason FROM payment_moves
           WHERE payment_id = ANY ${anyLength('$1', 'uuid')} ORDER BY payment_id, version`,
    values: [ids],
  });
  return rows;
}

/** One transfer as the API and the page show it: a decimal string in its own asset. */
export function transferView(assets: Assets, transfer: TransferRow) {
  return {
    transaction: transfer.transaction,
    asset: transfer.asset,
    amount: decimalOf(transfer.units, assets.get(transfer.asset).scale),
    confirmations: transfer.confirmations,
    needed: transfer.needed,
    state: transfer.state,
  };
}

/** A transfer with its network, its sender, and a block explorer's pages of the transaction and the sender. */
export function locatedTransfer(
  { assets, explorers }: Pick<DescribeDeps, 'assets' | 'explorers'>,
  transfer: TransferRow,
) {
  return {
    ...transferView(assets, transfer),
    network: assets.get(transfer.asset).network,
    sender: transfer.sender,
    transaction_url: transactionUrl(explorers, transfer.rail, transfer.transaction),
    sender_url: senderUrl(explorers, transfer),
  };
}
