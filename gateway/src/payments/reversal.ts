import type { Reader, Tx } from '../kit/db/db.ts';
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
import { moveLocked, type StateDeps } from './state.ts';

/**
 * Reverses the booking of a transfer that was final and has left its chain, by counter-entries. The shares of a settled
 * payment are reversed first. If the rest still covers the amount due, the payment is settled anew with it; otherwise
 * the rest stays in suspense, and a completed payment comes into appeal. Returns the payment as it then is.
 */
export async function reverseTransfer(
  tx: Tx,
  deps: StateDeps,
  payment: Payment,
  gone: TransferRow,
): Promise<Payment> {
  const now = deps.now();
  const source = await sourceOf(tx, gone);
  const id = await noteReversal(tx, gone, now);
  if (gone.returned_at !== null) {
    await reverseRefunded(tx, payment, gone, { id, source }, now);
    return payment;
  }
  const wasSettled = isOfCurrency(deps.assets, payment, gone) && (await isSettled(tx, payment));
  if (wasSettled) await reverseShares(tx, payment, now);
  const suspense: Party = { kind: 'suspense', owner: payment.integrationId };
  await postAll(tx, [reversalOf(payment, gone, { id, source, from: suspense })], now);
  if (!wasSettled) return payment;
  const left = countingOf(deps.assets, payment, await transfersOf(tx, payment.id));
  if (finalUnits(deps.assets, left) >= dueUnits(payment)) {
    await settle(tx, deps.assets, payment, left, now);
    return payment;
  }
  if (payment.status !== 'completed') return payment;
  return await moveLocked(tx, deps, payment, { to: 'in-appeal', reason: 'reorg' });
}

/** Where the money of a transfer came from, as it was booked. */
async function sourceOf(reader: Reader, { ledger_id }: TransferRow): Promise<Party> {
  const source = (await sourcesOf(reader, [ledger_id])).get(ledger_id);
  if (!source) throw new Error(`Ledger transfer ${ledger_id} was never booked`);
  return source;
}

/** The counter-entry: its id, and from which account the money goes back to its source. */
type Reversal = { id: string; source: Party; from: Party };

function reversalOf(
  payment: Payment,
  { asset, units }: TransferRow,
  { id, source, from }: Reversal,
): Transfer {
  const { mode } = payment;
  return { id, mode, asset, units, debit: from, credit: source, cause: 'payment_lost', causeId: payment.id };
}

/** Of a transfer that is refunded: an unsent refund ends, and the business bears one that was sent. */
async function reverseRefunded(
  tx: Tx,
  payment: Payment,
  gone: TransferRow,
  { id, source }: Pick<Reversal, 'id' | 'source'>,
  now: Date,
): Promise<void> {
  const owner = payment.integrationId;
  if (await voidRefund(tx, gone)) {
    await postAll(tx, [reversalOf(payment, gone, { id, source, from: { kind: 'payable', owner } })], now);
    return;
  }
  const borne = reversalOf(payment, gone, { id, source, from: { kind: 'business', owner } });
  await postAll(tx, await coverShortage(tx, { owner, mode: payment.mode }, [borne], now), now);
}

/** Notes a reversal, which is mailed to operators. Returns the id of its counter-entry. */
async function noteReversal(
  tx: Tx,
  { payment_id, rail, key, transaction, asset, units }: TransferRow,
  now: Date,
): Promise<string> {
  const id = newId(now);
  await tx.query(
    `INSERT INTO payment_reversals (id, payment_id, rail, key, transaction, asset, units, at)
     VALUES ($1, $2, $3, $4, $5, $6, $7, $8)`,
    [id, payment_id, rail, key, transaction, asset, units, now],
  );
  return id;
}
