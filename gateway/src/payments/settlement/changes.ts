import { type Tx, together } from '../../kit/db/db.ts';
import { newId } from '../../kit/ids.ts';
import { netByCause, netsOf } from '../../ledger/by-cause.ts';
import type { AccountRef } from '../../ledger/ledger.ts';
import type { Credit } from '../../ledger/receivable.ts';
import { nextSteps } from '../../rails/simulated/open-steps.ts';
import type { EventInput } from '../../webhooks/events/outbox.ts';
import type { Payment } from '../payment/payment.ts';
import { transfersOfOwnSql, transfersOfPaymentsSql } from '../payment/sql.ts';
import type { StateDeps } from '../payment/state.ts';
import type { Quote } from '../prices/quote.ts';
import { type OwnQuote, quotesOf } from '../prices/quotes.ts';
import { type Booked, sumBooked } from './booked.ts';
import type { Leg, NewLeg } from './legs.ts';
import { type Bookable, lockOwnPayments, lockPayments, moneyLock, type OwnReference } from './locks.ts';
import type { Refund } from './refund.ts';
import { refundsOfAll } from './refund-rows.ts';
import { inOrder, type TransferRow, transferName } from './transfer.ts';
import { type NotedMove, type NotedReversal, nothing, type Stored, writeAll } from './write.ts';

/** What every change needs beside its transaction. */
export type ChangeDeps = Pick<StateDeps, 'hints' | 'assets' | 'now'>;

/**
 * What one transaction changes of payments that it has locked: their rows, those of their transfers and refunds, what the
 * ledger has for them, their moves and events. All of it is changed in memory, in the order in which it happens, and
 * written by `flush`: one statement for each table, however many payments there are.
 */
export type Changes<Deps extends ChangeDeps = StateDeps> = {
  readonly tx: Tx;
  readonly deps: Deps;
  // Rows as they are after the changes so far.
  payment(id: string): Payment;
  /** In the order in which their chains took them. */
  transfersOf(id: string): TransferRow[];
  transferOf(rail: string, key: string): TransferRow | undefined;
  /** In the order in which they were made. */
  refundsOf(id: string): Refund[];
  /** When the simulated chain shows the next thing of a payment; undefined: nothing is to come. */
  nextStepOf(id: string): Promise<Date | undefined>;
  /** Of a priced payment: one for each currency that was chosen. */
  quotesOf(id: string): readonly Quote[];
  /** What the ledger has for a payment, with what is not posted yet; by asset. */
  bookedOf(id: string): Promise<Map<string, Booked>>;
  /** A ledger transfer that is not posted yet. */
  unpostedLeg(id: string): Leg | undefined;
  changePayment(payment: Payment): void;
  /** Also adds one. */
  changeTransfer(transfer: TransferRow): void;
  /** Also adds one. */
  changeRefund(refund: Refund): void;
  addQuote(made: OwnQuote): void;
  /** A move that was made: it opens or closes an appeal where it leads there, or from there. */
  noteMove(move: NotedMove): void;
  noteEvent(event: EventInput): void;
  noteReversal(reversal: NotedReversal): void;
  /**
   * Books legs of a payment; those of no units are left out. `credited`: who got something in which assets, and pays first
   * what they owe.
   */
  post(paymentId: string, legs: readonly NewLeg[], credited?: Pick<Credit, 'owner' | 'assets'>): void;
  /** Locks every account to which anything may be booked for these payments, in `assets` or in what came already. */
  lockMoney(wanted: ReadonlyMap<string, readonly string[]>, others?: readonly AccountRef[]): Promise<void>;
  /** The same no later than with the next write: where nothing else than that write books. */
  lockMoneyAtWrite(
    wanted: ReadonlyMap<string, readonly string[]>,
    others?: readonly AccountRef[],
  ): Promise<void>;
  /** Writes all changes that are not written yet. */
  flush(): Promise<void>;
  /** The same, and returns what `read` reads behind them, in the same packet. */
  flush<T>(read: () => Promise<T>): Promise<T>;
};

