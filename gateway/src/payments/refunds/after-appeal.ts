import type { Reader } from '../../kit/db/db.ts';
import { sourcesOf } from '../../ledger/by-cause.ts';
import type { Party } from '../../ledger/ledger.ts';
import type { Changes } from '../settlement/changes.ts';
import { announceRefunded, recordRefundEvent } from '../settlement/events.ts';
import type { Refund } from '../settlement/refund.ts';
import { makeDirectOwed, makeRefund } from '../settlement/refund-money.ts';
import { isSettled, reverseShares } from '../settlement/settle.ts';
import type { TransferRow } from '../settlement/transfer.ts';
import { cancelOpenRefund } from './cancel.ts';
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
 * paid at once, the rest once the customer says where to; what is at the merchant's own address, the merchant sends. Of a settled payment the shares are reversed first; what the
 * business balance lacks becomes a receivable (contract.md#states). Null when nothing came that could go back. The caller
 * records their events (`announceRefunds`).
 */
export async function refundAll(changes: Changes, paymentId: string): Promise<Refund[] | null> {
  const { tx, deps } = changes;
  const returnables = await returnablesOf(tx, changes.transfersOf(paymentId));
  if (returnables.length === 0) return null;
  const { mode } = changes.payment(paymentId);
  const sources = returnables.map(({ source, transfer: { asset } }) => ({ ...source, mode, asset }));
  await changes.lockMoney(new Map([[paymentId, []]]), sources);
  await cancelWaiting(changes, paymentId);
  if (isSettled(changes.payment(paymentId))) await reverseShares(changes, paymentId);
  // The shares are reversed: what earlier refunds took is all out of suspense now.
  for (const refund of changes.refundsOf(paymentId)) {
    if (refund.status === 'cancelled') continue;
    changes.changeRefund({ ...refund, parts: { ...noParts, suspense: refund.units }, isOwed: true });
  }
  const made: Refund[] = [];
  for (const [asset, { suspense }] of await changes.bookedOf(paymentId)) {
    let left = suspense;
    const make = (units: bigint, wallet: string | null): void => {
      if (units <= 0n) return;
      const parts = { ...noParts, suspense: units };
      const wanted = { asset, parts, isOwed: true, reason: null, wallet, isAtOnce: wallet !== null };
      made.push(makeRefund(changes, paymentId, wanted));
      left -= units;
    };
    const rows = { transfers: changes.transfersOf(paymentId), refunds: changes.refundsOf(paymentId) };
    for (const [user, open] of await walletParts(tx, rows, asset)) make(open < left ? open : left, user);
    make(left, null);
  }
  const now = deps.now();
  for (const { transfer } of returnables) changes.changeTransfer({ ...transfer, returned_at: now });
  const direct = returnables.filter(({ transfer }) => transfer.is_direct);
  for (const asset of new Set(direct.map(({ transfer }) => transfer.asset)))
    made.push(...[makeDirectOwed(changes, paymentId, asset)].filter((each) => each !== null));
  await assertNothingLeft(changes, paymentId);
  return made;
}

const noParts = { overpayment: 0n, business: 0n, fees: 0n, suspense: 0n };

/** Cancels what waits for approval to go to wallets, and what waits with it: all of it goes back now without approval. */
async function cancelWaiting(changes: Changes, paymentId: string): Promise<void> {
  const isWaiting = ({ wallet, status }: Refund) => wallet !== null && status === 'awaiting_approval';
  for (;;) {
    const waiting = changes.refundsOf(paymentId).find(isWaiting);
    if (!waiting) return;
    await cancelOpenRefund(changes, paymentId, waiting.id);
  }
}

/** Records the events of the refunds that the end of an appeal made; that of the appeal comes first. */
export function announceRefunds(changes: Changes, refunds: readonly Refund[]): void {
  for (const refund of refunds) {
    recordRefundEvent(changes, refund, 'refund_created');
    if (refund.status === 'completed') announceRefunded(changes, refund);
  }
}

/** All payments of an integration share one suspense account: no refund may take another payment's money. */
async function assertNothingLeft(changes: Changes, paymentId: string): Promise<void> {
  const booked = [...(await changes.bookedOf(paymentId))];
  const left = booked.filter(([, { suspense }]) => suspense !== 0n);
  if (left.length === 0) return;
  const parts = left.map(([asset, { suspense }]) => `${suspense} ${asset}`);
  throw new Error(`Payment ${paymentId} was refunded, and its suspense still holds ${parts.join(', ')}`);
}
