import type { Tx } from '../kit/db/db.ts';
import { newId } from '../kit/ids.ts';
import { netByCause, sourcesOf } from '../ledger/by-cause.ts';
import { type Party, postAll, type Transfer } from '../ledger/ledger.ts';
import { lockMoney } from './locks.ts';
import type { Payment } from './payment.ts';
import { transfersOf } from './received.ts';
import { noteRefund } from './refunds.ts';
import { reverseShares } from './settled-shares.ts';
import type { TransferRow } from './sql.ts';

// A settled payment is first taken apart. Then each transfer goes back to where it came from, out of suspense.

/** The transfers that giving the money back would send: all that are final and were not given back before. */
export function returnable(transfers: TransferRow[]): TransferRow[] {
  return transfers.filter(({ state, returned_at }) => state === 'final' && returned_at === null);
}

/**
 * Where one transfer goes: straight back inside the ledger, or to what is owed until a rail can send it. What was
 * nobody's before it was this payment's is not nobody's again.
 */
export function wayBack(payment: Pick<Payment, 'mode'>, source: Party): 'sent' | 'requested' {
  return payment.mode === 'live' && source.kind !== 'user' ? 'requested' : 'sent';
}

/**
 * Gives back all that came for a payment, wrong tokens too: the customer gets exactly what they paid, so the
 * business gives its share and the fee is given up. What the business balance lacks it owes (contract.md 5).
 * Returns false when there is nothing to give back.
 */
export async function giveBack(tx: Tx, payment: Payment, now: Date): Promise<boolean> {
  const transfers = returnable(await transfersOf(tx, payment.id));
  if (transfers.length === 0) return false;
  const sources = await sourcesOf(
    tx,
    transfers.map(({ ledger_id }) => ledger_id),
  );
  const { mode } = payment;
  const backTo = transfers.map(({ ledger_id, asset }) => ({ ...sources.get(ledger_id)!, mode, asset }));
  await lockMoney(tx, [{ payment }], backTo);
  await reverseShares(tx, payment, now);
  const suspense: Party = { kind: 'suspense', owner: payment.integrationId };
  const payable: Party = { kind: 'payable', owner: payment.integrationId };
  const refunds = transfers.map((transfer) => {
    const source = sources.get(transfer.ledger_id)!;
    return { id: newId(now), transfer, source, state: wayBack(payment, source) };
  });
  await postAll(
    tx,
    refunds.map(({ id, transfer: { asset, units }, source, state }): Transfer => {
      const [credit, cause] = state === 'sent' ? [source, 'payment_returned'] : [payable, 'refund_owed'];
      return { id, mode: payment.mode, asset, units, debit: suspense, credit, cause, causeId: payment.id };
    }),
    now,
  );
  for (const { id, transfer, state } of refunds) await noteRefund(tx, id, transfer, state, now);
  await assertNothingLeft(tx, payment);
  return true;
}

/** All payments of an integration share its suspense: one must never be given back out of another's money. */
async function assertNothingLeft(tx: Tx, payment: Payment): Promise<void> {
  const left = (await netByCause(tx, payment.id)).filter(
    ({ kind, owner }) => kind === 'suspense' && owner === payment.integrationId,
  );
  if (left.length > 0) {
    const parts = left.map(({ asset, units }) => `${units} ${asset}`);
    throw new Error(`Payment ${payment.id} was given back, and suspense is left with ${parts.join(', ')}`);
  }
}
