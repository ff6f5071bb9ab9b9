import { describe, expect, test } from 'vitest';
import { testDatabase } from '../../../test/support/database.ts';
import {
  change,
  eventTypesOf,
  openShop,
  paymentById,
  write,
} from '../../../test/support/payment-fixtures.ts';
import type { PaymentEventType } from '../../webhooks/events/event-types.ts';
import { statuses } from '../create/schema.ts';
import { changePayments } from '../settlement/changes.ts';
import { makeMove } from '../settlement/moves.ts';
import type { Payment, PaymentStatus, Reason } from './payment.ts';
import type { Move } from './state.ts';
import { transitionOf } from './state.ts';

type Row = [from: PaymentStatus[], to: PaymentStatus, reason: Reason | null, event: PaymentEventType];

// Contract.md 5, row by row; a payment's creation is no move.
const contract: Row[] = [
  [['unlinked'], 'linked', null, 'payment_linked'],
  [['unlinked', 'linked'], 'pending', null, 'payment_pending'],
  [['unlinked', 'linked', 'pending'], 'completed', null, 'payment_completed'],
  [['unlinked', 'linked', 'pending'], 'failed', 'simulated', 'payment_failed'],
  [['unlinked', 'linked', 'pending'], 'failed', 'reorg', 'payment_failed'],
  [['unlinked', 'linked'], 'cancelled', 'abandoned', 'payment_abandoned'],
  [['unlinked', 'linked'], 'cancelled', 'customer', 'payment_cancelled'],
  [['unlinked', 'linked'], 'cancelled', 'merchant', 'payment_cancelled'],
  [['linked', 'pending'], 'in-appeal', 'part_paid', 'payment_in_appeal'],
  [['cancelled'], 'completed', null, 'payment_completed'],
  [['cancelled', 'failed'], 'in-appeal', 'late', 'payment_in_appeal'],
  [['cancelled', 'failed'], 'in-appeal', 'paid_after_end', 'payment_in_appeal'],
  [['completed'], 'in-appeal', 'disputed', 'payment_in_appeal'],
  [['completed'], 'in-appeal', 'reorg', 'payment_in_appeal'],
  [['in-appeal'], 'completed', 'accepted', 'payment_completed'],
  [['in-appeal'], 'completed', 'dispute_rejected', 'payment_appeal_closed'],
  [['in-appeal'], 'completed', 'covered_again', 'payment_appeal_closed'],
  [['in-appeal'], 'failed', 'returned', 'payment_appeal_closed'],
  [['in-appeal'], 'cancelled', 'returned', 'payment_appeal_closed'],
  [['in-appeal'], 'failed', 'reorg', 'payment_appeal_closed'],
];

const reasons = [...new Set(contract.map(([, , reason]) => reason))];

const pairs = statuses.flatMap((from) => statuses.map((to) => ({ from, to })));

/** The contract's rows for one pair of statuses, as `reason -> event`. */
function movesBetween(from: PaymentStatus, to: PaymentStatus): Map<Reason | null, PaymentEventType> {
  const rows = contract.filter((row) => row[0].includes(from) && row[1] === to);
  return new Map(rows.map(([, , reason, event]) => [reason, event]));
}

describe('the table of moves', () => {
  test.each(pairs)('from $from to $to is what the contract says', ({ from, to }) => {
    const moves = movesBetween(from, to);
    // Where the contract names no reason any will do, or none.
    const open = moves.get(null);
    for (const reason of reasons) {
      expect(transitionOf(from, to, reason)?.event, `reason ${reason}`).toBe(open ?? moves.get(reason));
    }
  });
});

const shop = await openShop((await testDatabase()).db);

/** A payment put into a status by hand, as no service would. */
async function paymentIn(status: PaymentStatus): Promise<Payment> {
  const { id } = await shop.create();
  await shop.db.query('UPDATE payments SET status = $2 WHERE id = $1', [id, status]);
  return await paymentById(shop.db, id);
}

const movePayment = (payment: Payment, move: Move): Promise<Payment> =>
  change(shop, payment, (changes) => makeMove(changes, payment.id, move));

