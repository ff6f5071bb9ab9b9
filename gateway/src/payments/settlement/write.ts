import { afterCommit, Conflict, type Tx, together } from '../../kit/db/db.ts';
import { oneRow } from '../../kit/db/one-row.ts';
import type { Credit } from '../../ledger/receivable.ts';
import { releaseUses } from '../../payouts/rules/limits.ts';
import { recordInvoiceEvents } from '../../webhooks/events/invoice-events.ts';
import { type EventInput, recordEvents } from '../../webhooks/events/outbox.ts';
import { closeAppeal, openAppeal } from '../payment/appeal.ts';
import type { Payment, PaymentStatus, Reason } from '../payment/payment.ts';
import { recordOf } from '../payment/payment-row.ts';
import { writeDirectSql, writePaymentsSql, writeRefundsSql, writeTransfersSql } from '../payment/sql.ts';
import type { StateDeps } from '../payment/state.ts';
import { type OwnQuote, writeQuotes } from '../prices/quotes.ts';
import { invoiceFacts } from './invoice-facts.ts';
import { type Leg, postLegs } from './legs.ts';
import type { Refund } from './refund.ts';
import { directRecordOf, refundRecordOf } from './refund-rows.ts';
import { type TransferRow, transferName } from './transfer.ts';

/** A line of a payment's timeline; `payment` is as it was after the move. */
export type NotedMove = {
  payment: Payment;
  from: PaymentStatus;
  to: PaymentStatus;
  reason: Reason | null;
  at: Date;
};

/** A transfer whose booking was reversed, which is mailed to operators; `id` is the ledger's counter-entry. */
export type NotedReversal = { id: string; transfer: TransferRow; at: Date };

/** What changed since the last write, in the order in which it did. */
export type Unwritten = {
  payments: Map<string, Payment>;
  transfers: Map<string, TransferRow>;
  refunds: Map<string, Refund>;
  quotes: OwnQuote[];
  moves: NotedMove[];
  events: EventInput[];
  reversals: NotedReversal[];
  legs: Leg[];
  credits: Credit[];
};

export const nothing = (): Unwritten => ({
  payments: new Map(),
  transfers: new Map(),
  refunds: new Map(),
  quotes: [],
  moves: [],
  events: [],
  reversals: [],
  legs: [],
  credits: [],
});

/** Rows as the database has them, by their ids, transfers by their names. */
export type Stored = Pick<Unwritten, 'payments' | 'transfers' | 'refunds'>;

/**
 * Writes what changed, and notes that it is stored. `lock` comes before and `read` behind, in one packet. Throws a conflict, after which the transaction runs again, where
 * another one has written the same transfer meanwhile.
 */
export async function writeAll(
  tx: Tx,
  { hints, assets, now }: Pick<StateDeps, 'hints' | 'assets' | 'now'>,
  batch: Unwritten & { lock: () => Promise<void>; read: () => Promise<unknown> },
  stored: Stored,
): Promise<void> {
  const facts = await invoiceFacts(tx, { assets, now }, batch, stored);
  await together(tx, () => [
    batch.lock(),
    writeTransfers(tx, [...batch.transfers.values()], stored),
    writePayments(tx, batch, stored),
    writeQuotes(tx, batch.quotes),
    writeAppeals(tx, batch.moves),
    writeRefunds(tx, [...batch.refunds.values()], stored),
    writeReversals(tx, batch.reversals),
    batch.legs.length + batch.credits.length > 0 ? postLegs(tx, batch.legs, batch.credits, now()) : noWork,
    recordEvents(tx, hints, batch.events),
    recordInvoiceEvents(tx, hints, facts),
    batch.read(),
  ]);
  for (const [id, payment] of batch.payments) {
    if (stored.payments.get(id)?.version !== payment.version)
      afterCommit(tx, () => hints.send('payment', id));
    stored.payments.set(id, payment);
  }
  for (const [name, transfer] of batch.transfers) stored.transfers.set(name, transfer);
  for (const [id, refund] of batch.refunds) stored.refunds.set(id, refund);
}

