import { ownTimeOf } from '../../identity/integration.ts';
import type { ApiKey } from '../../identity/keys/keys.ts';
import type { Reader, Tx } from '../../kit/db/db.ts';
import { refuse } from '../../kit/errors.ts';
import { newId } from '../../kit/ids.ts';
import { type Assets, fineScale } from '../../money/assets.ts';
import { decimalOf, rescale } from '../../money/money.ts';
import { keyRequester } from '../../payouts/lifecycle/ask.ts';
import type { Requester } from '../../payouts/lifecycle/order.ts';
import { payoutErrors } from '../../payouts/payout/errors.ts';
import { assertApprovable } from '../../payouts/rules/approvers.ts';
import { takeLimits } from '../../payouts/rules/limits.ts';
import { paymentErrors } from '../payment/errors.ts';
import { chargedOf, type Payment } from '../payment/payment.ts';
import type { StateDeps } from '../payment/state.ts';
import { type Changes, changePayments } from '../settlement/changes.ts';
import { recordRefundEvent } from '../settlement/events.ts';
import { businessShare, type Refund, type RefundParts } from '../settlement/refund.ts';
import { makeRefund } from '../settlement/refund-money.ts';
import { refundIn } from './cancel.ts';
import { feeShare } from './fee-share.ts';
import { askTransfer } from './own-transfers.ts';
import {
  heldOf,
  type Refundable,
  refundableOf,
  refundableOfBooked,
  totalOf,
  walletParts,
} from './refundable.ts';
import { type Destination, moveToWallets, type SendTerms, sendRefunds } from './send.ts';
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

/** What is ordered, by whom, and when by the time of the integration, which a test clock moves. */
export type RefundOrder = { wanted: WantedRefund; requester: Requester; ownTime: Date };

/** Makes a refund that a key asks for. Refuses what `orderRefund` does. */
export async function orderRefundWithKey(
  tx: Tx,
  deps: StateDeps,
  paymentId: string,
  { wanted, key }: { wanted: WantedRefund; key: ApiKey },
): Promise<Refund> {
  const order = { wanted, requester: keyRequester(key), ownTime: ownTimeOf(key, deps.now()) };
  return await orderRefund(tx, deps, paymentId, order);
}

/**
 * Makes a refund of a payment: of its overpayment first, then out of the business balance. What was paid from wallets goes
 * back to them, as refunds of their own; the rest is returned, or the last of them. They are approved as one, and nothing is
 * sent before. What is at the merchant's own address comes last, as a refund of its own that the merchant sends. Refuses `nothing_to_refund`, `asset_required`, `refund_too_large`, `insufficient_balance`, and what
 * `orderPayouts` does.
 */
export async function orderRefund(
  tx: Tx,
  deps: StateDeps,
  paymentId: string,
  order: RefundOrder,
): Promise<Refund> {
  return await changePayments(tx, deps, [paymentId], async (changes) => {
    const { wanted, ownTime } = order;
    const { made: all, rest } = await makeWanted(changes, paymentId, order);
    const { made, isAbove } = await withinLimits(changes, paymentId, {
      made: all,
      requester: order.requester,
    });
    const last = made.at(-1);
    if (!last) throw new Error('A refund was made of nothing');
    const { destination } = wanted;
    const to = destination?.to ?? '';
    const isOfSender = (units: bigint) => isSender(tx, { id: paymentId }, { asset: last.asset, units }, to);
    const isAnyAddress = destination !== null && (await isOfSender(rest));
    const carried = made.filter(({ isDirect }) => !isDirect);
    const requester = { ...order.requester, limits: null };
    const approval = isAbove ? 'always' : 'as set';
    const terms = { destination, requester, ownTime, isAnyAddress, approval } as const;
    const ordered = await sendCarried(changes, paymentId, carried, terms);
    if (last.isDirect && destination) {
      const isKnown = isAnyAddress || (await isOfSender(last.units));
      await askTransfer(changes, last, { to, ownTime, isAnyAddress: isKnown });
    }
    for (const each of made) recordRefundEvent(changes, each, 'refund_created');
    await moveToWallets(changes, ordered);
    return refundIn(changes, paymentId, last.id);
  });
}

/** Orders refunds that payouts carry; the last of them is left to its customer where no destination is known. */
async function sendCarried(
  changes: Changes,
  paymentId: string,
  carried: readonly Refund[],
  terms: SendTerms,
): Promise<Refund[]> {
  const last = carried.at(-1);
  if (!last) return [];
  const { together, wallet } = last;
  const units = carried.reduce((sum, each) => sum + each.units, 0n);
  const asOne = together === null ? null : { id: together, units };
  const sent = terms.destination ? carried : carried.filter((each) => each.wallet !== null);
  const ordered = await sendRefunds(changes, paymentId, sent, { ...terms, asOne });
  // One that was ordered with others as one is left to its customer after the approval.
  if (wallet === null && !terms.destination && together !== null)
    changes.changeRefund({ ...last, status: 'awaiting_approval' });
  return ordered;
}

