import type { Reader, Tx } from '../../kit/db/db.ts';
import { refuse } from '../../kit/errors.ts';
import { invalid } from '../../kit/http/fields.ts';
import { decimalOf, unitsOfDecimal } from '../../money/money.ts';
import { rateScale, rateUnits } from '../../money/rates.ts';
import { payoutErrors } from '../../payouts/payout/errors.ts';
import { couldApprove } from '../../payouts/rules/approvers.ts';
import { payoutSettingsOf } from '../../payouts/rules/settings.ts';
import { payoutTermsOf } from '../../payouts/rules/terms.ts';
import type { SendTo } from '../../rails/rail.ts';
import { paymentErrors } from '../payment/errors.ts';
import type { Payment } from '../payment/payment.ts';
import type { StateDeps } from '../payment/state.ts';
import { type Changes, changePayments } from '../settlement/changes.ts';
import { recordRefundEvent } from '../settlement/events.ts';
import { raiseVersion } from '../settlement/moves.ts';
import { isOfCurrency } from '../settlement/received.ts';
import { businessShare, type Refund, type RefundProof } from '../settlement/refund.ts';
import { makeRefund } from '../settlement/refund-money.ts';
import { mailClaimed } from './mails.ts';
import { refuseNothing } from './order.ts';
import { askTransfer } from './own-transfers.ts';
import { isProved } from './proof.ts';
import { refundableOfBooked } from './refundable.ts';
import { type Destination, sendRefunds } from './send.ts';
import { isSender } from './senders.ts';
import { refundSettingsOf } from './settings.ts';

/** What a customer claims on the payment's page. */
export type Claim = Destination & {
  payment: { id: string };
  /** Null: what is owed without a refund, in `asset`. */
  refundId: string | null;
  asset: string;
  /** The owner of the address that it came from chose this one: the signature (`proofOf`), and the site that asked for it. */
  proved?: { proof: RefundProof; host: string } | null;
};

export type ClaimDeps = StateDeps & {
  /** What is wrong with a destination, by the rail that would send there. */
  faultOf: (mode: Payment['mode']) => (order: SendTo) => { field: 'to' | 'memo'; why: string } | null;
  /** US dollars for one unit of an asset, as a decimal; null: not known. */
  usdOf: (asset: string) => string | null;
};

/** What is needed to judge a claim whose address is not known yet. */
export type LinkDeps = Pick<ClaimDeps, 'assets' | 'usdOf'>;

/** What becomes of an address that neither paid nor is proved: it is accepted, another person approves it, or it is refused. */
export type AddressRule = 'accepted' | 'approved' | 'refused';

const onlyPayer = 'only the address that paid, or one proved by it';

/**
 * The customer says where a refund goes, and it is ordered; the first to say so wins. An address that did not pay, and that
 * the owner of the one that paid has not signed, is judged by `addressRuleOf`. Who made the refund never approves it, and its
 * limits were taken when it was made. What the merchant sends needs no approval: who signs it sees the address. Refuses `refund_closed`, `nothing_to_refund`, a field's fault,
 * `below_minimum_payout`, and what `orderPayouts` does.
 */
