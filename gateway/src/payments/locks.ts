import { lifeOf, type Tx } from '../kit/db/db.ts';
import { oneRow } from '../kit/db/one-row.ts';
import { type AccountRef, lockAccounts } from '../ledger/ledger.ts';
import type { Payment } from './payment.ts';
import { type PaymentRow, paymentOf } from './payment-row.ts';

// Transactions that book lock in one order, so that none waits for another in a circle: payments by their ids, then
// what belongs to them (unmatched deposits, refunds), then all accounts that the transaction may touch, by theirs.

/** Locks payments until the end of the transaction, in the order of their ids. Throws for an id of none. */
export async function lockPayments(tx: Tx, ids: readonly string[]): Promise<Payment[]> {
  const { rows } = await tx.query<PaymentRow>(
    'SELECT * FROM payments WHERE id = ANY($1) ORDER BY id FOR UPDATE',
    [ids],
  );
  const missing = ids.find((id) => !rows.some((row) => row.id === id));
  if (missing !== undefined) throw new Error(`No payment ${missing}`);
  return rows.map(paymentOf);
}

/** Locks one payment until the end of the transaction. */
export async function lockPayment(tx: Tx, id: string): Promise<Payment> {
  return oneRow({ rows: await lockPayments(tx, [id]) }, 'lock payment');
}

/** A locked payment, and in which assets something may be booked for it beside those that came already. */
export type Bookable = { payment: Payment; assets?: readonly string[] };

const bookedKinds = ['suspense', 'business', 'payable', 'receivable'] as const;

const lockedIn = new WeakMap<object, Set<string>>();

/**
 * Locks every account that booking for these payments may touch: those of their integrations, and `others`. To be
 * called before the transaction's first booking with all that it may book for; what it has locked before costs
 * nothing.
 */
export async function lockMoney(
  tx: Tx,
  bookables: readonly Bookable[],
  others: readonly AccountRef[] = [],
): Promise<void> {
  const life = lifeOf(tx);
  const locked = lockedIn.get(life) ?? new Set();
  const wanted = [...bookables.flatMap(({ payment, assets = [] }) => accountsOf(payment, assets)), ...others];
  const isKnown = bookables.every(({ payment }) => locked.has(payment.id));
  if (isKnown && wanted.every((ref) => locked.has(nameOf(ref)))) return;
  const byId = new Map(bookables.map(({ payment }) => [payment.id as string, payment]));
  const { rows } = await tx.query<{ payment_id: string; asset: string }>({
    name: 'assets-of-payments',
    text: 'SELECT DISTINCT payment_id, asset FROM payment_transfers WHERE payment_id = ANY($1)',
    values: [[...byId.keys()]],
  });
  const came = rows.flatMap(({ payment_id, asset }) => {
    const payment = byId.get(payment_id);
    return payment ? accountsOf(payment, [asset]) : [];
  });
  const refs = new Map([...wanted, ...came].map((ref) => [nameOf(ref), ref]));
  await lockAccounts(tx, [...refs.values()]);
  lockedIn.set(life, new Set([...locked, ...byId.keys(), ...refs.keys()]));
}

function accountsOf({ integrationId: owner, mode }: Payment, assets: readonly string[]): AccountRef[] {
  return assets.flatMap((asset) => [
    ...bookedKinds.map((kind) => ({ kind, owner, mode, asset })),
    { kind: 'fees' as const, owner: '', mode, asset },
  ]);
}

const nameOf = ({ kind, owner, mode, asset }: AccountRef): string => `${kind} ${owner} ${mode} ${asset}`;
