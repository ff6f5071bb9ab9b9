import { hash } from 'node:crypto';
import type { Reader } from '../../kit/db/db.ts';
import type { Assets } from '../../money/assets.ts';
import { decimalOf } from '../../money/money.ts';
import type { InvoiceEventType } from '../../webhooks/events/event-types.ts';
import type { InvoiceEvent } from '../../webhooks/events/invoice-events.ts';
import { invoicesOf } from '../payment/invoice.ts';
import type { Payment } from '../payment/payment.ts';
import type { StateDeps } from '../payment/state.ts';
import { countingOf } from './received.ts';
import { type TransferRow, transferName } from './transfer.ts';

type Rows = { payments: ReadonlyMap<string, Payment>; transfers: ReadonlyMap<string, TransferRow> };

/** One thing that the BTCPay door tells of a payment, with the further fields of its type. */
type InvoiceFact = { type: InvoiceEventType; more: object };

/**
 * What a change of payments is to their invoices, as events for the BTCPay door (contract.md#btcpay). It follows from the rows
 * before and after, so that whatever changes a payment tells it. Payments that are no invoices cost nothing.
 */
export async function invoiceFacts(
  reader: Reader,
  { assets, now }: Pick<StateDeps, 'assets' | 'now'>,
  changed: Rows,
  stored: Rows,
): Promise<InvoiceEvent[]> {
  const named = [
    ...changed.payments.keys(),
    ...[...changed.transfers.values()].map((each) => each.payment_id),
  ];
  const own = [...new Set(named)].flatMap((id) => {
    const payment = changed.payments.get(id) ?? stored.payments.get(id);
    return payment?.isInvoice ? [payment] : [];
  });
  if (own.length === 0) return [];
  const invoices = await invoicesOf(
    reader,
    own.map(({ id }) => id),
  );
  const at = now();
  return own.flatMap((after) => {
    const invoice = invoices.get(after.id);
    if (!invoice) return [];
    const { id, reference, integrationId, mode, eventSequence: sequence } = after;
    const before = stored.payments.get(id) ?? after;
    const transfers = [...changed.transfers.values()]
      .filter(({ payment_id }) => payment_id === id)
      .map((transfer) => ({ after: transfer, before: stored.transfers.get(transferName(transfer)) }));
    return factsOf(assets, { before, after }, transfers).map(({ type, more }) => ({
      ...{ type, at, integrationId, mode, invoice, more },
      payment: { id, reference, sequence },
    }));
  });
}

type Change<Row> = { before: Row | undefined; after: Row };

/** The facts of one payment, in the order in which they are told. */
function factsOf(
  assets: Assets,
  { before, after }: { before: Payment; after: Payment },
  transfers: readonly Change<TransferRow>[],
): InvoiceFact[] {
  const counting = transfers.filter((each) => countingOf(assets, after, [each.after]).length > 0);
  const seen = counting.filter((each) => each.after.state !== 'gone' && each.before === undefined);
  const settled = counting.filter((each) => each.after.state === 'final' && each.before?.state !== 'final');
  const ofTransfer = (type: InvoiceEventType) => (each: Change<TransferRow>) => ({
    type,
    more: paymentFields(assets, before, each.after),
  });
  return [
    ...seen.map(ofTransfer('InvoiceReceivedPayment')),
    ...(isPaid(after) && !isPaid(before) ? [fact('InvoiceProcessing', { overPaid: isOver(after) })] : []),
    // Of late money nobody says that it is settled before a person has decided.
    ...(waitsForPeople(after) ? [] : settled.map(ofTransfer('InvoicePaymentSettled'))),
    ...(before.status === after.status ? [] : endOf(before, after)),
  ];
}

const fact = (type: InvoiceEventType, more: object = {}): InvoiceFact => ({ type, more });

/** All that is due was seen, and not all of it is final. */
const isPaid = ({ status, unusual }: Payment): boolean =>
  status === 'pending' && !unusual.includes('part_paid');

const isOver = ({ unusual }: Payment): boolean => unusual.includes('overpaid');

const waitsForPeople = ({ status, reason }: Payment): boolean =>
  status === 'in-appeal' && (reason === 'late' || reason === 'paid_after_end');

/** What a new status is to an invoice; one that was settled once stays so until its money goes back. */
function endOf(before: Payment, { status, reason, completedAt, ...after }: Payment): InvoiceFact[] {
  switch (status) {
    case 'completed': {
      if (before.completedAt !== null) return [];
      const overPaid = after.unusual.includes('overpaid');
      return [fact('InvoiceSettled', { manuallyMarked: reason === 'accepted', overPaid })];
    }
    case 'failed':
      return [fact('InvoiceInvalid', { manuallyMarked: reason === 'returned' })];
    case 'cancelled':
      if (reason === 'abandoned') return [fact('InvoiceExpired', { partiallyPaid: false })];
      return reason === 'returned' ? [] : [fact('InvoiceInvalid', { manuallyMarked: true })];
    case 'in-appeal':
      if (completedAt !== null) return [];
      return reason === 'part_paid'
        ? [fact('InvoiceExpired', { partiallyPaid: true }), fact('InvoiceExpiredPaidPartial')]
        : [fact('InvoicePaidAfterExpiration')];
    default:
      return [];
  }
}

/** The statuses in which an invoice has expired, or is invalid. */
const ended: readonly Payment['status'][] = ['cancelled', 'failed'];

function paymentFields(assets: Assets, before: Payment, transfer: TransferRow): object {
  const method = transfer.asset.toUpperCase();
  return {
    afterExpiration: ended.includes(before.status) || transfer.seen_at > before.deadline,
    ...{ paymentMethod: method, paymentMethodId: method },
    payment: invoicePayment(assets, transfer, ''),
  };
}

/** A transfer as that API shows it. Its id begins with the transaction, of which there may be several transfers. */
export function invoicePayment(assets: Assets, transfer: TransferRow, destination: string) {
  const status = { seen: 'Processing', final: 'Settled', gone: 'Invalid' }[transfer.state];
  return {
    id: `${transfer.transaction}-${hash('sha256', transferName(transfer)).slice(0, 8)}`,
    receivedDate: Math.floor(transfer.seen_at.getTime() / 1000),
    value: decimalOf(transfer.units, assets.get(transfer.asset).scale),
    fee: '0',
    ...{ status, destination },
  };
}
