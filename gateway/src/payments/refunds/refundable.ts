import type { Reader } from '../../kit/db/db.ts';
import { sourcesOf } from '../../ledger/by-cause.ts';
import { type Assets, fineScale } from '../../money/assets.ts';
import type { Payment } from '../payment/payment.ts';
import { type Booked, bookedOf, notBooked } from '../settlement/booked.ts';
import { directOverpaid, fineUnits, isOfCurrency, transfersOf } from '../settlement/received.ts';
import type { Refund } from '../settlement/refund.ts';
import { directUnits } from '../settlement/refund-money.ts';
import { refundsOf } from '../settlement/refund-rows.ts';
import { isSettled } from '../settlement/settle.ts';
import type { TransferRow } from '../settlement/transfer.ts';

/** What of a payment can be refunded in one asset, in its units. */
export type Refundable = {
  asset: string;
  /** The customer's own: more came than was due. */
  overpayment: bigint;
  /** Out of the business balance, and out of the fee where that is returned. */
  settled: bigint;
  /** Money of another currency than the payment's. */
  suspense: bigint;
  /** The same three of what is at the merchant's own address, who sends it. */
  direct: Held;
};

type Held = { overpayment: bigint; settled: bigint; suspense: bigint };

export const heldOf = ({ overpayment, settled, suspense }: Held): bigint => overpayment + settled + suspense;
export const totalOf = (refundable: Refundable): bigint => heldOf(refundable) + heldOf(refundable.direct);

/** The transfers and refunds of a payment. */
export type Rows = { transfers: readonly TransferRow[]; refunds: readonly Refund[] };

/**
 * What can be refunded of a payment now, net of refunds sent and under way; assets without any are left out. Money of a
 * payment that is not settled waits for its settlement, or for the end of its appeal.
 */
export async function refundableOf(reader: Reader, assets: Assets, payment: Payment): Promise<Refundable[]> {
  const transfers = await transfersOf(reader, payment.id);
  const refunds = payment.hasRefunds ? await refundsOf(reader, payment.id) : [];
  return refundableOfBooked(assets, payment, await bookedOf(reader, payment), { transfers, refunds });
}

/** The same, from what is booked for the payment, and its rows. */
export function refundableOfBooked(
  assets: Assets,
  payment: Payment,
  booked: ReadonlyMap<string, Booked>,
  rows: Rows,
): Refundable[] {
  const direct = rows.transfers.filter(({ is_direct }) => is_direct).map(({ asset }) => asset);
  return [...new Set([...booked.keys(), ...direct])]
    .map((asset) => ({
      asset,
      ...refundableIn(assets, payment, asset, booked.get(asset) ?? notBooked),
      direct: directIn(assets, payment, asset, rows),
    }))
    .filter((each) => totalOf(each) > 0n);
}

const none: Held = { overpayment: 0n, settled: 0n, suspense: 0n };

function refundableIn(assets: Assets, payment: Payment, asset: string, booked: Booked): Held {
  if (!isOfCurrency(assets, payment, { asset })) return { ...none, suspense: atLeastZero(booked.suspense) };
  if (!isSettled(payment)) return none;
  return {
    ...none,
    overpayment: atLeastZero(booked.overpayment),
    settled: atLeastZero(booked.business + booked.fees),
  };
}

/** What the merchant can be asked for: what came to their own address, less the host's part and what was refunded of it. */
function directIn(assets: Assets, payment: Payment, asset: string, rows: Rows): Held {
  const left = atLeastZero(directUnits(rows, asset));
  if (!isOfCurrency(assets, payment, { asset })) return { ...none, suspense: left };
  if (left === 0n || !isSettled(payment)) return none;
  const { units, fee } = directOverpaid(assets, payment, [...rows.transfers]);
  const refunded = rows.refunds
    .filter(({ isDirect, status }) => isDirect && status !== 'cancelled')
    .reduce(
      (sum, { parts, asset: code }) => sum + fineUnits(assets, { asset: code, units: parts.overpayment }),
      0n,
    );
  const most = atLeastZero(units - fee - refunded) / 10n ** BigInt(fineScale - assets.get(asset).scale);
  const overpayment = most < left ? most : left;
  return { ...none, overpayment, settled: left - overpayment };
}

const atLeastZero = (units: bigint): bigint => (units > 0n ? units : 0n);

/**
 * What a customer may claim of a payment without a refund that the merchant made: an overpayment, and money of another
 * currency, where the gateway has it; units by asset.
 */
export async function owedTo(reader: Reader, assets: Assets, payment: Payment): Promise<Map<string, bigint>> {
  const found = await refundableOf(reader, assets, payment);
  return new Map(
    found
      .map(({ asset, overpayment, suspense }) => [asset, overpayment + suspense] as const)
      .filter(([, units]) => units > 0n),
  );
}

/**
 * What users paid a payment out of their wallets in one asset, less what refunds gave or will give back; by the user. The
 * payment's transfers and refunds are given.
 */
export async function walletParts(
  reader: Reader,
  { transfers, refunds }: Rows,
  asset: string,
): Promise<Map<string, bigint>> {
  const final = transfers.filter(
    (each) => each.state === 'final' && each.returned_at === null && each.asset === asset,
  );
  const sources = await sourcesOf(
    reader,
    final.map(({ ledger_id }) => ledger_id),
  );
  const parts = new Map<string, bigint>();
  for (const { ledger_id, units } of final) {
    const source = sources.get(ledger_id);
    if (source?.kind === 'user') parts.set(source.owner, (parts.get(source.owner) ?? 0n) + units);
  }
  for (const { wallet, units, asset: code, status } of refunds) {
    if (wallet === null || code !== asset || status === 'cancelled' || !parts.has(wallet)) continue;
    parts.set(wallet, atLeastZero((parts.get(wallet) ?? 0n) - units));
  }
  return parts;
}
