import type { Tx } from '../../src/kit/db/db.ts';
import { Refusal } from '../../src/kit/errors.ts';
import { newId } from '../../src/kit/ids.ts';
import { balancesOf } from '../../src/ledger/ledger.ts';
import { currencyScale } from '../../src/money/assets.ts';
import { rescale } from '../../src/money/money.ts';
import { rejectAppeal, returnAppeal } from '../../src/payments/appeals/resolve.ts';
import type { Payment } from '../../src/payments/payment/payment.ts';
import { cancelRefund } from '../../src/payments/refunds/cancel.ts';
import { claimRefund } from '../../src/payments/refunds/claim.ts';
import { orderRefund } from '../../src/payments/refunds/order.ts';
import { refundableOf } from '../../src/payments/refunds/refundable.ts';
import { disputePayment } from '../../src/payments/settlement/act.ts';
import { expireDue } from '../../src/payments/settlement/expire.ts';
import type { Refund } from '../../src/payments/settlement/refund.ts';
import { refundsOf } from '../../src/payments/settlement/refund-rows.ts';
import { returnUnmatched } from '../../src/payments/unmatched/return-unmatched.ts';
import { approvePayout, rejectPayout } from '../../src/payouts/lifecycle/approve.ts';
import { askForPayouts } from '../../src/payouts/lifecycle/ask.ts';
import { cancelPayout, failPayout } from '../../src/payouts/lifecycle/cancel.ts';
import type { Approver } from '../../src/payouts/rules/approvers.ts';
import { resumePayouts, stopPayouts } from '../../src/payouts/rules/stop.ts';
import { approverOf } from '../payouts/team.ts';
import { claimDeps } from '../refunds/claims.ts';
import { write } from '../support/payment-fixtures.ts';
import type { Stage } from './stage.ts';
import type { Step } from './steps.ts';

// What merchants, customers and operators do about money that leaves. What is not possible is refused, as it should be.

const asker = { accountId: newId(), name: 'asker', limits: null };
const decider = { accountId: newId(), as: 'operator', note: null } as const;

type Asked = Extract<Step, { do: 'ask' }>;
type Decision = Extract<Step, { do: 'approve' | 'reject' | 'cancel' | 'give up' }>;

async function done<N>({ shop }: Stage<N>, work: (tx: Tx) => Promise<unknown>): Promise<boolean> {
  try {
    await write(shop, work);
    return true;
  } catch (error) {
    if (!(error instanceof Refusal)) throw error;
    return false;
  }
}

/** The business asks for payouts of a part of what it has. */
export async function ask<N>(stage: Stage<N>, { asset: at, thousandths, count }: Asked): Promise<void> {
  const { shop, db, assets } = stage;
  const asset = shop.assets.get(assets[at % assets.length] ?? '');
  const business = { kind: 'business', owner: shop.owner.integrationId, mode: shop.owner.mode } as const;
  const balance = (await balancesOf(db, business)).find((each) => each.asset === asset.code);
  const units = ((balance?.available ?? 0n) * BigInt(thousandths)) / 1000n / BigInt(count);
  if (units === 0n) return;
  const wanted = Array.from({ length: count }, () => ({ asset, units, ...stage.receiver() }));
  const { integration } = shop.caller;
  await done(stage, (tx) =>
    askForPayouts(tx, shop.deps, { integration, mode: shop.owner.mode, requester: asker }, wanted),
  );
}

/** Payouts that have not ended, the oldest first. */
async function openPayouts<N>({ db }: Stage<N>, statuses: readonly string[]): Promise<string[]> {
  const { rows } = await db.query<{ id: string }>(
    'SELECT id FROM payouts WHERE status = ANY ($1) ORDER BY created_at, id',
    [statuses],
  );
  return rows.map(({ id }) => id);
}

/** Somebody decides about the n-th payout that is open to the decision. */
export async function decide<N>(stage: Stage<N>, { do: what, payout: at }: Decision): Promise<void> {
  const { shop, deeds } = stage;
  const { deps } = shop;
  const waiting = what === 'approve' || what === 'reject';
  const open = await openPayouts(
    stage,
    waiting ? ['awaiting_approval'] : ['awaiting_approval', 'queued', 'sending'],
  );
  const id = open[at % open.length];
  if (id === undefined) return;
  const acts: Record<Decision['do'], (tx: Tx) => Promise<unknown>> = {
    approve: async (tx) => approvePayout(tx, deps, id, await approverFor(stage, id)),
    reject: (tx) => rejectPayout(tx, deps, id, 'a schedule says so'),
    cancel: (tx) => cancelPayout(tx, deps, id),
    'give up': (tx) => failPayout(tx, deps, id, 'a schedule says so'),
  };
  if ((await done(stage, acts[what])) && what !== 'approve') deeds.ended.add(id);
}

async function approverFor<N>({ db, shop: { owner, clock } }: Stage<N>, id: string): Promise<Approver> {
  const accountId = await approverOf(db, owner.integrationId, id, clock.now());
  return { accountId, name: 'approver', side: 'merchant' };
}

/** Every payout that waits for approval gets it. */
export async function approveAll<N>(stage: Stage<N>): Promise<void> {
  for (const id of await openPayouts(stage, ['awaiting_approval'])) {
    const approver = await approverFor(stage, id);
    await done(stage, (tx) => approvePayout(tx, stage.shop.deps, id, approver));
  }
}

