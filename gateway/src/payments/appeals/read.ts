import { namesOf } from '../../identity/merchants/people.ts';
import type { Clock } from '../../kit/clock.ts';
import type { Reader } from '../../kit/db/db.ts';
import { oneRow } from '../../kit/db/one-row.ts';
import { pageOf, timeCursor, timePlaceOf } from '../../kit/http/cursor.ts';
import { type Assets, fineScale } from '../../money/assets.ts';
import { decimalOf } from '../../money/money.ts';
import {
  type AppealName,
  type AppealReason,
  type AppealRow,
  type AppealScope,
  findAppeal,
} from '../payment/appeal.ts';
import { claimsOf } from '../payment/claims.ts';
import { chargedOf, decimal, type Payment } from '../payment/payment.ts';
import { type PaymentRow, paymentOf } from '../payment/payment-row.ts';
import { askedOf } from '../payment/price.ts';
import { rateToday, worthOf } from '../prices/today.ts';
import { rateText } from '../prices/view.ts';
import { type DescribeDeps, describePayment, locatedTransfer } from '../read/read.ts';
import { isOfCurrency, receivedUnits, transfersOf } from '../settlement/received.ts';
import type { TransferRow } from '../settlement/transfer.ts';
import { type Author, messagesOf } from './messages.ts';
import { decisionsOf } from './preview.ts';

export type AppealQuery = {
  status?: 'open' | 'closed' | undefined;
  reason?: AppealReason | undefined;
  cursor?: string | undefined;
  limit?: number | undefined;
};

type LastMessage = { last_author: Author; last_text: string; last_at: Date } | { last_at: null };
type ListRow = AppealRow & LastMessage & { integration_name: string };

const excerptLength = 140;

/** Appeals of a scope, open ones unless asked otherwise, newest first. */
export async function listAppeals(reader: Reader, assets: Assets, scope: AppealScope, query: AppealQuery) {
  const { status = 'open', limit = 20 } = query;
  const place = timePlaceOf(query.cursor);
  const owner = scope === 'all' ? [] : [scope.integrationId, scope.mode];
  const { rows } = await reader.query<ListRow>(
    `SELECT a.*, i.name AS integration_name, m.author AS last_author,
       left(m.text, ${excerptLength}) AS last_text, m.at AS last_at
     FROM appeals a
     JOIN integrations i ON i.id = a.integration_id
     LEFT JOIN LATERAL (
       SELECT author, text, at FROM appeal_messages WHERE appeal_id = a.id ORDER BY id DESC LIMIT 1
     ) m ON true
     WHERE a.closed_at IS ${status === 'open' ? '' : 'NOT'} NULL
       AND ($1::text IS NULL OR a.reason = $1)
       AND ($2::timestamptz IS NULL OR (a.opened_at, a.id) < ($2, $3::uuid))
       ${scope === 'all' ? '' : 'AND a.integration_id = $5 AND a.mode = $6'}
     ORDER BY a.opened_at DESC, a.id DESC LIMIT $4`,
    [query.reason ?? null, place?.at ?? null, place?.id ?? null, limit + 1, ...owner],
  );
  const page = pageOf(rows, limit, ({ opened_at, id }) => timeCursor({ at: opened_at, id }));
  const { payments, transfers } = await paymentsOf(reader, page.items);
  const items = page.items.flatMap((row) => {
    const payment = payments.get(row.payment_id);
    if (!payment) return [];
    const last =
      row.last_at === null ? null : { author: row.last_author, text: row.last_text, at: row.last_at };
    const integrationName = row.integration_name;
    const own = transfers.get(payment.id) ?? [];
    return summaryOf(assets, { appeal: row, integrationName, payment, transfers: own, last });
  });
  return { items, next_cursor: page.next_cursor };
}

async function paymentsOf(reader: Reader, appeals: AppealRow[]) {
  const ids = appeals.map(({ payment_id }) => payment_id);
  const { rows } = await reader.query<PaymentRow>('SELECT * FROM payments WHERE id = ANY($1)', [ids]);
  const { rows: transfers } = await reader.query<TransferRow>(
    'SELECT * FROM payment_transfers WHERE payment_id = ANY($1)',
    [ids],
  );
  return {
    payments: new Map(rows.map((row) => [row.id, paymentOf(row)])),
    transfers: Map.groupBy(transfers, ({ payment_id }) => payment_id),
  };
}

