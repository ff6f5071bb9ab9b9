import { afterCommit, Conflict, type Tx, together } from '../../kit/db/db.ts';
import { oneRow } from '../../kit/db/one-row.ts';
import { type AccountRef, postAll, type Transfer } from '../../ledger/ledger.ts';
import { type Credit, lockDebts, repayDebts } from '../../ledger/receivable.ts';
import { type EventInput, recordEvents } from '../../webhooks/events/outbox.ts';
import type { Payment, PaymentStatus, Reason } from '../payment/payment.ts';
import { type PaymentRow, paymentOf, recordOf } from '../payment/payment-row.ts';
import { transfersOfPaymentsSql, writePaymentsSql, writeTransfersSql } from '../payment/sql.ts';
import type { StateDeps } from '../payment/state.ts';
import { lockBookable, lockPayment } from './locks.ts';
import { inOrder, type TransferRow } from './transfer.ts';

/** A line of a payment's timeline. */
export type NotedMove = {
  payment: Payment;
  from: PaymentStatus;
  to: PaymentStatus;
  reason: Reason | null;
  at: Date;
};

/**
 * What one transaction changes of payments that it has locked. Changes are made in memory, in the order in which they
 * happen, and written by `flush`: one statement for each table, however many payments there are.
 */
export type Changes = {
  readonly tx: Tx;
  readonly deps: StateDeps;
  /** A payment as it is after the changes so far. */
  payment(id: string): Payment;
  /** Its transfers after the changes so far, in the order in which their chains took them. */
  transfersOf(id: string): TransferRow[];
  transferOf(rail: string, key: string): TransferRow | undefined;
  changePayment(payment: Payment): void;
  changeTransfer(transfer: TransferRow): void;
  /** A move that was made, with its event. */
  noteMove(move: NotedMove, event: EventInput): void;
  /** Ledger transfers that must succeed; `credited`: a business that pays with them what it owes. */
  post(legs: readonly Transfer[], credited?: Credit): void;
  /** Locks every account to which anything may be booked for these payments, in `assets` or in what came already. */
  lockMoney(wanted: ReadonlyMap<string, readonly string[]>, others?: readonly AccountRef[]): Promise<void>;
  /** Writes all changes that are not written yet. */
  flush(): Promise<void>;
  /** Does what reads or writes a payment in the database, after all changes so far. */
  aside(id: string, work: (payment: Payment) => Promise<unknown>): Promise<void>;
};

