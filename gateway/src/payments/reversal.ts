import type { Tx } from '../kit/db/db.ts';
import { newId } from '../kit/ids.ts';
import { sourcesOf } from '../ledger/by-cause.ts';
import { type Party, postAll, type Transfer } from '../ledger/ledger.ts';
import { coverShortage } from '../ledger/receivable.ts';
import type { Payment } from './payment.ts';
import { countingOf, dueUnits, finalUnits, isOfCurrency, transfersOf } from './received.ts';
import { voidRefund } from './refunds.ts';
import { settle } from './settle.ts';
import { isSettled, reverseShares } from './settled-shares.ts';
import type { TransferRow } from './sql.ts';
import { moveTo, type StateDeps } from './state.ts';

/**
 * Undoes the booking of a transfer that was final and has left its chain, by counter-entries. A settled payment
 * is taken apart; when what is left still covers the amount due it is settled anew with that, else what is left
 * stays in suspense, and a completed payment comes into appeal. Returns the payment as it then is.
 */
export async function undoBooking(
  tx: Tx,
  deps: StateDeps,
  payment: Payment,
  lost: TransferRow,
): Promise<Payment> {
  const now = deps.now();
  const source = (await sourcesOf(tx, [lost.ledger_id])).get(lost.ledger_id)!;
  const id = await noteLoss(tx, lost, now);
  if (lost.returned_at !== null) {
    await undoReturn(tx, payment, lost, { id, source }, now);
    return payment;
  }
  const wasSettled = isOfCurrency(deps.assets, payment, lost) && (await isSettled(tx, payment));
  if (wasSettled) await reverseShares(tx, payment, now);
  const suspense: Party = { kind: 'suspense', owner: payment.integrationId };
  await postAll(tx, [lossOf(payment, lost, { id, source, from: suspense })], now);
  if (!wasSettled) return payment;
  const left = countingOf(deps.assets, payment, await transfersOf(tx, payment.id));
  if (finalUnits(deps.assets, left) >= dueUnits(payment)) {
    await settle(tx, deps.assets, payment, left, now);
    return payment;
  }
  if (payment.status !== 'completed') return payment;
  return (await moveTo(tx, deps, payment, { to: 'in-appeal', reason: 'reorg' }))!;
}

type Loss = { id: string; source: Party; from: Party };

function lossOf(payment: Payment, { asset, units }: TransferRow, { id, source, from }: Loss): Transfer {
  const { mode } = payment;
  return { id, mode, asset, units, debit: from, credit: source, cause: 'payment_lost', causeId: payment.id };
}

/** A transfer that had been given back: what is owed is owed no longer; what was sent the business must bear. */
async function undoReturn(
  tx: Tx,
  payment: Payment,
  lost: TransferRow,
  { id, source }: Pick<Loss, 'id' | 'source'>,
  now: Date,
): Promise<void> {
  const owner = payment.integrationId;
  if (await voidRefund(tx, lost)) {
    await postAll(tx, [lossOf(payment, lost, { id, source, from: { kind: 'payable', owner } })], now);
    return;
  }
  const borne = lossOf(payment, lost, { id, source, from: { kind: 'business', owner } });
  await postAll(tx, await coverShortage(tx, { owner, mode: payment.mode }, [borne], now), now);
}

/** Notes a loss, of which operators are told. Returns the id of its counter-entry. */
async function noteLoss(
  tx: Tx,
  { payment_id, rail, key, transaction, asset, units }: TransferRow,
  now: Date,
): Promise<string> {
  const id = newId(now);
  await tx.query(
    `INSERT INTO payment_losses (id, payment_id, rail, key, transaction, asset, units, at)
     VALUES ($1, $2, $3, $4, $5, $6, $7, $8)`,
    [id, payment_id, rail, key, transaction, asset, units, now],
  );
  return id;
}