/** Makes the refunds that are wanted: one for each wallet that paid, and one of the `rest`, which is the last. */
async function makeWanted(
  changes: Changes,
  paymentId: string,
  { wanted, requester }: RefundOrder,
): Promise<{ made: Refund[]; rest: bigint }> {
  const { tx, deps } = changes;
  const payment = changes.payment(paymentId);
  const booked = await changes.bookedOf(paymentId);
  const rows = { transfers: changes.transfersOf(paymentId), refunds: changes.refundsOf(paymentId) };
  const refundable = chosen(refundableOfBooked(deps.assets, payment, booked, rows), wanted.asset);
  const { asset } = refundable;
  const most = totalOf(refundable);
  const units = wanted.units ?? most;
  if (units > most) {
    const max = decimalOf(most, deps.assets.get(asset).scale);
    throw refuse(paymentErrors.refund_too_large, { max, asset });
  }
  const held = heldOf(refundable);
  const carried = units < held ? units : held;
  const wallets = [...(await walletParts(tx, rows, asset))];
  await lockWallets(changes, payment, asset, wallets);
  const divide = await dividerOf(changes, payment, refundable);
  const inWallets = partsOf(wallets, carried);
  const rest = carried - inWallets.reduce((sum, [, part]) => sum + part, 0n);
  const parts = [...inWallets, ...(rest > 0n ? [[null, rest] as const] : [])];
  const together = parts.length > 1 ? newId(deps.now()) : null;
  const shared = { asset, isOwed: false, reason: wanted.reason, madeBy: requester.accountId, together };
  const made = parts.map(([wallet, part]) =>
    makeRefund(changes, paymentId, { ...shared, parts: divide(part), wallet }),
  );
  if (units === carried) return { made, rest };
  const direct = {
    ...shared,
    together: null,
    parts: directParts(refundable, units - carried),
    isDirect: true,
  };
  return { made: [...made, makeRefund(changes, paymentId, direct)], rest };
}

/** What came too much is refunded first. The host keeps its part, which no merchant can give back. */
function directParts({ direct: { overpayment, suspense } }: Refundable, units: bigint): RefundParts {
  const ofOverpayment = overpayment < units ? overpayment : units;
  const ofSuspense = suspense > 0n ? units : 0n;
  return {
    overpayment: ofOverpayment,
    suspense: ofSuspense,
    business: units - ofOverpayment - ofSuspense,
    fees: 0n,
  };
}

/** Locks the accounts of a payment with those of the users to whose wallets its money may go back. */
async function lockWallets(
  changes: Changes,
  { id, mode }: Payment,
  asset: string,
  wallets: readonly [string, bigint][],
): Promise<void> {
  const kinds = ['user', 'receivable'] as const;
  const users = wallets.flatMap(([owner]) => kinds.map((kind) => ({ kind, owner, mode, asset })));
  await changes.lockMoney(new Map([[id, [asset]]]), users);
}

/** How many of these units go to each wallet. */
function partsOf(wallets: readonly [string, bigint][], units: bigint): [string, bigint][] {
  let left = units;
  return wallets.flatMap(([wallet, open]): [string, bigint][] => {
    const part = open < left ? open : left;
    left -= part;
    return part > 0n ? [[wallet, part]] : [];
  });
}

/**
 * Counts the business's share of refunds in the limits of the key that makes them, from now on and until they end unsent.
 * Above them, where the key asks, all of them need a person's approval and none counts (contract.md#money-out). Throws
 * `payout_limit`.
 */
async function withinLimits(
  changes: Changes,
  paymentId: string,
  { made, requester }: { made: Refund[]; requester: Requester },
): Promise<{ made: Refund[]; isAbove: boolean }> {
  const { tx, deps } = changes;
  if (requester.limits === null) return { made, isAbove: false };
  // The balance is judged before the limits.
  await changes.flush();
  const wanted = made.map(({ id: by, asset, parts }) => ({
    asset: deps.assets.get(asset),
    inKey: { by, units: businessShare(parts) },
  }));
  const above = await takeLimits(tx, { key: requester.limits, operator: () => null }, wanted, deps.now());
  if (above === null) return { made, isAbove: false };
  await assertApprovable(tx, changes.payment(paymentId), { requester, above });
  const asking = made.map((each) => ({ ...each, needsApproval: true }));
  for (const each of asking) changes.changeRefund(each);
  return { made: asking, isAbove: true };
}

/** In which asset it is refunded: the one that is asked for, or the only one. Refusals as of `orderRefund`. */
export async function chosenAsset(
  reader: Reader,
  assets: Assets,
  payment: Payment,
  asset: string | null,
): Promise<string> {
  return chosen(await refundableOf(reader, assets, payment), asset).asset;
}

function chosen(all: readonly Refundable[], asset: string | null): Refundable {
  const fitting = asset === null ? all : all.filter((each) => each.asset === asset);
  if (fitting.length > 1) throw refuse(payoutErrors.asset_required);
  return fitting[0] ?? refuseNothing();
}

export function refuseNothing(): never {
  throw refuse(paymentErrors.nothing_to_refund);
}

/** Returns a function that divides units into parts; each call divides what the calls before have left. */
async function dividerOf(
  { tx, deps: { assets }, refundsOf }: Changes,
  payment: Payment,
  { asset, overpayment, settled, suspense }: Refundable,
): Promise<(units: bigint) => RefundParts> {
  const { feeOnRefund } = await refundSettingsOf(tx, payment.integrationId);
  const scaleOf = (code: string): number => assets.get(code).scale;
  const before = refundsOf(payment.id).filter(({ status, isDirect }) => status !== 'cancelled' && !isDirect);
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
    const due = feeOnRefund === 'returned' ? feeShare(chargedOf(payment), shares) - returned : 0n;
    const wanted = due > 0n ? due / unit : 0n;
    const fees = wanted < share ? wanted : share;
    returned += fees * unit;
    return { ...parts, business: share - fees, fees };
  };
}
