import type { Reader } from '../../kit/db/db.ts';
import { type Assets, currencyScale, fineScale } from '../../money/assets.ts';
import { rescale } from '../../money/money.ts';
import { type Charge, type ChargedPayment, isCharged, type Payment } from '../payment/payment.ts';
import type { TransferRow } from './transfer.ts';

/** Every transfer that a rail saw for the payment, in the order in which they came. */
export async function transfersOf(reader: Reader, paymentId: string): Promise<TransferRow[]> {
  return await transfersOfAll(reader, [paymentId]);
}

/** The same of many payments. */
export async function transfersOfAll(reader: Reader, ids: readonly string[]): Promise<TransferRow[]> {
  const { rows } = await reader.query<TransferRow>({
    name: 'transfers-in-order',
    text: 'SELECT * FROM payment_transfers WHERE payment_id = ANY ($1) ORDER BY seen_at, key',
    values: [ids],
  });
  return rows;
}

/** Whether a transfer is of the payment's currency. One of another never counts: it stays in suspense and is shown. */
export function isOfCurrency(
  assets: Assets,
  payment: { currency: string | null },
  transfer: Pick<TransferRow, 'asset'>,
): boolean {
  return assets.find(transfer.asset)?.currency === payment.currency;
}

/** The transfers that count for the payment: those of its currency that are not refunded. */
export function countingOf(assets: Assets, payment: Payment, transfers: TransferRow[]): TransferRow[] {
  return transfers.filter((each) => each.returned_at === null && isOfCurrency(assets, payment, each));
}

// Assets of one currency differ in their decimals: they are added up at `fineScale`.

/** What one transfer is worth, at `fineScale`. */
export function fineUnits(assets: Assets, transfer: Pick<TransferRow, 'asset' | 'units'>): bigint {
  return rescale(transfer.units, assets.get(transfer.asset).scale, fineScale);
}

/** What the customer has to pay, at `fineScale`. */
export function dueUnits(payment: Pick<Charge, 'amountDue' | 'currency'>): bigint {
  return rescale(payment.amountDue, currencyScale[payment.currency], fineScale);
}

/** What completes it, at `fineScale`: what is due, or what it was completed with where that was less. */
export function completingUnits(
  payment: Pick<ChargedPayment, 'amountDue' | 'currency' | 'shortUnits'>,
): bigint {
  return payment.shortUnits ?? dueUnits(payment);
}

/** What arrived in the payment's currency and is still on its chain, at `fineScale`. */
export function receivedUnits(assets: Assets, payment: Payment, transfers: TransferRow[]): bigint {
  return transfers
    .filter((each) => each.state !== 'gone' && isOfCurrency(assets, payment, each))
    .reduce((sum, each) => sum + fineUnits(assets, each), 0n);
}

/** What arrived beyond what was to be paid, at `fineScale`. */
export function overpaidUnits(assets: Assets, payment: Payment, transfers: TransferRow[]): bigint {
  if (!isCharged(payment)) return 0n;
  const more = receivedUnits(assets, payment, transfers) - completingUnits(payment);
  return more > 0n ? more : 0n;
}

/** What of that went to the merchant's own address, and the host's part of it, at `fineScale`. */
export function directOverpaid(
  assets: Assets,
  payment: Payment,
  transfers: TransferRow[],
): { units: bigint; fee: bigint } {
  const direct = transfers.filter(({ is_direct }) => is_direct);
  const units = overpaidUnits(assets, payment, direct);
  const points = direct.find(({ state }) => state !== 'gone')?.host_points ?? 0;
  return { units, fee: hostPart(units, points) };
}

const allPoints = 10_000n;

/** What the host gets of units that a splitter divides, rounded down (contracts/Splitter.sol). */
export const hostPart = (units: bigint, points: number): bigint => (units * BigInt(points)) / allPoints;

/** What of these transfers is final, at `fineScale`. */
export function finalUnits(assets: Assets, transfers: TransferRow[]): bigint {
  return transfers
    .filter(({ state }) => state === 'final')
    .reduce((sum, each) => sum + fineUnits(assets, each), 0n);
}

/** What is still to be paid, at `fineScale`; never negative, and nothing of an open payment. */
export function missingUnits(assets: Assets, payment: Payment, transfers: TransferRow[]): bigint {
  if (!isCharged(payment)) return 0n;
  const missing = dueUnits(payment) - receivedUnits(assets, payment, transfers);
  return missing > 0n ? missing : 0n;
}

/** Units at `fineScale` as units of an asset with fewer decimals, rounded up to what can be sent. */
export function sendableUnits(fine: bigint, scale: number): bigint {
  const unit = 10n ** BigInt(fineScale - scale);
  return (fine + unit - 1n) / unit;
}
