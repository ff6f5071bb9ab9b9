import type { Observation } from '../../rails/rail.ts';
import type { PaymentId } from '../payment/payment.ts';

/** A transfer that a rail saw for a payment, as it is stored. */
export type TransferRow = {
  rail: string;
  key: string;
  payment_id: PaymentId;
  ledger_id: string;
  transaction: string;
  asset: string;
  units: bigint;
  state: 'seen' | 'final' | 'gone';
  confirmations: number;
  needed: number;
  /** When it came: when its chain took it, or when it was seen first, whichever is earlier. */
  seen_at: Date;
  final_at: Date | null;
  gone_at: Date | null;
  sender: string | null;
  /** When it was refunded; from then on it no longer counts for the payment. */
  returned_at: Date | null;
  /** Its address passes it on to the merchant's own: it counts for the payment, and is never the gateway's. */
  is_direct: boolean;
  /** The merchant's own address, and the host's part in basis points; both are null where it is not direct. */
  own_address: string | null;
  host_points: number | null;
};

/**
 * A transfer after a rail reported it at `at`; null: nothing of it changes. Later reports correct a transfer until it is
 * final, since only one endpoint may have said what was seen first. A final one stays final, unless it leaves its chain: if
 * it comes back it is booked anew, under `newLedgerId`. One that never was final may turn out to be of another payment.
 */
export function reported(
  known: TransferRow | undefined,
  seen: Observation,
  at: Date,
  newLedgerId: string,
): TransferRow | null {
  const { rail, key, transaction, state, confirmations, needed, takenAt, sender = null } = seen;
  const is_direct = seen.direct !== undefined;
  const [own_address, host_points] = [seen.direct?.merchant ?? null, seen.direct?.basisPoints ?? null];
  const payment_id = seen.paymentId as PaymentId;
  const direct = { is_direct, own_address, host_points };
  const news = { rail, key, payment_id, transaction, state, confirmations, needed, sender, ...direct };
  const { asset, units } = seen;
  const final_at = known?.final_at ?? (state === 'final' ? at : null);
  const gone_at = state === 'gone' ? (known?.gone_at ?? at) : null;
  if (!known) {
    const seen_at = takenAt ?? at;
    return {
      ...news,
      ...{ asset, units, ledger_id: newLedgerId, seen_at, final_at, gone_at, returned_at: null },
    };
  }
  const wasFinal = known.state === 'final';
  const isFree = known.state === 'gone' && known.final_at === null;
  if ((wasFinal && state !== 'gone') || (known.payment_id !== payment_id && !isFree)) return null;
  const isBack = known.state === 'gone' && state !== 'gone';
  return {
    ...news,
    ...(wasFinal ? { asset: known.asset, units: known.units } : { asset, units }),
    ledger_id: isBack ? newLedgerId : known.ledger_id,
    seen_at: wasFinal ? known.seen_at : (takenAt ?? known.seen_at),
    ...{ final_at, gone_at, returned_at: known.returned_at },
  };
}

/** The name of a transfer among all of them. */
export const transferName = ({ rail, key }: Pick<TransferRow, 'rail' | 'key'>): string => `${rail} ${key}`;

/** The order in which their chains took them. */
export function inOrder(a: TransferRow, b: TransferRow): number {
  return a.seen_at.getTime() - b.seen_at.getTime() || (a.key < b.key ? -1 : 1);
}
