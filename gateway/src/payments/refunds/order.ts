import type { Reader, Tx } from '../../kit/db/db.ts';
import { refuse } from '../../kit/errors.ts';
import { newId } from '../../kit/ids.ts';
import { type Assets, fineScale } from '../../money/assets.ts';
import { decimalOf, rescale } from '../../money/money.ts';
import type { Requester } from '../../payouts/lifecycle/order.ts';
import { payoutErrors } from '../../payouts/payout/errors.ts';
import { takeLimits } from '../../payouts/rules/limits.ts';
import { paymentErrors } from '../payment/errors.ts';
import type { Payment } from '../payment/payment.ts';
import type { StateDeps } from '../payment/state.ts';
import { lockMoney, lockPayment } from '../settlement/locks.ts';
import { businessShare, findRefund, type Refund, type RefundParts, refundsOf } from '../settlement/refund.ts';
import { recordRefundEvent } from '../settlement/refund-events.ts';
import { makeRefund } from '../settlement/refund-money.ts';
import { feeShare } from './fee-share.ts';
import { type Refundable, refundableOf, totalOf, walletParts } from './refundable.ts';
import { type Destination, moveToWallets, sendRefunds } from './send.ts';
import { isSender } from './senders.ts';
import { refundSettingsOf } from './settings.ts';

/** A refund as a merchant asks for it. */
export type WantedRefund = {
  /** Null: the one in which something can be refunded. */
  asset: string | null;
  /** Units of the asset; null: all that can be refunded in it. */
  units: bigint | null;
  /** Null: the customer is asked. */
  destination: Destination | null;
  reason: string | null;
};

/**
 * Makes a refund of a payment: of its overpayment first, then out of the business balance. What was paid from wallets goes
 * back to them, as refunds of their own; the rest is returned, or the last of them. They are approved as one, and nothing is
 * sent before. Refuses `nothing_to_refund`, `asset_required`, `refund_too_large`, `insufficient_balance`, and what
 * `orderPayouts` does.
 */
export async function orderRefund(
  tx: Tx,
  deps: StateDeps,
  paymentId: string,
  wanted: WantedRefund,
  requester: Requester,
  ownTime: Date,
): Promise<Refund> {
  const now = deps.now();
  const payment = await lockPayment(tx, paymentId);
  const refundable = await chosen(tx, deps.assets, payment, wanted);
  const { asset } = refundable;
  const units = wanted.units ?? totalOf(refundable);
  if (units > totalOf(refundable)) {
    const max = decimalOf(totalOf(refundable), deps.assets.get(asset).scale);
    throw refuse(paymentErrors.refund_too_large, { max, asset });
  }
  const wallets = [...(await walletParts(tx, payment, asset))];
  const { mode } = payment;
  const kinds = ['user', 'receivable'] as const;
  const users = wallets.flatMap(([owner]) => kinds.map((kind) => ({ kind, owner, mode, asset })));
  await lockMoney(tx, [{ payment, assets: [asset] }], users);
  const take = await partsTaker(tx, deps.assets, payment, refundable);
  const inWallets = partsOf(wallets, units);
  const rest = units - inWallets.reduce((sum, [, part]) => sum + part, 0n);
  const together = inWallets.length + (rest > 0n ? 1 : 0) > 1 ? newId(now) : null;
  const shared = { asset, isOwed: false, reason: wanted.reason, madeBy: requester.accountId, together };
  const made: Refund[] = [];
  for (const [wallet, part] of [...inWallets, ...(rest > 0n ? [[null, rest] as const] : [])]) {
    made.push(await makeRefund(tx, payment, { ...shared, parts: take(part), wallet }, now));
  }
  const last = made.at(-1);
  if (!last) throw new Error(`A refund of ${units} ${asset} was made of nothing`);
  const { destination } = wanted;
  const sent = destination ? made : made.filter(({ wallet }) => wallet !== null);
  const isAnyAddress =
    destination !== null && (await isSender(tx, payment, { asset, units: rest }, destination.to));
  const asOne = together === null ? null : { id: together, units };
  const terms = { destination, requester, ownTime, isAnyAddress, asOne };
  const ordered = await sendRefunds(tx, deps, payment, sent, terms);
  if (last.wallet === null && !destination) await leaveToCustomer(tx, deps, requester, last);
  for (const each of made) await recordRefundEvent(tx, deps, payment, each, 'refund_created', now);
  await moveToWallets(tx, deps, ordered);
  return (await findRefund(tx, payment.id, last.id)) ?? last;
}

