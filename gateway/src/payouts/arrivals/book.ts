import type { Tx } from '../../kit/db/db.ts';
import { type AccountRef, type BookedAt, lockAccounts, postAll, type Transfer } from '../../ledger/ledger.ts';
import { addressesOf } from '../../ledger/places.ts';
import { coverShortage, repayReceivable } from '../../ledger/receivable.ts';
import { type Booking, noteReported } from '../../ledger/reported.ts';
import type { Arrival } from '../../rails/owner.ts';
import type { ArrivalKind } from './arrival-kind.ts';

/**
 * Books what came to a reusable address: all of it belongs to the owner of the address, without fee, and pays first what
 * they owe. What the chain takes back is taken from their balance; what they have spent of it they owe. Reported twice it
 * is booked once. Returns what was booked; null: nothing.
 */
export async function bookArrival(
  tx: Tx,
  kind: ArrivalKind,
  arrival: Arrival,
  { mode, now }: BookedAt,
): Promise<Booking | null> {
  const { rail, key, ledgerId, owner, transaction, asset, units, sender, state, at } = arrival;
  const row = {
    [kind.ownerColumn]: owner.id,
    rail,
    key,
    transaction,
    asset,
    units,
    sender,
    at,
    booked_at: now,
  };
  const booking = await noteReported(tx, { table: kind.tables.arrivals, ledgerId, state, row }, now);
  if (booking) await post(tx, kind, { ...arrival, ...booking }, { mode, now });
  return booking;
}

async function post(
  tx: Tx,
  kind: ArrivalKind,
  booked: Arrival & Booking,
  { mode, now }: BookedAt,
): Promise<void> {
  const { id, rail, ledgerId, owner, asset, units, state } = booked;
  const holder = { owner: owner.id, mode } as const;
  const account = { kind: kind.account, owner: owner.id };
  await lockAccounts(
    tx,
    [kind.account, 'receivable' as const].map((each): AccountRef => ({ kind: each, ...holder, asset })),
  );
  const shared = { id, mode, asset, units, causeId: ledgerId } as const;
  const outside = addressesOf(rail);
  if (state === 'final') {
    await postAll(tx, [{ ...shared, debit: outside, credit: account, cause: kind.cause }], now);
    await repayReceivable(tx, { ...holder, assets: [asset], causeId: ledgerId }, now);
    return;
  }
  const reversal: Transfer = { ...shared, debit: account, credit: outside, cause: `${kind.cause}_undone` };
  await postAll(tx, await coverShortage(tx, holder, [reversal], now), now);
}