const noWork = Promise.resolve();

async function writePayments(
  tx: Tx,
  { payments, moves }: Pick<Unwritten, 'payments' | 'moves'>,
  stored: Stored,
): Promise<void> {
  if (payments.size === 0) return;
  const ids = [...payments.keys()];
  const records = [...payments.values()].map((payment) => ({
    ...recordOf(payment),
    stored_version: stored.payments.get(payment.id)?.version,
  }));
  const noted = moves.map(({ payment: { id, version }, from, to, reason, at }) => ({
    ...{ payment_id: id, version, at, from_status: from, to_status: to, reason },
  }));
  const result = await tx.query<{ written: number }>({
    name: 'write-payments',
    text: writePaymentsSql,
    values: [JSON.stringify(records), JSON.stringify(noted), ids],
  });
  if (oneRow(result, 'write payments').written !== ids.length) {
    throw new Error('A payment was changed while it was locked');
  }
}

async function writeTransfers(tx: Tx, transfers: readonly TransferRow[], stored: Stored): Promise<void> {
  if (transfers.length === 0) return;
  const records = transfers.map((transfer) => {
    const before = stored.transfers.get(transferName(transfer));
    return {
      ...transfer,
      units: transfer.units.toString(),
      known_payment: before?.payment_id ?? null,
      known_state: before?.state ?? null,
    };
  });
  const result = await tx.query<{ written: number }>({
    name: 'write-transfers',
    text: writeTransfersSql,
    values: [
      JSON.stringify(records),
      [...new Set(transfers.map(({ rail }) => rail))],
      transfers.map(({ key }) => key),
    ],
  });
  if (oneRow(result, 'write transfers').written !== transfers.length) {
    throw new Conflict('A transfer was written by another transaction meanwhile');
  }
}

async function writeAppeals(tx: Tx, moves: readonly NotedMove[]): Promise<void> {
  for (const { payment, from, to, at } of moves) {
    if (to === 'in-appeal') await openAppeal(tx, payment, from, at);
    else if (from === 'in-appeal') await closeAppeal(tx, payment, at);
  }
}

/** Writes refunds; those that are cancelled give back what they took of their makers' limits. */
async function writeRefunds(tx: Tx, refunds: readonly Refund[], stored: Stored): Promise<void> {
  if (refunds.length === 0) return;
  const [direct, carried] = [
    refunds.filter(({ isDirect }) => isDirect),
    refunds.filter((each) => !each.isDirect),
  ];
  if (carried.length > 0) await tx.query(writeRefundsSql, [JSON.stringify(carried.map(refundRecordOf))]);
  if (direct.length > 0) await tx.query(writeDirectSql, [JSON.stringify(direct.map(directRecordOf))]);
  const ended = refunds.filter(
    ({ id, status }) => status === 'cancelled' && stored.refunds.get(id)?.status !== 'cancelled',
  );
  await releaseUses(
    tx,
    ended.map(({ id }) => id),
  );
}

async function writeReversals(tx: Tx, reversals: readonly NotedReversal[]): Promise<void> {
  if (reversals.length === 0) return;
  const records = reversals.map(({ id, at, transfer }) => ({
    ...{ id, at, payment_id: transfer.payment_id, rail: transfer.rail, key: transfer.key },
    ...{ transaction: transfer.transaction, asset: transfer.asset, units: transfer.units.toString() },
  }));
  await tx.query(
    `INSERT INTO payment_reversals (id, payment_id, rail, key, transaction, asset, units, at)
     SELECT id, payment_id, rail, key, transaction, asset, units, at
     FROM json_to_recordset($1) AS r(id uuid, payment_id uuid, rail text, key text, transaction text, asset text,
       units numeric, at timestamptz)`,
    [JSON.stringify(records)],
  );
}
