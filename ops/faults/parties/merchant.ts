import { createHash } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { isDirectIn } from '../model/standing.ts';
import type { Hex } from '../world/world.ts';
import type { Program } from './ask.ts';
import {
  type CustomerDeps,
  choose,
  claim,
  liveAssets,
  noteSeen,
  pay,
  payFromWallet,
  readState,
  sendForm,
} from './customer.ts';
import type { Order } from './journal.ts';
import type { OrderPlan } from './plan.ts';
import { sendPrepared } from './prepared.ts';
import { meddle } from './stranger.ts';

/** As long as a customer looks at the page before they go. */
const patientMs = 15_000;
const lookMs = 400;

/** An address that nobody else is paid at. */
export function freshAddress(name: string): Hex {
  return `0x${createHash('sha256').update(name).digest('hex').slice(0, 40)}`;
}

type Created = { PaymentURL: string; PaymentData: { id: string } };

/** Plays an order from its creation to its end, but for what has to come late. */
export async function playOrder(
  deps: CustomerDeps,
  program: Program,
  plan: OrderPlan,
  reference: string,
): Promise<void> {
  const order = await create(deps, program, plan, reference);
  if (!order?.pageUrl) return;
  await look(deps, program, order);
  await sleep(plan.pauseMs);
  const asset = liveAssets[plan.currency] ?? '';
  if (plan.mode === 'live') await choose(deps, order, asset);
  if (plan.cancel) await cancel(deps, program, order, plan);
  await sleep(plan.pauseMs);
  if (plan.mode === 'test') await simulate(deps, program, order, plan);
  else if (plan.way === 'wallet') await payFromWallet(deps, order, plan);
  else if (plan.way !== 'late' && plan.way !== 'never') await pay(deps, order, plan);
  await meddle(deps, order, plan);
  if (!(await isCompleted(deps, program, order, plan))) return;
  await sleep(plan.pauseMs);
  if (plan.sequel === 'dispute') {
    await sendForm(deps, order, 'dispute', { reason: 'It never came' });
    order.isDisputed = (await readState(deps, order))?.payment_status === 'in-appeal';
  } else if (plan.sequel !== 'none') await refund(deps, program, order, plan);
}

async function create(
  { journal, world }: CustomerDeps,
  program: Program,
  plan: OrderPlan,
  reference: string,
): Promise<Order | null> {
  const { currency, feePayer, price } = plan;
  const amount = amountOf(plan);
  const order: Order = {
    ...{ reference, merchant: program.merchant.name, mode: plan.mode },
    asked: {
      amount,
      currency: price === 'none' ? currency : 'EUR',
      price: price === 'none' ? null : 'EUR',
      feePayer,
    },
    ownAsset: plan.mode === 'live' ? program.merchant.ownAsset : null,
    ...{ id: null, askedMs: world.clock.now(), shownMs: world.clock.now() },
    ...{
      pageUrl: null,
      places: new Map(),
      outcome: null,
      outcomeMs: null,
      cancelled: null,
      isDisputed: false,
      payer: null,
    },
  };
  journal.orders.push(order);
  const created = (await program.write(`${reference}-create`, {
    ...{ path: '/payment/create', method: 'PUT', isTwin: plan.isTwin },
    body: {
      ...(price === 'none' ? { amount: Number(amount) } : { price: { amount, currency: 'EUR' } }),
      ...(price !== 'open' && { currency }),
      ...{ payment_type: 'deposit', payment_reference: reference, fee_payer: feePayer },
      customer_reference: `order of ${reference}`,
    },
  })) as Created | undefined;
  order.pageUrl = created?.PaymentURL ?? null;
  order.id = created?.PaymentData.id ?? null;
  return order;
}

function amountOf({ cents, millionths, price }: OrderPlan): string {
  const parts = cents * 10_000 + (price === 'none' ? millionths : 0);
  const decimal = `${Math.floor(parts / 1_000_000)}.${`${parts % 1_000_000}`.padStart(6, '0')}`;
  return price === 'none' ? decimal : decimal.slice(0, -4);
}

