import fc from 'fast-check';
import { expect, test } from 'vitest';
import { claim, playRefund } from '../../../test/refunds/claims.ts';
import { type Asked, asked, createPriced, pricedUnits } from '../../../test/refunds/priced.ts';
import { checkRights, keyLimit, type Rights } from '../../../test/refunds/rights.ts';
import { oneStep, type Step } from '../../../test/refunds/steps.ts';
import { limitedKey, seedTeam, setPayouts } from '../../../test/refunds/team.ts';
import { whichRuns } from '../../../test/schedules/runs.ts';
import { testDatabase } from '../../../test/support/database.ts';
import { seedBalance, seedUser } from '../../../test/support/fixtures.ts';
import {
  auditFindings,
  eventsOf,
  ledgerOf,
  openShop,
  paymentById,
  report,
  type Shop,
  spend,
  write,
} from '../../../test/support/payment-fixtures.ts';
import type { Database } from '../../kit/db/db.ts';
import { Refusal } from '../../kit/errors.ts';
import { newId } from '../../kit/ids.ts';
import { approvePayout, rejectPayout } from '../../payouts/lifecycle/approve.ts';
import type { Requester } from '../../payouts/lifecycle/order.ts';
import { payFromWallet } from '../../wallets/pay.ts';
import { rejectAppeal, returnAppeal } from '../appeals/resolve.ts';
import type { Payment } from '../payment/payment.ts';
import { disputePayment } from '../settlement/act.ts';
import type { Refund } from '../settlement/refund.ts';
import { refundsOf } from '../settlement/refund-rows.ts';
import { cancelRefund } from './cancel.ts';
import { orderRefund } from './order.ts';
import { setRefundSettings } from './settings.ts';

// Refunds are asked for by people and keys, approved, rejected, claimed, sent, failed and cancelled while the payment's
// transfers come and go, disputes begin and end, the business spends its balance and days pass; in half of the runs a wallet
// paid too. Whatever the order: what came is somewhere, nobody gets more than came, each refund is told once, who made one
// never approves it, what waits as one moves as one, and a key's limit of each day is taken once. Half of the payments have a
// price, of which parts are refunded at the rate of the quote.

/** Lives are played side by side, in databases of their own. */
const parts = [1, 2, 3, 4];
const runs = process.env.SOAK ? 125 : 3;
const timeoutMs = process.env.SOAK ? 1_200_000 : 900_000;
const unit = 1_000_000n;

type Subject = Rights & {
  transfers: bigint[];
  states: ('none' | 'final' | 'gone')[];
  /** What its merchant asked for in place of 10 USDC. */
  price: Asked | null;
  /** What came out of a wallet. */
  fromWallet: bigint;
  /** The people of the business; the first asks for refunds, and made the key. */
  team: string[];
};

const decider = { accountId: newId(), as: 'operator', note: null } as const;

function requesterOf({ team, allowance }: Subject, by: 'person' | 'key' | 'nobody'): Requester {
  const accountId = team[0] ?? null;
  if (by === 'key') return limitedKey(allowance, `${keyLimit}`, accountId);
  return { accountId: by === 'person' ? accountId : null, name: by, limits: null };
}

const dayOf = (shop: Shop): string => shop.clock.now().toISOString().slice(0, 10);

/** Orders a refund, and notes what the key took of its limit. */
async function order(subject: Subject, step: Extract<Step, { do: 'order' }>): Promise<void> {
  const { shop, payment, price, taken } = subject;
  const before = new Set((await refundsOf(shop.db, payment.id)).map(({ id }) => id));
  const some = step.tenths === null ? null : (BigInt(step.tenths) * unit) / 2n;
  const isPart = price !== null && step.cents > 0;
  const units = isPart ? await pricedUnits(shop, payment, price, step.cents) : some;
  const destination = step.isAddressed ? { to: 'test_customer', memo: null } : null;
  const wanted = { asset: null, units, destination, reason: null };
  const ordered = { wanted, requester: requesterOf(subject, step.by), ownTime: shop.clock.now() };
  await write(shop, (tx) => orderRefund(tx, shop.deps, payment.id, ordered));
  if (step.by !== 'key') return;
  for (const { id, parts } of await refundsOf(shop.db, payment.id)) {
    if (!before.has(id)) taken.set(id, { share: parts.business + parts.fees, day: dayOf(shop) });
  }
}