export async function claimRefund(
  tx: Tx,
  deps: ClaimDeps,
  claim: Claim,
  now: Date = deps.now(),
): Promise<Refund> {
  const { id } = claim.payment;
  return await changePayments(tx, deps, [id], async (changes) => {
    await changes.lockMoney(new Map([[id, [claim.asset]]]));
    const refund = await claimed(changes, claim);
    const payment = changes.payment(id);
    const { asset, units } = refund;
    const { to, memo, proved = null } = claim;
    const fault = deps.faultOf(payment.mode)({ asset, to, memo });
    if (fault) throw invalid(fault.field, fault.why);
    if (!refund.isDirect) await assertWorthSending(tx, deps, refund);
    const stated = { host: proved?.host ?? '', payment, asset, units, to };
    const isGood = proved !== null && (await isProved(tx, deps.assets, stated, proved.proof));
    const proof = isGood ? proved.proof : null;
    const isKnown = proof !== null || (await isSender(tx, payment, refund, to));
    const share = businessShare(refund.parts);
    const rule = isKnown ? 'accepted' : await addressRuleOf(tx, deps, payment, { ...refund, share });
    if (rule === 'refused') throw invalid('to', onlyPayer);
    if (refund.isDirect) {
      const asked = await askTransfer(changes, refund, { to, proof, ownTime: now, isAnyAddress: true });
      await mailClaimed(tx, deps.assets, payment, asked);
      return asked;
    }
    const [ordered = refund] = await sendRefunds(changes, id, [refund], {
      ...{ destination: { to, memo }, proof, ownTime: now, isAnyAddress: true },
      requester: { accountId: refund.madeBy, name: 'customer', limits: null },
      // What the merchant refunds is approved as payouts are; the merchant does not approve what is the customer's own.
      approval: rule === 'approved' || refund.needsApproval ? 'always' : share === 0n ? 'never' : 'as set',
    });
    await mailClaimed(tx, deps.assets, payment, ordered);
    raiseVersion(changes, id);
    return ordered;
  });
}

/** The refund that is claimed, or a new one of what is owed. */
async function claimed(changes: Changes, { payment: { id }, refundId, asset }: Claim): Promise<Refund> {
  if (refundId !== null) {
    const refund = changes.refundsOf(id).find((each) => each.id === refundId);
    if (refund?.status !== 'awaiting_destination') throw refuse(paymentErrors.refund_closed);
    return refund;
  }
  const { assets } = changes.deps;
  const rows = { transfers: changes.transfersOf(id), refunds: changes.refundsOf(id) };
  const refundable = refundableOfBooked(assets, changes.payment(id), await changes.bookedOf(id), rows);
  const owed = refundable.find((each) => each.asset === asset);
  const { overpayment = 0n, suspense = 0n } = owed ?? {};
  if (overpayment + suspense === 0n) return refuseNothing();
  const parts = { overpayment, business: 0n, fees: 0n, suspense };
  const made = makeRefund(changes, id, { asset, parts, isOwed: false, reason: null });
  recordRefundEvent(changes, made, 'refund_created');
  return made;
}

/** Refuses a claim below the minimum payout, which is shown and cannot be sent. */
async function assertWorthSending(tx: Tx, { assets }: StateDeps, { asset, units }: Refund): Promise<void> {
  const { minimum } = (await payoutTermsOf(tx, [asset]))(asset);
  if (units >= minimum) return;
  const { scale, currency } = assets.get(asset);
  throw refuse(payoutErrors.below_minimum_payout, { min: decimalOf(minimum, scale), asset: currency });
}

/** Units that are claimed, how many of them are the business's, and who made the refund. */
export type Claimed = Pick<Refund, 'asset' | 'units' | 'madeBy'> & { share: bigint };

/**
 * Whether an address that neither paid nor is proved may be claimed to. Up to the integration's limit the link suffices,
 * except for the business's own money where it allows known addresses only (contract.md#money-out).
 */
export async function addressRuleOf(
  reader: Reader,
  deps: LinkDeps,
  payment: Payment,
  claim: Claimed,
): Promise<AddressRule> {
  const suffices = await linkSuffices(reader, deps, payment, claim);
  const { knownAddressesOnly, approvals } = await payoutSettingsOf(reader, payment);
  if (claim.share === 0n || !knownAddressesOnly) return suffices ? 'accepted' : 'approved';
  const needed = Math.max(approvals, 1);
  return (await couldApprove(reader, payment, { except: claim.madeBy, needed })) ? 'approved' : 'refused';
}

const centScale = 2;

/**
 * Whether whoever has the payment's link may choose the address: up to a limit, in the asset or in dollars, since links are
 * often shared.
 */
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