function paymentAt<N>({ payments }: Stage<N>, at: number): Payment {
  const payment = payments[at % payments.length];
  if (!payment) throw new Error('A schedule begins with a payment');
  return payment;
}

export async function refund<N>(stage: Stage<N>, step: Extract<Step, { do: 'refund' }>): Promise<void> {
  const { shop } = stage;
  const { id, amountDue } = paymentAt(stage, step.payment);
  const [refundable] = await refundableOf(shop.db, shop.assets, paymentAt(stage, step.payment));
  const asset = refundable?.asset ?? null;
  const part = step.tenths === null ? null : (amountDue! * BigInt(step.tenths)) / 10n;
  const destination = step.isAddressed ? stage.receiver() : null;
  const wanted = {
    ...{ asset, destination, reason: null },
    units: part === null || asset === null ? null : unitsIn(stage, asset, part),
  };
  const ordered = { wanted, requester: asker, ownTime: shop.clock.now() };
  await done(stage, (tx) => orderRefund(tx, shop.deps, id, ordered));
}

/** What is a part of an amount due, in units of an asset. */
function unitsIn<N>({ shop: { assets } }: Stage<N>, code: string, part: bigint): bigint {
  const { scale, currency } = assets.get(code);
  return rescale(part, currencyScale[currency], scale);
}

async function refundsIn<N>(stage: Stage<N>, isOpen: (refund: Refund) => boolean): Promise<Refund[]> {
  const all: Refund[] = [];
  for (const { id } of stage.payments) all.push(...(await refundsOf(stage.db, id)));
  return all.filter(isOpen);
}

const waits = ({ status }: Refund): boolean => status === 'awaiting_destination';

async function claimOne<N>(
  stage: Stage<N>,
  payment: { id: string },
  refundId: string | null,
  asset: string,
): Promise<boolean> {
  const { shop } = stage;
  const claim = { payment, refundId, asset, ...stage.receiver() };
  return await done(stage, (tx) => claimRefund(tx, claimDeps(shop), claim));
}

export async function claim<N>(stage: Stage<N>, at: number): Promise<void> {
  const open = await refundsIn(stage, waits);
  const refund = open[at % open.length];
  if (refund) await claimOne(stage, { id: refund.paymentId }, refund.id, refund.asset);
}

export async function claimOwed<N>(stage: Stage<N>, at: number): Promise<void> {
  const payment = paymentAt(stage, at);
  const [owed] = await refundableOf(stage.db, stage.shop.assets, payment);
  if (owed) await claimOne(stage, payment, null, owed.asset);
}

/**
 * Every customer says where their refund goes, and gives another address where the first is refused: it may be one of the
 * gateway's own. Returns whether somebody did.
 */
export async function claimAll<N>(stage: Stage<N>): Promise<boolean> {
  let isAny = false;
  for (const { id, paymentId, asset } of await refundsIn(stage, waits)) {
    const say = () => claimOne(stage, { id: paymentId }, id, asset);
    if ((await say()) || (await say())) isAny = true;
  }
  return isAny;
}

export async function cancelOne<N>(stage: Stage<N>, at: number): Promise<void> {
  const { shop, deeds } = stage;
  const open = await refundsIn(stage, ({ status }) => status !== 'completed' && status !== 'cancelled');
  const refund = open[at % open.length];
  if (!refund) return;
  const isDone = await done(stage, (tx) => cancelRefund(tx, shop.deps, refund.paymentId, refund.id));
  if (isDone && refund.payoutId !== null) deeds.ended.add(refund.payoutId);
}

export async function judge<N>(
  stage: Stage<N>,
  what: 'dispute' | 'return' | 'uphold',
  at: number,
): Promise<void> {
  const { shop, db } = stage;
  const { id: paymentId } = paymentAt(stage, at);
  if (what === 'dispute') {
    await done(stage, (tx) => disputePayment(tx, shop.deps, paymentId, 'Broken'));
    return;
  }
  const { rows } = await db.query<{ id: string }>(
    'SELECT id FROM appeals WHERE payment_id = $1 AND closed_at IS NULL',
    [paymentId],
  );
  const decision = what === 'return' ? returnAppeal : rejectAppeal;
  for (const { id } of rows)
    await done(stage, (tx) => decision(tx, shop.deps, { scope: 'all', id }, decider));
}

export async function stop<N>({ shop }: Stage<N>): Promise<void> {
  const stopped = { reason: 'a schedule says so', by: 'operator', at: shop.clock.now() };
  await write(shop, (tx) => stopPayouts(tx, stopped));
}

export const resume = async <N>({ shop }: Stage<N>): Promise<void> => {
  await write(shop, resumePayouts);
};

export const expire = async <N>({ shop, db }: Stage<N>): Promise<void> => {
  await expireDue(db, shop.deps);
};

/** An operator has the n-th deposit that names no payment sent back. */
export async function sendBack<N>(stage: Stage<N>, at: number): Promise<void> {
  const { shop, db } = stage;
  const { rows } = await db.query<{ id: string }>(
    "SELECT ledger_id AS id FROM unmatched_deposits WHERE state = 'open' ORDER BY at, key",
  );
  const id = rows[at % rows.length]?.id;
  if (id === undefined) return;
  const by = { accountId: decider.accountId, reason: 'a schedule says so' };
  await done(stage, (tx) => returnUnmatched(tx, shop.deps, id, { ...stage.receiver(), by }));
}
