import type { Mode } from '../../identity/integration.ts';
import type { Reader, Tx } from '../../kit/db/db.ts';
import { kitErrors, refuse } from '../../kit/errors.ts';
import { newId } from '../../kit/ids.ts';
import { type AccountRef, type Party, postAll } from '../../ledger/ledger.ts';
import { operatorOf } from '../../ledger/places.ts';
import type { Observation } from '../../rails/rail.ts';
import { paymentErrors } from '../payment/errors.ts';
import type { Payment } from '../payment/payment.ts';
import type { StateDeps } from '../payment/state.ts';
import { lockPayment } from '../settlement/locks.ts';
import { recordTransfers } from '../settlement/observe.ts';
import { isOfCurrency, transfersOf } from '../settlement/received.ts';

/**
 * `open`: undecided; `assigned` to a payment; `returning`: a return transfer is ordered; `returned`: it was sent;
 * `own`: the operator's own money.
 */
type UnmatchedState = 'open' | 'assigned' | 'returning' | 'returned' | 'own';

/** An unmatched deposit as it is stored; units are at its asset's scale. */
export type UnmatchedRow = {
  mode: Mode;
  rail: string;
  key: string;
  /** The ledger transfer that booked it, by which operators name it. */
  ledger_id: string;
  transaction: string;
  asset: string;
  units: bigint;
  sender: string | null;
  memo: string | null;
  at: Date;
  booked_at: Date;
  state: UnmatchedState;
  payment_id: string | null;
  send_id: string | null;
  /** Where the return goes, with which memo, and by which transaction it was seen to leave. */
  sent_to: string | null;
  sent_memo: string | null;
  sent_transaction: string | null;
  /** Why it could not be sent back. */
  fault: string | null;
  decided_at: Date | null;
  decided_by: string | null;
  reason: string | null;
};

/** The operator who decided about an unmatched deposit, and why. */
export type Decision = { accountId: string; reason: string };

/** The account of a rail's unmatched deposits, apart from the suspense of integrations. */
export function unmatchedAccount(rail: string): Party {
  return { kind: 'suspense', owner: rail };
}

/** That account in one asset, for a caller that locks it. */
export function unmatchedRef({
  rail,
  mode,
  asset,
}: Pick<UnmatchedRow, 'rail' | 'mode' | 'asset'>): AccountRef {
  return { ...unmatchedAccount(rail), mode, asset };
}

/** An unmatched deposit by the ledger transfer that booked it; throws `not_found`. */
export async function findUnmatched(reader: Reader, ledgerId: string): Promise<UnmatchedRow> {
  const { rows } = await reader.query<UnmatchedRow>('SELECT * FROM unmatched_deposits WHERE ledger_id = $1', [
    ledgerId,
  ]);
  const row = rows[0];
  if (!row) throw refuse(kitErrors.not_found);
  return row;
}

/**
 * Locks an unmatched deposit until the end of the transaction. A payment is locked before its deposit. Throws
 * `not_found`.
 */
export async function lockUnmatched(tx: Tx, ledgerId: string): Promise<UnmatchedRow> {
  await tx.query('SELECT FROM unmatched_deposits WHERE ledger_id = $1 FOR UPDATE', [ledgerId]);
  return await findUnmatched(tx, ledgerId);
}

/**
 * Assigns an unmatched deposit to a payment of its mode and currency, as if it had come with the payment's memo. To
 * assign it to the same payment again changes nothing. Throws `not_found`, `stray_decided` where it was decided
 * otherwise, and `stray_payment` for a payment that it cannot pay.
 */
export async function assignUnmatched(
  tx: Tx,
  deps: StateDeps,
  ledgerId: string,
  { paymentId, by }: { paymentId: string; by: Decision },
): Promise<Payment> {
  const payment = await lockPayment(tx, paymentId);
  const deposit = await lockUnmatched(tx, ledgerId);
  if (deposit.payment_id === payment.id) return payment;
  if (deposit.state !== 'open') throw refuse(paymentErrors.stray_decided);
  if (payment.mode !== deposit.mode || !isOfCurrency(deps.assets, payment, deposit)) {
    throw refuse(paymentErrors.stray_payment);
  }
  await noteDecision(tx, ledgerId, { state: 'assigned', paymentId: payment.id, at: deps.now() }, by);
  const { rail, key, transaction, asset, units, sender } = deposit;
  const seen: Observation = {
    ...{
      rail,
      key,
      paymentId,
      transaction,
      asset,
      units,
      state: 'final' as const,
      confirmations: 1,
      needed: 1,
    },
    ...(sender !== null && { sender }),
  };
  // It counts from when it came, but not from before the payment was created.
  const at = deposit.at > payment.createdAt ? deposit.at : payment.createdAt;
  const [paid = payment] = await recordTransfers(tx, deps, [{ seen, at, source: unmatchedAccount(rail) }]);
  const isBooked = (await transfersOf(tx, paymentId)).some(
    (each) => each.rail === rail && each.key === key && each.state === 'final',
  );
  if (!isBooked)
    throw new Error(`Unmatched deposit ${rail} ${key} is a transfer of another payment, and not gone`);
  return paid;
}

/**
 * Notes that an unmatched deposit is the operator's own, such as PI to pay for fees. It is booked as put in by the
 * operator and stays where it is. Throws `not_found`, and `stray_decided` where it was decided before.
 */
export async function keepUnmatched(
  tx: Tx,
  ledgerId: string,
  by: Decision,
  now: Date,
): Promise<UnmatchedRow> {
  const deposit = await lockUnmatched(tx, ledgerId);
  if (deposit.state !== 'open') throw refuse(paymentErrors.stray_decided);
  await noteDecision(tx, ledgerId, { state: 'own', paymentId: null, at: now }, by);
  const { rail, mode, asset, units } = deposit;
  const sides = { debit: unmatchedAccount(rail), credit: operatorOf(rail) };
  const cause = { cause: 'stray_kept', causeId: ledgerId };
  await postAll(tx, [{ id: newId(now), mode, asset, units, ...sides, ...cause }], now);
  return deposit;
}

async function noteDecision(
  tx: Tx,
  ledgerId: string,
  { state, paymentId, at }: { state: UnmatchedState; paymentId: string | null; at: Date },
  { accountId, reason }: Decision,
): Promise<void> {
  await tx.query(
    `UPDATE unmatched_deposits SET state = $2, payment_id = $3, decided_at = $4, decided_by = $5, reason = $6
     WHERE ledger_id = $1`,
    [ledgerId, state, paymentId, at, accountId, reason],
  );
}
