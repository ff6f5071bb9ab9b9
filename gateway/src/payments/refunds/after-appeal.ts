import type { Reader, Tx } from '../../kit/db/db.ts';
import { sourcesOf } from '../../ledger/by-cause.ts';
import type { Party } from '../../ledger/ledger.ts';
import type { Payment } from '../payment/payment.ts';
import type { StateDeps } from '../payment/state.ts';
import { bookedOf } from '../settlement/booked.ts';
import { lockMoney } from '../settlement/locks.ts';
import { transfersOf } from '../settlement/received.ts';
import { type Refund, refundsOf } from '../settlement/refund.ts';
import { announceRefunded, recordRefundEvent } from '../settlement/refund-events.ts';
import { makeRefund } from '../settlement/refund-money.ts';
import { isSettled, reverseShares } from '../settlement/settle.ts';
import type { TransferRow } from '../settlement/transfer.ts';
import { cancelRefund } from './cancel.ts';
import { walletParts } from './refundable.ts';

/** What came for a payment and was not refunded, and out of whose account. */
export type Returnable = { transfer: TransferRow; source: Party };

/** What the end of an appeal would refund now: each final transfer that was not refunded. */
export async function returnablesOf(
  reader: Reader,
  transfers: readonly TransferRow[],
): Promise<Returnable[]> {
  const open = transfers.filter(({ state, returned_at }) => state === 'final' && returned_at === null);
  const sources = await sourcesOf(
    reader,
    open.map(({ ledger_id }) => ledger_id),
  );
  return open.map((transfer) => {
    const source = sources.get(transfer.ledger_id);
    if (!source) throw new Error(`Ledger transfer ${transfer.ledger_id} was never booked`);
    return { transfer, source };
  });
}

/**
 * Refunds all that came for a payment and was not refunded yet, also what came in another currency: to the wallets that
 * paid at once, the rest once the customer says where to. Of a settled payment the shares are reversed first; what the
 * business balance lacks becomes a receivable (contract.md#states). Null when nothing came that could go back. The caller
 * announces them (`announceRefunds`).
 */
export async function refundAll(tx: Tx, deps: StateDeps, payment: Payment): Promise<Refund[] | null> {
  const now = deps.now();
  const returnables = await returnablesOf(tx, await transfersOf(tx, payment.id));
  if (returnables.length === 0) return null;
  const { mode } = payment;
  const sources = returnables.map(({ source, transfer: { asset } }) => ({ ...source, mode, asset }));
  await lockMoney(tx, [{ payment }], sources);
  await cancelWaiting(tx, deps, payment);
  const current = isSettled(payment) ? await reverseShares(tx, payment, now) : payment;
  // Its shares are gone: what earlier refunds were made up of is no longer known apart.
  await tx.query(
    `UPDATE payment_refunds SET from_suspense = units, from_overpayment = 0, from_business = 0, from_fees = 0,
       is_owed = true
     WHERE payment_id = $1 AND status <> 'cancelled'`,
    [payment.id],
  );
  const made: Refund[] = [];
  for (const [asset, { suspense }] of await bookedOf(tx, current)) {
    let left = suspense;
    const make = async (units: bigint, wallet: string | null): Promise<void> => {
      if (units <= 0n) return;
      const parts = { overpayment: 0n, business: 0n, fees: 0n, suspense: units };
      made.push(
        await makeRefund(
          tx,
          current,
          { asset, parts, isOwed: true, reason: null, wallet, isAtOnce: wallet !== null },
          now,
        ),
      );
      left -= units;
    };
    for (const [user, open] of await walletParts(tx, current, asset)) {
      await make(open < left ? open : left, user);
    }
    await make(left, null);
  }
  await tx.query(
    `UPDATE payment_transfers SET returned_at = $2
     WHERE payment_id = $1 AND state = 'final' AND returned_at IS NULL`,
    [payment.id, now],
  );
  await assertNothingLeft(tx, current);
  return made;
}

/** What waits for approval to go to wallets, and what waits with it: all of it goes back now without one. */
async function cancelWaiting(tx: Tx, deps: StateDeps, payment: Payment): Promise<void> {
  const isWaiting = ({ wallet, status }: Refund) => wallet !== null && status === 'awaiting_approval';
  for (;;) {
    const waiting = (await refundsOf(tx, payment.id)).find(isWaiting);
    if (!waiting) return;
    await cancelRefund(tx, deps, payment.id, waiting.id);
  }
}

/** The events of the refunds that an appeal ended with, behind its own. */
export async function announceRefunds(
  tx: Tx,
  deps: StateDeps,
  payment: Payment,
  refunds: readonly Refund[],
  now: Date,
): Promise<void> {
  for (const refund of refunds) {
    await recordRefundEvent(tx, deps, payment, refund, 'refund_created', now);
    if (refund.status === 'completed') await announceRefunded(tx, deps, payment, refund, now);
  }
}

/** All payments of an integration share one suspense account: no refund may take another payment's money. */
async function assertNothingLeft(tx: Tx, payment: Payment): Promise<void> {
  const left = [...(await bookedOf(tx, { ...payment, hasRefunds: true }))].filter(
    ([, { suspense }]) => suspense !== 0n,
  );
  if (left.length === 0) return;
  const parts = left.map(([asset, { suspense }]) => `${suspense} ${asset}`);
  throw new Error(`Payment ${payment.id} was refunded, and its suspense still holds ${parts.join(', ')}`);
}
