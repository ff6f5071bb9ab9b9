import type { Reader } from '../../kit/db/db.ts';
import { comparable } from '../../payouts/rules/addresses.ts';
import { transfersOf } from '../settlement/received.ts';
import type { Refund } from '../settlement/refund.ts';
import { refundsOf } from '../settlement/refund-rows.ts';
import type { TransferRow } from '../settlement/transfer.ts';

type Sent = Pick<TransferRow, 'sender' | 'asset' | 'units' | 'state'>;
type GoneBack = Pick<Refund, 'asset' | 'units' | 'status' | 'to' | 'proof'>;

/**
 * The addresses from which at least so many final units of the asset came, less what was refunded to them or by their
 * signature. Anybody can send a little to the address of a payment; that makes nobody the owner of what others sent.
 */
export function sendersAmong(
  transfers: readonly Sent[],
  refunds: readonly GoneBack[],
  { asset, units }: { asset: string; units: bigint },
): string[] {
  const sums = new Map<string, bigint>();
  const add = (address: string, change: bigint): unknown =>
    sums.set(comparable(address), (sums.get(comparable(address)) ?? 0n) + change);
  for (const each of transfers) {
    if (each.sender !== null && each.asset === asset && each.state === 'final') add(each.sender, each.units);
  }
  for (const each of refunds) {
    const address = each.proof?.provedBy ?? each.to;
    if (address !== null && each.asset === asset && each.status !== 'cancelled') add(address, -each.units);
  }
  return [...sums].filter(([, left]) => left >= units).map(([address]) => address);
}

/** The addresses that so much of the payment came from; see `sendersAmong`. */
export async function sendersOf(
  reader: Reader,
  payment: { id: string },
  amount: { asset: string; units: bigint },
): Promise<string[]> {
  const transfers = await transfersOf(reader, payment.id);
  return sendersAmong(transfers, await refundsOf(reader, payment.id), amount);
}

/** Whether so much of the payment came from this address, in the asset, and was not refunded to it yet. */
export async function isSender(
  reader: Reader,
  payment: { id: string },
  amount: { asset: string; units: bigint },
  address: string,
): Promise<boolean> {
  return (await sendersOf(reader, payment, amount)).includes(comparable(address));
}