async function play(subject: Subject, step: Step): Promise<void> {
  const { shop, payment, transfers, states, team } = subject;
  shop.clock.advance(1);
  const all = await refundsOf(shop.db, payment.id);
  const isDecided = step.do === 'approve' || step.do === 'turn down' || step.do === 'cancel';
  const open = isDecided
    ? all.filter(({ status }) => status === 'awaiting_approval' || step.do === 'cancel')
    : all.filter(({ wallet }) => wallet === null);
  const chosen =
    'index' in step && step.index !== null ? open[step.index % Math.max(open.length, 1)] : undefined;
  switch (step.do) {
    case 'transfer': {
      const units = transfers[step.index]!;
      if (step.state === 'gone' && states[step.index] !== 'final') return;
      states[step.index] = step.state;
      await report(shop, payment, { key: `${payment.id} ${step.index}`, units, state: step.state });
      return;
    }
    case 'order':
      return await order(subject, step);
    case 'approve': {
      const by = { accountId: team[step.by % team.length] ?? '', name: 'one', side: 'merchant' as const };
      if (chosen) await write(shop, (tx) => approvePayout(tx, shop.deps, chosen.payoutId ?? '', by));
      return;
    }
    case 'turn down':
      if (chosen) await write(shop, (tx) => rejectPayout(tx, shop.deps, chosen.payoutId ?? '', 'No'));
      return;
    case 'day':
      return shop.clock.advance(24 * 3600);
    case 'claim':
      return void (await claim(shop, payment, { refundId: chosen?.id ?? null }));
    case 'play':
      if (chosen && chosen.payoutId !== null && chosen.status !== 'completed')
        await playRefund(shop, chosen, step.outcome);
      return;
    case 'cancel':
      if (chosen) await write(shop, (tx) => cancelRefund(tx, shop.deps, payment.id, chosen.id));
      return;
    case 'dispute':
      return void (await write(shop, (tx) => disputePayment(tx, shop.deps, payment.id, 'Broken')));
    case 'spend':
      return await spend(shop, unit).catch(() => {});
    default:
      await decide(shop, payment, step.do);
  }
}

async function decide(shop: Shop, payment: Payment, how: 'reject' | 'return'): Promise<void> {
  const { rows } = await shop.db.query<{ id: string }>(
    'SELECT id FROM appeals WHERE payment_id = $1 AND closed_at IS NULL',
    [payment.id],
  );
  const decision = how === 'reject' ? rejectAppeal : returnAppeal;
  for (const { id } of rows)
    await write(shop, (tx) => decision(tx, shop.deps, { scope: 'all', id }, decider));
}

async function check(subject: Subject): Promise<void> {
  const { shop, payment, transfers, states, fromWallet } = subject;
  const refunds = await refundsOf(shop.db, payment.id);
  const units = (of: (refund: Refund) => boolean) =>
    refunds.filter(of).reduce((sum, refund) => sum + refund.units, 0n);
  const came = transfers.reduce((sum, each, at) => sum + (states[at] === 'final' ? each : 0n), fromWallet);
  const unsent = units(({ status }) => status !== 'completed' && status !== 'cancelled');
  const sent = units(({ status }) => status === 'completed');
  const booked = await ledgerOf(shop.db, payment);
  const of = (kind: string): bigint => booked[kind] ?? 0n;
  // Every unit that came is on exactly one account, or was sent.
  expect(-of('external') - of('user')).toBe(came - sent);
  await checkRights(subject, refunds);
  const business = of('business') + of('receivable');
  expect(of('suspense') + business + of('fees') + of('payable')).toBe(came - sent);
  // What refunds hold stands in payable, and the rest of it is the customer's overpayment.
  expect(of('payable') >= unsent).toBe(true);
  expect(of('suspense') >= 0n).toBe(true);
  const { status } = await paymentById(shop.db, payment.id);
  if (status === 'completed') expect(of('suspense')).toBe(0n);
  const wasReturned = refunds.some(({ isOwed }) => isOwed);
  if (status === 'completed' && !wasReturned && states.every((state) => state !== 'gone')) {
    const given = (part: keyof Refund['parts']): bigint =>
      refunds
        .filter((refund) => refund.status !== 'cancelled')
        .reduce((sum, { parts }) => sum + parts[part], 0n);
    // The shares are those of what came, less what refunds took of each.
    expect(of('payable') - unsent).toBe(came - 10n * unit - given('overpayment'));
    expect(of('fees')).toBe(unit / 10n - given('fees'));
    expect(business).toBe((99n * unit) / 10n - given('business'));
  }
  // While nothing is lost no refund gives more than came.
  if (states.every((state) => state !== 'gone')) expect(sent + unsent <= came).toBe(true);
  const events = await eventsOf(shop.db, payment);
  expect(events.map(({ sequence }) => sequence)).toEqual(events.map((_, at) => at + 1));
  const told = events.flatMap(({ type, body }) => (type === 'payment_refunded' ? [body.refund_id] : []));
  expect(new Set(told).size).toBe(told.length);
  const completed = refunds.filter((refund) => refund.status === 'completed').map(({ id }) => id);
  expect(completed.every((id) => told.includes(id))).toBe(true);
}