describe('a move', () => {
  test.each(
    contract.flatMap(([froms, to, reason, event]) => froms.map((from) => ({ from, to, reason, event }))),
  )('from $from to $to ($reason) sends $event', async ({ from, to, reason, event }) => {
    const payment = await paymentIn(from);
    const moved = await movePayment(payment, { to, reason });
    expect(moved).toMatchObject({ status: to, reason, eventSequence: 1, version: payment.version + 1 });
    expect(await paymentById(shop.db, payment.id)).toEqual(moved);
    expect(await eventTypesOf(shop.db, payment)).toEqual([event.replace('payment_', '')]);
  });

  test('that the table lacks throws, and nothing changes', async () => {
    for (const { from, to } of pairs) {
      if (movesBetween(from, to).size > 0) continue;
      const payment = await paymentIn(from);
      const move = movePayment(payment, { to, reason: null });
      await expect(move, `${from} to ${to}`).rejects.toThrow(`No move from ${from} to ${to}`);
      expect(await eventTypesOf(shop.db, payment)).toEqual([]);
    }
  });

  test('from a status that the payment has left throws, and nothing changes', async () => {
    const payment = await shop.create();
    await movePayment(payment, { to: 'cancelled', reason: 'merchant' });
    const late = movePayment(payment, { to: 'linked', reason: null });
    await expect(late).rejects.toThrow('No move from cancelled to linked');
    expect((await paymentById(shop.db, payment.id)).status).toBe('cancelled');
    expect(await eventTypesOf(shop.db, payment)).toEqual(['cancelled']);
  });

  test('that twenty callers make at once happens once', async () => {
    const payment = await shop.create();
    const tries = Array.from({ length: 20 }, () => movePayment(payment, { to: 'linked', reason: null }));
    const moved = (await Promise.allSettled(tries)).filter(({ status }) => status === 'fulfilled');
    expect(moved).toHaveLength(1);
    expect(await eventTypesOf(shop.db, payment)).toEqual(['linked']);
  });

  test('is rolled back together with its event and its line in the timeline', async () => {
    const payment = await shop.create();
    const undone = write(shop, async (tx) => {
      await changePayments(tx, shop.deps, [payment.id], (changes) => {
        makeMove(changes, payment.id, { to: 'linked', reason: null });
      });
      throw new Error('the caller changed its mind');
    });
    await expect(undone).rejects.toThrow('changed its mind');
    expect(await paymentById(shop.db, payment.id)).toEqual(payment);
    expect(await eventTypesOf(shop.db, payment)).toEqual([]);
    const { rows } = await shop.db.query('SELECT FROM payment_moves WHERE payment_id = $1', [payment.id]);
    expect(rows).toEqual([]);
  });

  test('notifies the open pages, but only once it is durable', async () => {
    const sent: string[] = [];
    const deps = { ...shop.deps, hints: { ...shop.deps.hints, send: (topic: string) => sent.push(topic) } };
    const payment = await shop.create();
    await write(shop, async (tx) => {
      await changePayments(tx, deps, [payment.id], (changes) => {
        makeMove(changes, payment.id, { to: 'linked', reason: null });
      });
      expect(sent).toEqual([]);
    });
    expect(sent).toEqual(['payment']);
  });
});

test('payment_completed is sent once in a life: a rejected dispute closes the appeal instead', async () => {
  let payment = await shop.create();
  const moves: { to: PaymentStatus; reason: Reason | null }[] = [
    { to: 'completed', reason: null },
    { to: 'in-appeal', reason: 'disputed' },
    { to: 'completed', reason: 'dispute_rejected' },
    { to: 'in-appeal', reason: 'reorg' },
    { to: 'completed', reason: 'accepted' },
  ];
  for (const move of moves) payment = await movePayment(payment, move);
  expect(await eventTypesOf(shop.db, payment)).toEqual([
    'completed',
    'in_appeal',
    'appeal_closed',
    'in_appeal',
    'appeal_closed',
  ]);
});

test('the time of completion is that of the first completion', async () => {
  const created = await shop.create();
  const completed = await movePayment(created, { to: 'completed', reason: null });
  shop.clock.advance(60);
  const disputed = await movePayment(completed, { to: 'in-appeal', reason: 'disputed' });
  const closed = await movePayment(disputed, { to: 'completed', reason: 'dispute_rejected' });
  expect(closed.completedAt).toEqual(completed.completedAt);
  expect(closed.updatedAt).toEqual(shop.clock.now());
});