/** Locks payments and opens them for changes; `keys` are of transfers that may be of other payments so far. */
export async function lockForChanges<Deps extends ChangeDeps>(
  tx: Tx,
  deps: Deps,
  ids: readonly string[],
  keys: readonly TransferKey[] = [],
): Promise<Changes<Deps>> {
  const [locked, transfers] = await together(tx, () => [lockPayments(tx, ids), transfersOf(tx, ids, keys)]);
  return await openChanges(tx, deps, locked, transfers);
}

/** Locks those of the payments that callers name which exist, and opens them for changes. */
export async function lockOwnForChanges<Deps extends ChangeDeps>(
  tx: Tx,
  deps: Deps,
  wanted: readonly OwnReference[],
): Promise<{ payments: Payment[]; changes: Changes<Deps> }> {
  const [payments, { rows }] = await together(tx, () => [
    lockOwnPayments(tx, wanted),
    tx.query<TransferRow>({
      name: 'transfers-of-own-payments',
      text: transfersOfOwnSql,
      values: [wanted.map(({ reference }) => reference), wanted.map(({ integrationId }) => integrationId)],
    }),
  ]);
  return { payments, changes: await openChanges(tx, deps, payments, rows) };
}

/** Opens locked payments for changes. `rows`: their transfers, read behind the lock. */
export async function openChanges<Deps extends ChangeDeps>(
  tx: Tx,
  deps: Deps,
  locked: readonly Payment[],
  rows?: readonly TransferRow[],
): Promise<Changes<Deps>> {
  const stored = await load(tx, locked, rows ?? (await transfersOf(tx, idsOf(locked))));
  const payments = new Map(stored.payments);
  const transfers = new Map(stored.transfers);
  const refunds = new Map(stored.refunds);
  const quotes = await quotesOf(tx, locked);
  const byPayment = byPayments(transfers);
  let unwritten = nothing();
  const money = moneyLock(tx);

  const ofPayment = (id: string): TransferRow[] => byPayment.get(id) ?? [];
  const refundsOf = (id: string): Refund[] =>
    [...refunds.values()].filter(({ paymentId }) => paymentId === id);
  const payment = (id: string): Payment => lockedIn(payments, id);
  const bookablesOf = (wanted: ReadonlyMap<string, readonly string[]>): Bookable[] =>
    [...wanted].map(([id, assets]) => bookableOf(payment(id), ofPayment(id), assets));

  return {
    tx,
    deps,
    payment,
    transfersOf: ofPayment,
    transferOf: (rail, key) => transfers.get(transferName({ rail, key })),
    refundsOf,
    nextStepOf: nextStepReader(tx, locked),
    quotesOf: (id) => quotes.flatMap(({ paymentId, quote }) => (paymentId === id ? quote : [])),
    async bookedOf(id) {
      const unposted = unwritten.legs.filter(({ causeId }) => causeId === id).flatMap(netsOf);
      return sumBooked(payment(id), [...(await netByCause(tx, id)), ...unposted], refundsOf(id));
    },
    unpostedLeg: (id) => unwritten.legs.find((leg) => leg.id === id),
    changePayment(next) {
      payments.set(next.id, next);
      unwritten.payments.set(next.id, next);
    },
    changeTransfer(transfer) {
      const name = transferName(transfer);
      const isOther = (each: TransferRow) => transferName(each) !== name;
      const before = transfers.get(name)?.payment_id ?? transfer.payment_id;
      byPayment.set(before, ofPayment(before).filter(isOther));
      const { payment_id: id } = transfer;
      byPayment.set(id, [...ofPayment(id), transfer].sort(inOrder));
      transfers.set(name, transfer);
      unwritten.transfers.set(name, transfer);
    },
    changeRefund(refund) {
      refunds.set(refund.id, refund);
      unwritten.refunds.set(refund.id, refund);
    },
    addQuote(made) {
      quotes.push(made);
      unwritten.quotes.push(made);
    },
    noteMove: (move) => void unwritten.moves.push(move),
    noteEvent: (event) => void unwritten.events.push(event),
    noteReversal: (reversal) => void unwritten.reversals.push(reversal),
    post(causeId, legs, credited) {
      const { mode } = payment(causeId);
      for (const leg of legs) {
        if (leg.units > 0n) unwritten.legs.push({ id: newId(deps.now()), ...leg, mode, causeId });
      }
      if (credited) unwritten.credits.push({ ...credited, mode, causeId });
    },
    lockMoney: (wanted, others) => money.lock(bookablesOf(wanted), others),
    lockMoneyAtWrite: (wanted, others) => money.lockLater(bookablesOf(wanted), others),
    async flush<T>(read?: () => Promise<T>) {
      const batch = unwritten;
      unwritten = nothing();
      const booked = new Set(batch.legs.map(({ causeId }) => causeId ?? ''));
      await money.lockLater(bookablesOf(new Map([...booked].map((id) => [id, []]))));
      let reading: Promise<T> | undefined;
      const readBehind = async () => {
        reading = read?.();
        await reading;
      };
      await writeAll(tx, deps, { ...batch, lock: money.lock, read: readBehind }, stored);
      return (await reading) as T;
    },
  };
}

