import fc from 'fast-check';
import { expect, test } from 'vitest';
import { claim, playRefund } from '../../../test/refunds/claims.ts';
import { testDatabase } from '../../../test/support/database.ts';
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
import { Refusal } from '../../kit/errors.ts';
import { newId } from '../../kit/ids.ts';
import { disputePayment } from '../act.ts';
import { rejectAppeal, returnAppeal } from '../appeals/resolve.ts';
import type { Payment } from '../payment.ts';
import { type Refund, refundsOf } from '../refund.ts';
import { cancelRefund } from './cancel.ts';
import { orderRefund } from './order.ts';
import { setRefundSettings } from './settings.ts';

// Refunds are asked for, claimed, sent, failed and cancelled while the payment's transfers come and go, disputes begin and
// end, and the business spends its balance. Whatever the order: what came is somewhere, nobody gets more than came, and
// each refund is told once.

const runs = process.env.SOAK ? 500 : 10;
const timeoutMs = process.env.SOAK ? 1_200_000 : 900_000;
const unit = 1_000_000n;

type Step =
  | { do: 'transfer'; index: number; state: 'final' | 'gone' }
  | { do: 'order'; tenths: number | null; isAddressed: boolean }
  | { do: 'claim'; index: number | null }
  | { do: 'play'; index: number; outcome: 'sent' | 'refused_address' | 'slow' | 'reorg' }
  | { do: 'cancel'; index: number }
  | { do: 'dispute' | 'reject' | 'return' | 'spend' };

const index = fc.nat({ max: 3 });
const oneStep: fc.Arbitrary<Step> = fc.oneof(
  {
    weight: 3,
    arbitrary: fc.record({
      do: fc.constant('transfer' as const),
      index: fc.nat({ max: 2 }),
      state: fc.constantFrom('final' as const, 'gone' as const),
    }),
  },
  {
    weight: 4,
    arbitrary: fc.record({
      do: fc.constant('order' as const),
      tenths: fc.option(fc.integer({ min: 1, max: 60 })),
      isAddressed: fc.boolean(),
    }),
  },
  { weight: 2, arbitrary: fc.record({ do: fc.constant('claim' as const), index: fc.option(index) }) },
  {
    weight: 4,
    arbitrary: fc.record({
      do: fc.constant('play' as const),
      index,
      outcome: fc.constantFrom(
        'sent' as const,
        'refused_address' as const,
        'slow' as const,
        'reorg' as const,
      ),
    }),
  },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('cancel' as const), index }) },
  {
    weight: 2,
    arbitrary: fc.record({
      do: fc.constantFrom('dispute' as const, 'reject' as const, 'return' as const, 'spend' as const),
    }),
  },
);

type Subject = { shop: Shop; payment: Payment; transfers: bigint[]; states: ('none' | 'final' | 'gone')[] };

const decider = { accountId: newId(), as: 'operator', note: null } as const;
const key = { accountId: null, name: 'key', limits: null };

async function play({ shop, payment, transfers, states }: Subject, step: Step): Promise<void> {
  shop.clock.advance(1);
  const open = (await refundsOf(shop.db, payment.id)).filter(({ wallet }) => wallet === null);
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
    case 'order': {
      const units = step.tenths === null ? null : (BigInt(step.tenths) * unit) / 2n;
      const destination = step.isAddressed ? { to: 'test_customer', memo: null } : null;
      const wanted = { asset: null, units, destination, reason: null };
      await write(shop, (tx) => orderRefund(tx, shop.deps, payment.id, wanted, key, shop.clock.now()));
      return;
    }
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
  for (const { id } of rows) await write(shop, (tx) => decision(tx, shop.deps, 'all', id, decider));
}

async function check({ shop, payment, transfers, states }: Subject): Promise<void> {
  const refunds = await refundsOf(shop.db, payment.id);
  const units = (of: (refund: Refund) => boolean) =>
    refunds.filter(of).reduce((sum, refund) => sum + refund.units, 0n);
  const came = transfers.reduce((sum, each, at) => sum + (states[at] === 'final' ? each : 0n), 0n);
  const unsent = units(({ status }) => status !== 'completed' && status !== 'cancelled');
  const sent = units(({ status }) => status === 'completed');
  const booked = await ledgerOf(shop.db, payment);
  const of = (kind: string): bigint => booked[kind] ?? 0n;
  // Every unit that came is on exactly one account, or was sent.
  expect(-of('external')).toBe(came - sent);
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

const { db } = await testDatabase();

test(
  'whatever happens to refunds, their money is where it should be, and nobody is paid twice',
  async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.integer({ min: 2, max: 30 }), { minLength: 3, maxLength: 3 }),
        fc.constantFrom('kept' as const, 'returned' as const),
        fc.array(oneStep, { minLength: 5, maxLength: 25 }),
        async (halves, feeOnRefund, steps) => {
          const shop = await openShop(db);
          const settings = { feeOnRefund, claimLimitCents: 500, claimLimits: {} };
          await write(shop, (tx) =>
            setRefundSettings(tx, shop.owner.integrationId, settings, shop.clock.now()),
          );
          const payment = await shop.create();
          // Others pay the business too, so that it can give a part of its balance.
          await report(shop, await shop.create(), { key: `${payment.id} other`, units: 10n * unit });
          const transfers = halves.map((each) => (BigInt(each) * unit) / 2n);
          const subject: Subject = { shop, payment, transfers, states: ['none', 'none', 'none'] };
          for (const step of [{ do: 'transfer', index: 0, state: 'final' } as const, ...steps]) {
            try {
              await play(subject, step);
            } catch (error) {
              if (!(error instanceof Refusal)) throw error;
            }
            await check(subject);
          }
          expect(await auditFindings(db)).toEqual([]);
        },
      ),
      { numRuns: runs },
    );
  },
  timeoutMs,
);
