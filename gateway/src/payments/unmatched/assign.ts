import type { Reader, Tx } from '../../kit/db/db.ts';
import { kitErrors, refuse } from '../../kit/errors.ts';
import { newId } from '../../kit/ids.ts';
import { type AccountRef, type Party, postAll } from '../../ledger/ledger.ts';
import { paymentErrors } from '../errors.ts';
import { lockPayment } from '../locks.ts';
import { recordTransfer } from '../observe.ts';
import type { Payment } from '../payment.ts';
import { isOfCurrency, transfersOf } from '../received.ts';
import type { StateDeps } from '../state.ts';
import { treasuryOf } from '../treasury.ts';

/**
 * `open`: nobody's yet; `assigned`: a payment's; `returning`: an order sends it back; `returned`: it was sent;
 * `own`: the operator's own money.
 */
export type StrayState = 'open' | 'assigned' | 'returning' | 'returned' | 'own';

/** A stray as it is kept; units are the asset's own. */
export type StrayRow = {
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
  state: StrayState;
  payment_id: string | null;
  send_id: string | null;
  /** Where that goes to, with which memo, and the transaction that was seen to carry it out. */
  sent_to: string | null;
  sent_memo: string | null;
  sent_transaction: string | null;
  /** Why it could not be sent back. */
  fault: string | null;
  decided_at: Date | null;
  decided_by: string | null;
  reason: string | null;
};

/** The operator who decided whose a stray is, and why. */
export type DecidedStray = { accountId: string; reason: string };

/** Where money of nobody's stands: by the rail that took it, apart from what came for payments. */
export function strayAccount(rail: string): Party {
  return { kind: 'suspense', owner: rail };
}

/** That account in one asset, for whoever locks it. */
export function strayRef(rail: string, asset: string): AccountRef {
  return { ...strayAccount(rail), mode: 'live', asset };
}

/** A stray by the ledger transfer that booked it; throws `not_found`. */
export async function findStray(reader: Reader, ledgerId: string): Promise<StrayRow> {
  const { rows } = await reader.query<StrayRow>('SELECT * FROM stray_transfers WHERE ledger_id = $1', [
    ledgerId,
  ]);
  const row = rows[0];
  if (!row) throw refuse(kitErrors.not_found);
  return row;
}

/** Locks a stray until the end of the transaction; after its payment, where there is one. Throws `not_found`. */
export async function lockStray(tx: Tx, ledgerId: string): Promise<StrayRow> {
  await tx.query('SELECT FROM stray_transfers WHERE ledger_id = $1 FOR UPDATE', [ledgerId]);
  return await findStray(tx, ledgerId);
}

/**
 * Takes a stray to a live payment of its currency, as if it had come for it when it arrived. Assigned once more
 * to the same payment it changes nothing. Throws `not_found`, `stray_decided` where it went elsewhere, and
 * `stray_payment` for a payment that it cannot pay.
 */
export async function assignStray(
  tx: Tx,
  deps: StateDeps,
  ledgerId: string,
  paymentId: string,
  by: DecidedStray,
): Promise<Payment> {
  const payment = await lockPayment(tx, paymentId);
  const stray = await lockStray(tx, ledgerId);
  if (stray.payment_id === payment.id) return payment;
  if (stray.state !== 'open') throw refuse(paymentErrors.stray_decided);
  if (payment.mode !== 'live' || !isOfCurrency(deps.assets, payment, stray)) {
    throw refuse(paymentErrors.stray_payment);
  }
  await decide(tx, ledgerId, { state: 'assigned', paymentId: payment.id }, by, deps.now());
  const { rail, key, transaction, asset, units, sender } = stray;
  const paid = await recordTransfer(
    tx,
    deps,
    {
      ...{ rail, key, paymentId, transaction, asset, units, state: 'final', confirmations: 1, needed: 1 },
      ...(sender !== null && { sender }),
    },
    // Money counts from when it came, but not from before there was anything to pay.
    stray.at > payment.createdAt ? stray.at : payment.createdAt,
    { source: strayAccount(rail) },
  );
  const isBooked = (await transfersOf(tx, paymentId)).some(
    (each) => each.rail === rail && each.key === key && each.state === 'final',
  );
  if (!isBooked) throw new Error(`Stray ${rail} ${key} was told to another payment, and not that it is gone`);
  return paid;
}

/**
 * Notes that a stray is the operator's own, as what they send there to pay for fees: it is the treasury's, and lies
 * where it came. Throws `not_found`, and `stray_decided` where somebody has decided otherwise.
 */
export async function keepStray(tx: Tx, ledgerId: string, by: DecidedStray, now: Date): Promise<StrayRow> {
  const stray = await lockStray(tx, ledgerId);
  if (stray.state !== 'open') throw refuse(paymentErrors.stray_decided);
  await decide(tx, ledgerId, { state: 'own', paymentId: null }, by, now);
  const { rail, asset, units } = stray;
  const sides = { debit: strayAccount(rail), credit: treasuryOf(rail) };
  const cause = { cause: 'stray_kept', causeId: ledgerId };
  await postAll(tx, [{ id: newId(now), mode: 'live', asset, units, ...sides, ...cause }], now);
  return stray;
}

async function decide(
  tx: Tx,
  ledgerId: string,
  { state, paymentId }: { state: StrayState; paymentId: string | null },
  { accountId, reason }: DecidedStray,
  now: Date,
): Promise<void> {
  await tx.query(
    `UPDATE stray_transfers SET state = $2, payment_id = $3, decided_at = $4, decided_by = $5, reason = $6
     WHERE ledger_id = $1`,
    [ledgerId, state, paymentId, now, accountId, reason],
  );
}