/** Reads the next steps of all payments when it is first asked for one. */
function nextStepReader(tx: Tx, payments: readonly Payment[]): Changes['nextStepOf'] {
  let steps: Promise<Map<string, Date>> | undefined;
  return async (id) => {
    steps ??= nextSteps(tx, idsOf(payments.filter(({ mode }) => mode === 'test')));
    return (await steps).get(id);
  };
}

/** Locks payments, opens them, changes them by `work` and writes that. Returns what `work` does. */
export async function changePayments<Deps extends ChangeDeps, T>(
  tx: Tx,
  deps: Deps,
  ids: readonly string[],
  work: (changes: Changes<Deps>) => T | Promise<T>,
): Promise<T> {
  const changes = await lockForChanges(tx, deps, ids);
  const result = await work(changes);
  await changes.flush();
  return result;
}

function lockedIn(payments: ReadonlyMap<string, Payment>, id: string): Payment {
  const found = payments.get(id);
  if (!found) throw new Error(`Payment ${id} is not locked`);
  return found;
}

const byPayments = (transfers: ReadonlyMap<string, TransferRow>): Map<string, TransferRow[]> =>
  Map.groupBy([...transfers.values()].sort(inOrder), ({ payment_id }) => payment_id);

const bookableOf = (
  payment: Payment,
  transfers: readonly TransferRow[],
  assets: readonly string[],
): Bookable => ({ payment, assets: [...assets, ...transfers.map(({ asset }) => asset)] });

const idsOf = (payments: readonly Payment[]): string[] => payments.map(({ id }) => id);

type TransferKey = Pick<TransferRow, 'rail' | 'key'>;

async function transfersOf(
  tx: Tx,
  ids: readonly string[],
  keys: readonly TransferKey[] = [],
): Promise<TransferRow[]> {
  const { rows } = await tx.query<TransferRow>({
    name: 'transfers-of-payments',
    text: transfersOfPaymentsSql,
    values: [ids, keys.map(({ rail }) => rail), keys.map(({ key }) => key)],
  });
  return rows;
}

async function load(tx: Tx, locked: readonly Payment[], rows: readonly TransferRow[]): Promise<Stored> {
  const refunded = idsOf(locked.filter(({ hasRefunds }) => hasRefunds));
  const refunds = refunded.length === 0 ? [] : await refundsOfAll(tx, refunded);
  return {
    payments: new Map(locked.map((payment) => [payment.id, payment])),
    transfers: new Map(rows.map((transfer) => [transferName(transfer), transfer])),
    refunds: new Map(refunds.map((refund) => [refund.id, refund])),
  };
}