/** What of so many units goes to each wallet. */
function partsOf(wallets: readonly [string, bigint][], units: bigint): [string, bigint][] {
  let left = units;
  return wallets.flatMap(([wallet, open]): [string, bigint][] => {
    const part = open < left ? open : left;
    left -= part;
    return part > 0n ? [[wallet, part]] : [];
  });
}

/**
 * The customer will say where it goes: once what it was ordered with is approved, if it is not by itself. The business's
 * share counts in the limits of the key that makes it from now on, until it ends unsent.
 */
async function leaveToCustomer(
  tx: Tx,
  { assets, now }: StateDeps,
  { limits }: Requester,
  { id: by, asset, parts, together }: Refund,
): Promise<void> {
  const inKey = { by, units: businessShare(parts) };
  await takeLimits(tx, { key: limits, operator: () => null }, [{ asset: assets.get(asset), inKey }], now());
  if (together !== null)
    await tx.query("UPDATE payment_refunds SET status = 'awaiting_approval' WHERE id = $1", [by]);
}

/** In which asset it is refunded: the one that is asked for, or the only one. Refusals as of `orderRefund`. */
export async function chosenAsset(
  reader: Reader,
  assets: Assets,
  payment: Payment,
  asset: string | null,
): Promise<string> {
  return (await chosen(reader, assets, payment, { asset })).asset;
}

async function chosen(
  tx: Reader,
  assets: Assets,
  payment: Payment,
  { asset }: Pick<WantedRefund, 'asset'>,
): Promise<Refundable> {
  const all = await refundableOf(tx, assets, payment);
  const fitting = asset === null ? all : all.filter((each) => each.asset === asset);
  if (fitting.length > 1) throw refuse(payoutErrors.asset_required);
  return fitting[0] ?? refuseNothing();
}

export function refuseNothing(): never {
  throw refuse(paymentErrors.nothing_to_refund);
}

/** Returns what divides units into parts, one call after the other. */
async function partsTaker(
  tx: Tx,
  assets: Assets,
  payment: Payment,
  { asset, overpayment, settled, suspense }: Refundable,
): Promise<(units: bigint) => RefundParts> {
  const { feeOnRefund } = await refundSettingsOf(tx, payment.integrationId);
  const scaleOf = (code: string): number => assets.get(code).scale;
  const before = (await refundsOf(tx, payment.id)).filter(({ status }) => status !== 'cancelled');
  const fine = (of: (parts: RefundParts) => bigint): bigint =>
    before.reduce((sum, each) => sum + rescale(of(each.parts), scaleOf(each.asset), fineScale), 0n);
  let shares = fine((parts) => parts.business + parts.fees);
  let returned = fine((parts) => parts.fees);
  const open = { overpayment, settled, suspense };
  const unit = 10n ** BigInt(fineScale - scaleOf(asset));
  return (units) => {
    let left = units;
    const from = (kind: keyof typeof open): bigint => {
      const part = open[kind] < left ? open[kind] : left;
      open[kind] -= part;
      left -= part;
      return part;
    };
    const parts = { suspense: from('suspense'), overpayment: from('overpayment') };
    const share = from('settled');
    shares += share * unit;
    const due = feeOnRefund === 'returned' ? feeShare(payment, shares) - returned : 0n;
    const wanted = due > 0n ? due / unit : 0n;
    const fees = wanted < share ? wanted : share;
    returned += fees * unit;
    return { ...parts, business: share - fees, fees };
  };
}