/** Asks for the status, and notes it. */
async function look(deps: CustomerDeps, program: Program, order: Order): Promise<string | null> {
  const beganMs = performance.now();
  const info = (await program.read(`/payment/info/${order.reference}`)) as
    | { payment_status: string }
    | undefined;
  if (!info) return null;
  await noteSeen(deps, order, { status: info.payment_status, beganMs });
  return info.payment_status;
}

async function cancel(deps: CustomerDeps, program: Program, order: Order, { cancel: by, isTwin }: OrderPlan) {
  if (by === 'merchant') {
    const path = `/payments/${order.reference}/cancel`;
    if (await program.write(`${order.reference}-cancel`, { path, isTwin })) order.cancelled = by;
    return;
  }
  await sendForm(deps, order, 'cancel', {});
  // Its time may have ended it before.
  const read = (await program.read(`/payments/${order.reference}`)) as { reason: string | null } | undefined;
  if (read?.reason === 'customer') order.cancelled = 'customer';
}

/** What a payment that was cancelled is not shown: where it leads depends on the moment. */
const afterEnd = new Set(['success', 'underpaid']);

async function simulate({ world }: CustomerDeps, program: Program, order: Order, plan: OrderPlan) {
  const { outcome, isTwin } = plan;
  if (order.cancelled !== null && !afterEnd.has(outcome ?? '')) return;
  const path = `/test/payments/${order.reference}/simulate`;
  const given = { path, body: { outcome }, isTwin };
  const askedMs = world.clock.now();
  if (!(await program.write(`${order.reference}-simulate`, given))) return;
  order.outcome = outcome;
  order.outcomeMs = askedMs;
}

/** Looks at the status until it is completed, or nobody waits any more. */
async function isCompleted(
  deps: CustomerDeps,
  program: Program,
  order: Order,
  plan: OrderPlan,
): Promise<boolean> {
  const isHopeless =
    plan.mode === 'live'
      ? ['under', 'wrong', 'late', 'never'].includes(plan.way) ||
        (plan.way === 'wallet' && order.payer === null) ||
        plan.cancel !== null
      : !['success', 'overpaid'].includes(plan.outcome ?? '') || plan.cancel !== null;
  if (isHopeless) {
    await look(deps, program, order);
    return false;
  }
  const endMs = performance.now() + patientMs;
  while (performance.now() < endMs) {
    if ((await look(deps, program, order)) === 'completed') return true;
    await sleep(lookMs);
  }
  return false;
}

type MadeRefund = { id: string; asset: string; amount: string };

async function refund(deps: CustomerDeps, program: Program, order: Order, plan: OrderPlan): Promise<void> {
  const isLeft = plan.sequel === 'left to the customer';
  const { reference } = order;
  // Pi's addresses have a form of their own, and an account that is there.
  // What came from a wallet goes back to it.
  if (plan.currency === 'PI' || order.payer !== null) return;
  const to = freshAddress(`${reference} refund`);
  const made = (await program.write(`${reference}-refund`, {
    ...{ path: `/payments/${reference}/refunds`, usesPayoutKey: true, isTwin: plan.isTwin },
    body: {
      // A claim by the link is of a part: one of more than 50 dollars waits for a person, and none is in this world.
      ...((isLeft || plan.sequel === 'refund a part') && { amount: '1.25' }),
      ...(!isLeft && { to }),
      reason: 'It was returned',
    },
  })) as MadeRefund | undefined;
  if (!made) return;
  const { id, asset, amount } = made;
  const { merchant, mode } = order;
  const noted = { reference, merchant, mode, id, asset, amount, to: isLeft ? null : to };
  deps.journal.refunds.push(noted);
  // The customer's claim makes its payout.
  if (isLeft && (await claim(deps, order, { refund: id, asset, to }))) noted.to = to;
  if (noted.to !== null && isDirectIn(order, plan.currency)) await sendPrepared(deps, program, noted);
}