type Summarized = {
  appeal: AppealRow;
  integrationName: string;
  payment: Payment;
  transfers: TransferRow[];
  last: { author: Author; text: string; at: Date } | null;
};

function summaryOf(assets: Assets, of: Summarized) {
  const { appeal, integrationName, transfers, last } = of;
  const payment = chargedOf(of.payment);
  return {
    id: appeal.id,
    status: appeal.closed_at ? ('closed' as const) : ('open' as const),
    reason: appeal.reason,
    decision: appeal.decision,
    opened_at: appeal.opened_at.toISOString(),
    closed_at: appeal.closed_at?.toISOString() ?? null,
    integration: { id: appeal.integration_id, name: integrationName },
    mode: appeal.mode,
    payment_id: payment.id,
    payment_reference: payment.reference,
    currency: payment.currency,
    amount: decimal(payment, payment.amount),
    amount_due: decimal(payment, payment.amountDue),
    amount_received: decimalOf(receivedUnits(assets, payment, transfers), fineScale),
    customer: payment.customerEmail ?? payment.customerReference,
    last_message: last && { author: last.author, text: last.text, at: last.at.toISOString() },
  };
}

/** One appeal with its evidence, what was said, and what each decision would do now. */
export async function describeAppeal(reader: Reader, deps: DescribeDeps & { now: Clock }, which: AppealName) {
  const { assets } = deps;
  const appeal = await findAppeal(reader, which);
  const found = await reader.query<PaymentRow & { integration_name: string }>(
    `SELECT p.*, i.name AS integration_name FROM payments p JOIN integrations i ON i.id = p.integration_id
     WHERE p.id = $1`,
    [appeal.payment_id],
  );
  const row = oneRow(found, 'payment of an appeal');
  const payment = chargedOf(paymentOf(row));
  const transfers = await transfersOf(reader, payment.id);
  const claims = await claimsOf(reader, payment.id);
  const messages = await messagesOf(reader, appeal.id);
  const people = [appeal.decided_by, ...messages.map((message) => message.account_id)];
  const names = await namesOf(
    reader,
    people.filter((each): each is string => each !== null),
  );
  const nameOf = (accountId: string | null) => (accountId === null ? null : (names.get(accountId) ?? null));
  const last = messages.at(-1) ?? null;
  return {
    ...summaryOf(assets, { appeal, integrationName: row.integration_name, payment, transfers, last }),
    payment_status: payment.status,
    opened_from: appeal.opened_from,
    price: await priceView(reader, deps, payment, transfers),
    fee: decimal(payment, payment.fee),
    customer_email: payment.customerEmail,
    deadline: payment.deadline.toISOString(),
    decided_by: appeal.decided_as && { as: appeal.decided_as, name: nameOf(appeal.decided_by) },
    note: appeal.note,
    transfers: transfers.map((transfer) => evidenceOf(deps, payment, transfer)),
    claims: claims.map(({ at, ...claim }) => ({ ...claim, at: at.toISOString() })),
    messages: messages.map(({ id: messageId, author, account_id, text, at }) => ({
      id: messageId,
      author,
      name: nameOf(account_id),
      text,
      at: at.toISOString(),
    })),
    timeline: (await describePayment(reader, deps, payment, null)).timeline,
    decisions: await decisionsOf(reader, assets, { appeal, payment, transfers }),
  };
}

/** The price, and what came for it at the rate of now: that of PI and CSK moves, and late money waits for a person. */
async function priceView(
  reader: Reader,
  { assets, now }: DescribeDeps & { now: Clock },
  payment: Payment,
  transfers: TransferRow[],
) {
  const { price, rate } = payment;
  if (price === null || rate === null) return null;
  const today = await rateToday(reader, payment, now());
  const received = receivedUnits(assets, payment, transfers);
  return {
    ...askedOf(payment),
    rate: rateText(rate),
    rate_today: today,
    received_today: today === null ? null : worthOf(received, today, price.currency),
  };
}

function evidenceOf(deps: DescribeDeps, payment: Payment, transfer: TransferRow) {
  return {
    ...locatedTransfer(deps, transfer),
    from_wallet: transfer.rail === 'wallet',
    is_of_currency: isOfCurrency(deps.assets, payment, transfer),
    seen_at: transfer.seen_at.toISOString(),
    returned_at: transfer.returned_at?.toISOString() ?? null,
  };
}