/** Opens locked payments for changes; `keys` are of transfers that may be of other payments so far. */
export async function openChanges(
  tx: Tx,
  deps: StateDeps,
  locked: readonly Payment[],
  keys: readonly Pick<TransferRow, 'rail' | 'key'>[] = [],
): Promise<Changes> {
  const payments = new Map<string, Payment>(locked.map((payment) => [payment.id, payment]));
  const transfers = new Map<string, TransferRow>();
  const read = await readTransfers(tx, [...payments.keys()], keys);
  for (const transfer of read) transfers.set(nameOf(transfer), transfer);
  const byPayment = Map.groupBy(read.sort(inOrder), ({ payment_id }) => payment_id as string);
  const stored = new Map([...payments].map(([id, { version }]) => [id, version]));
  const known = new Map(transfers);
  let unwritten = nothing();

  function payment(id: string): Payment {
    const found = payments.get(id);
    if (!found) throw new Error(`Payment ${id} is not locked`);
    return found;
  }

  async function flush(): Promise<void> {
    const batch = unwritten;
    unwritten = nothing();
    if (batch.legs.length > 0) {
      const booked = new Set(batch.legs.map(({ causeId }) => causeId ?? ''));
      await lockMoney(new Map([...booked].map((id) => [id, []])));
    }
    await together(tx, () => [
      writeTransfers(tx, [...batch.transfers.values()], known),
      writePayments(batch),
      writeMoney(batch),
      recordEvents(tx, deps.hints, batch.events),
    ]);
  }

  async function writeMoney({ legs, credits }: Unwritten): Promise<void> {
    if (legs.length === 0) return;
    const now = deps.now();
    // Sent together: what is owed does not depend on what is posted.
    const [, debts] = await Promise.all([postAll(tx, legs, now), lockDebts(tx, credits)]);
    await repayDebts(tx, debts, credits, now);
  }

  async function writePayments({ payments: ids, moves }: Unwritten): Promise<void> {
    const dirty = [...ids].map(payment);
    if (dirty.length === 0) return;
    const records = dirty.map((each) => ({ ...recordOf(each), stored_version: stored.get(each.id) }));
    const noted = moves.map(({ payment: moved, from, to, reason, at }) => ({
      ...{ payment_id: moved.id, version: moved.version, at, from_status: from, to_status: to, reason },
    }));
    const result = await tx.query<{ written: number }>({
      name: 'write-payments',
      text: writePaymentsSql,
      values: [JSON.stringify(records), JSON.stringify(noted), dirty.map((each) => each.id)],
    });
    if (oneRow(result, 'write payments').written !== dirty.length) {
      throw new Error('A payment was changed while it was locked');
    }
    for (const { id, version } of dirty) {
      if (stored.get(id) !== version) afterCommit(tx, () => deps.hints.send('payment', id));
      stored.set(id, version);
    }
  }

  async function lockMoney(
    wanted: ReadonlyMap<string, readonly string[]>,
    others: readonly AccountRef[] = [],
  ): Promise<void> {
    const bookables = [...wanted].map(([id, assets]) => ({
      payment: payment(id),
      assets: [...assets, ...transfersOf(id).map(({ asset }) => asset)],
    }));
    await lockBookable(tx, bookables, others);
  }

  function transfersOf(id: string): TransferRow[] {
    return byPayment.get(id) ?? [];
  }

  function changeTransfer(transfer: TransferRow): void {
    const name = nameOf(transfer);
    const before = transfers.get(name)?.payment_id;
    if (before) {
      byPayment.set(
        before,
        transfersOf(before).filter((each) => nameOf(each) !== name),
      );
    }
    const { payment_id: id } = transfer;
    byPayment.set(id, [...transfersOf(id), transfer].sort(inOrder));
    transfers.set(name, transfer);
    unwritten.transfers.set(name, transfer);
  }

  return {
    tx,
    deps,
    payment,
    transfersOf,
    transferOf: (rail, key) => transfers.get(nameOf({ rail, key })),
    changePayment(next) {
      payments.set(next.id, next);
      unwritten.payments.add(next.id);
    },
    changeTransfer,
    noteMove(move, event) {
      unwritten.moves.push(move);
      unwritten.events.push(event);
    },
    post(legs, credited) {
      unwritten.legs.push(...legs);
      if (credited) unwritten.credits.push(credited);
    },
    lockMoney,
    flush,
    async aside(id, work) {
      await flush();
      await work(payment(id));
      const { rows } = await tx.query<PaymentRow>('SELECT * FROM payments WHERE id = $1', [id]);
      const now = paymentOf(oneRow({ rows }, 'read payment'));
      payments.set(id, now);
      stored.set(id, now.version);
      const all = await readTransfers(tx, [id], []);
      byPayment.set(id, all.sort(inOrder));
      for (const each of all) {
        transfers.set(nameOf(each), each);
        known.set(nameOf(each), each);
      }
    },
  };
}

/** Locks a payment, changes it and writes that at once. Returns it as it then is. */
export async function changed(
  tx: Tx,
  deps: StateDeps,
  id: string,
  work: (changes: Changes, payment: Payment) => unknown,
): Promise<Payment> {
  const payment = await lockPayment(tx, id);
  const changes = await openChanges(tx, deps, [payment]);
  await work(changes, payment);
  await changes.flush();
  return changes.payment(id);
}

type Unwritten = {
  payments: Set<string>;
  transfers: Map<string, TransferRow>;
  moves: NotedMove[];
  events: EventInput[];
  legs: Transfer[];
  credits: Credit[];
};

const nothing = (): Unwritten => ({
  payments: new Set(),
  transfers: new Map(),
  moves: [],
  events: [],
  legs: [],
  credits: [],
});

const nameOf = ({ rail, key }: Pick<TransferRow, 'rail' | 'key'>): string => `${rail} ${key}`;

async function readTransfers(
  tx: Tx,
  ids: readonly string[],
  keys: readonly Pick<TransferRow, 'rail' | 'key'>[],
): Promise<TransferRow[]> {
  const { rows } = await tx.query<TransferRow>({
    name: 'transfers-of-payments',
    text: transfersOfPaymentsSql,
    values: [ids, keys.map(({ rail }) => rail), keys.map(({ key }) => key)],
  });
  return rows;
}

/**
 * Writes transfers; throws a conflict, after which the transaction runs again, where another one has written the same.
 * `known` is what is stored of them.
 */
async function writeTransfers(
  tx: Tx,
  transfers: readonly TransferRow[],
  known: Map<string, TransferRow>,
): Promise<void> {
  if (transfers.length === 0) return;
  const records = transfers.map((transfer) => {
    const before = known.get(nameOf(transfer));
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
  for (const transfer of transfers) known.set(nameOf(transfer), transfer);
}