const lives = fc.record({
  halves: fc.array(fc.integer({ min: 2, max: 30 }), { minLength: 3, maxLength: 3 }),
  feeOnRefund: fc.constantFrom('kept' as const, 'returned' as const),
  isFromWallet: fc.boolean(),
  price: fc.option(fc.constantFrom(...asked), { freq: 1 }),
  payouts: fc.record({ approvals: fc.nat({ max: 2 }), knownAddressesOnly: fc.boolean() }),
  above: fc.constantFrom('0', '4'),
  steps: fc.array(oneStep, { minLength: 5, maxLength: 25 }),
});
type Life = typeof lives extends fc.Arbitrary<infer T> ? T : never;

async function begin(
  db: Database,
  { halves, feeOnRefund, isFromWallet, price, payouts, above }: Life,
): Promise<Subject> {
  const shop = await openShop(db);
  const team = await seedTeam(shop, 3);
  await setPayouts(shop, { ...payouts, approveAbove: { 'usdc-erc20': above } });
  const settings = { feeOnRefund, claimLimitCents: 500, claimLimits: {} };
  await write(shop, (tx) => setRefundSettings(tx, shop.owner.integrationId, settings, shop.clock.now()));
  const payment = price === null ? await shop.create() : await createPriced(shop, price);
  // Others pay the business too, so that it can give a part of its balance.
  await report(shop, await shop.create(), { key: `${payment.id} other`, units: 10n * unit });
  if (isFromWallet) {
    const user = await seedUser(db, `model ${newId()}`);
    const held = { kind: 'user', mode: 'test', asset: 'usdc-erc20', units: 10n * unit } as const;
    await seedBalance(db, { ...held, owner: user });
    await write(shop, (tx) => payFromWallet(tx, shop.deps, payment.id, user));
  }
  const transfers = halves.map((each) => (BigInt(each) * unit) / 2n);
  return {
    ...{ shop, payment, price, transfers, states: ['none', 'none', 'none'], team },
    ...{ fromWallet: isFromWallet ? 10n * unit : 0n, allowance: newId(), taken: new Map() },
  };
}

async function live(db: Database, life: Life): Promise<void> {
  const subject = await begin(db, life);
  for (const step of [{ do: 'transfer', index: 0, state: 'final' } as const, ...life.steps]) {
    try {
      await play(subject, step);
    } catch (error) {
      if (!(error instanceof Refusal)) throw error;
    }
    await check(subject);
  }
}

test.concurrent.for(parts)(
  'whatever happens to refunds, their money is where it should be, and nobody is paid twice (%i)',
  { timeout: timeoutMs },
  async (part) => {
    const { db } = await testDatabase();
    await fc.assert(
      fc.asyncProperty(lives, (life) => live(db, life)),
      { numRuns: runs, ...whichRuns(process.env, 2026 + part) },
    );
    // Once: it adds up all that the lives before have left.
    expect(await auditFindings(db)).toEqual([]);
  },
);
