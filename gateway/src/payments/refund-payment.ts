import type { Reader, Tx } from '../kit/db/db.ts';
import { newId } from '../kit/ids.ts';
import { netByCause, sourcesOf } from '../ledger/by-cause.ts';
import { type Party, postAll, type Transfer } from '../ledger/ledger.ts';
import { lockMoney } from './locks.ts';
import type { Payment } from './payment.ts';
import { transfersOf } from './received.ts';
import { noteRefund } from './refunds.ts';
import { reverseShares } from './settled-shares.ts';
import type { TransferRow } from './sql.ts';

/** The refund of one transfer: `sent` at once inside the ledger, or `requested` until a rail can send it. */
export type PlannedRefund = { transfer: TransferRow; source: Party; state: 'sent' | 'requested' };

/** What refunding a payment would do now: one refund for each final transfer that is not refunded yet. */
export async function plannedRefunds(
  reader: Reader,
  payment: Pick<Payment, 'mode'>,
  transfers: TransferRow[],
): Promise<PlannedRefund[]> {
  const open = transfers.filter(({ state, returned_at }) => state === 'final' && returned_at === null);
  const ids = open.map(({ ledger_id }) => ledger_id);
  const sources = await sourcesOf(reader, ids);
  return open.map((transfer) => {
    const source = sources.get(transfer.ledger_id);
    if (!source) throw new Error(`Ledger transfer ${transfer.ledger_id} was never booked`);
    // An unmatched deposit that was assigned to the payment is refunded to the customer, not made unmatched again.
    const state = payment.mode === 'live' && source.kind !== 'user' ? 'requested' : 'sent';
    return { transfer, source, state };
  });
}

/**
 * Refunds all that came for a payment, also what came in another currency. The customer gets exactly what they paid:
 * the shares of a settled payment are reversed first, and what the business balance lacks becomes a receivable
 * (contract.md 5). Returns false when there is nothing to refund.
 */
export async function refundPayment(tx: Tx, payment: Payment, now: Date): Promise<boolean> {
  const planned = await plannedRefunds(tx, payment, await transfersOf(tx, payment.id));
  if (planned.length === 0) return false;
  const { mode, integrationId: owner } = payment;
  const sources = planned.map(({ transfer: { asset }, source }) => ({ ...source, mode, asset }));
  await lockMoney(tx, [{ payment }], sources);
  await reverseShares(tx, payment, now);
  const suspense: Party = { kind: 'suspense', owner };
  const payable: Party = { kind: 'payable', owner };
  const refunds = planned.map((each) => ({ id: newId(now), ...each }));
  await postAll(
    tx,
    refunds.map(({ id, transfer: { asset, units }, source, state }): Transfer => {
      const [credit, cause] = state === 'sent' ? [source, 'payment_returned'] : [payable, 'refund_owed'];
      return { id, mode, asset, units, debit: suspense, credit, cause, causeId: payment.id };
    }),
    now,
  );
  for (const { id, transfer, state } of refunds) await noteRefund(tx, id, transfer, state, now);
  await assertNothingLeft(tx, payment);
  return true;
}

/** All payments of an integration share one suspense account: no refund may take another payment's money. */
async function assertNothingLeft(tx: Tx, payment: Payment): Promise<void> {
  const left = (await netByCause(tx, payment.id)).filter(
    ({ kind, owner }) => kind === 'suspense' && owner === payment.integrationId,
  );
  if (left.length > 0) {
    const parts = left.map(({ asset, units }) => `${units} ${asset}`);
    throw new Error(`Payment ${payment.id} was refunded, and its suspense still holds ${parts.join(', ')}`);
  }
}
