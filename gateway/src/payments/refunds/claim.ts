import type { Reader, Tx } from '../../kit/db/db.ts';
import { refuse } from '../../kit/errors.ts';
import { invalid } from '../../kit/http/fields.ts';
import { decimalOf, unitsOfDecimal } from '../../money/money.ts';
import { rateScale, rateUnits } from '../../money/rates.ts';
import { payoutErrors } from '../../payouts/errors.ts';
import { payoutTermsOf } from '../../payouts/terms.ts';
import type { SendTo } from '../../rails/rail.ts';
import { paymentErrors } from '../errors.ts';
import { lockMoney, lockPayment } from '../locks.ts';
import type { Payment } from '../payment.ts';
import { isOfCurrency } from '../received.ts';
import { findRefund, type Refund } from '../refund.ts';
import { recordRefundEvent } from '../refund-events.ts';
import { makeRefund } from '../refund-money.ts';
import type { StateDeps } from '../state.ts';
import { mailClaimed } from './mails.ts';
import { refuseNothing } from './order.ts';
import { isProved, type Proof } from './proof.ts';
import { refundableOf } from './refundable.ts';
import { type Destination, sendRefund } from './send.ts';
import { isSender } from './senders.ts';
import { refundSettingsOf } from './settings.ts';

/** What a customer claims on the payment's page. */
export type Claim = Destination & {
  payment: { id: string };
  /** Null: what is owed without a refund, in `asset`. */
  refundId: string | null;
  asset: string;
  /** That the owner of the address that it came from chose this one, as `proofOf` found it, and the site that asked for it. */
  proved?: { proof: Proof; host: string } | null;
};

export type ClaimDeps = StateDeps & {
  /** What is wrong with a destination, by the rail that would send there. */
  faultOf: (mode: Payment['mode']) => (order: SendTo) => { field: 'to' | 'memo'; why: string } | null;
  /** US dollars for one unit of an asset, as a decimal; null: not known. */
  usdOf: (asset: string) => string | null;
};

/** What judging a claim without its address needs. */
export type LinkDeps = Pick<ClaimDeps, 'assets' | 'usdOf'>;

const customer = { accountId: null, name: 'customer', limits: null };

/**
 * The customer says where a refund goes, and it is ordered; the first to say so wins. Above the integration's limit, for
 * money of another currency and where the rate is not known, somebody of the business approves an address that did not
 * pay, unless the owner of the one that paid has signed it. Refuses `refund_closed`, `nothing_to_refund`, a field's fault, `below_minimum_payout`, and what `orderPayouts` does.
 */
export async function claimRefund(
  tx: Tx,
  deps: ClaimDeps,
  claim: Claim,
  now: Date = deps.now(),
): Promise<Refund> {
  const payment = await lockPayment(tx, claim.payment.id);
  await lockMoney(tx, [{ payment, assets: [claim.asset] }]);
  const refund = await claimed(tx, deps, payment, claim, now);
  const { asset, units } = refund;
  const { to, memo, proved = null } = claim;
  const fault = deps.faultOf(payment.mode)({ asset, to, memo });
  if (fault) throw invalid(fault.field, fault.why);
  await assertWorthSending(tx, deps, refund);
  const stated = { host: proved?.host ?? '', payment, asset, units, to };
  const isGood = proved !== null && (await isProved(tx, deps.assets, stated, proved.proof));
  const proof = isGood ? proved.proof : null;
  const isKnown = proof !== null || (await isSender(tx, payment, refund, to));
  const suffices = isKnown || (await linkSuffices(tx, deps, payment, refund));
  const isCustomers = refund.parts.business + refund.parts.fees === 0n;
  const ordered = await sendRefund(tx, deps, payment, refund, {
    ...{ destination: { to, memo }, proof, requester: customer, ownTime: now, isAnyAddress: true },
    // What the merchant refunds is approved as payouts are; the customer's own money is not the merchant's to approve.
    approval: !suffices ? 'always' : isCustomers ? 'never' : 'as set',
  });
  await mailClaimed(tx, deps.assets, payment, ordered);
  await tx.query('UPDATE payments SET version = version + 1 WHERE id = $1', [payment.id]);
  return ordered;
}

/** The refund that is claimed, or a new one of what is owed. */
async function claimed(
  tx: Tx,
  deps: StateDeps,
  payment: Payment,
  { refundId, asset }: Claim,
  now: Date,
): Promise<Refund> {
  if (refundId !== null) {
    const refund = await findRefund(tx, payment.id, refundId);
    if (refund?.status !== 'awaiting_destination') throw refuse(paymentErrors.refund_closed);
    return refund;
  }
  const owed = (await refundableOf(tx, deps.assets, payment)).find((each) => each.asset === asset);
  const { overpayment = 0n, suspense = 0n } = owed ?? {};
  if (overpayment + suspense === 0n) return refuseNothing();
  const parts = { overpayment, business: 0n, fees: 0n, suspense };
  const made = await makeRefund(tx, payment, { asset, parts, isOwed: false, reason: null }, now);
  await recordRefundEvent(tx, deps, payment, made, 'refund_created', now);
  return made;
}

/** Claims below the minimum payout are shown, and not sent. */
async function assertWorthSending(tx: Tx, { assets }: StateDeps, { asset, units }: Refund): Promise<void> {
  const { minimum } = (await payoutTermsOf(tx, [asset]))(asset);
  if (units >= minimum) return;
  const { scale, currency } = assets.get(asset);
  throw refuse(payoutErrors.below_minimum_payout, { min: decimalOf(minimum, scale), asset: currency });
}

const centScale = 2;

/** Whether who has the payment's link may choose the address, up to a limit in the asset or in dollars: the link is often shared. */
export async function linkSuffices(
  reader: Reader,
  { assets, usdOf }: LinkDeps,
  payment: Payment,
  { asset, units }: Pick<Refund, 'asset' | 'units'>,
): Promise<boolean> {
  if (!isOfCurrency(assets, payment, { asset })) return false;
  const { scale } = assets.get(asset);
  const { claimLimitCents, claimLimits } = await refundSettingsOf(reader, payment.integrationId);
  const own = unitsOfDecimal(claimLimits[asset] ?? '', scale);
  if (own !== null) return units <= own;
  const usd = payment.mode === 'test' ? '1' : usdOf(asset);
  const rate = usd === null ? null : rateUnits(usd);
  if (rate === null) return false;
  const most = BigInt(claimLimitCents) * 10n ** BigInt(scale + rateScale);
  return units * rate * 10n ** BigInt(centScale) <= most;
}
