import { describe, expect, test } from 'vitest';
import type { Order } from '../parties/journal.ts';
import type { Came } from './reading.ts';
import { liveStanding, type Terms, termsOf, testStanding } from './standing.ts';
import { fineOf } from './units.ts';

const terms: Terms = { currency: 'USDC', due: fineOf('10'), fee: fineOf('0.1') };
const order: Order = {
  ...{ reference: 'R1-1-0', merchant: 'merchant-1', mode: 'live', pageUrl: 'a page', places: new Map() },
  asked: { amount: '10', currency: 'USDC', price: null, feePayer: 'merchant' },
  ...{ outcome: null, outcomeMs: null, cancelled: null, isDisputed: false, payer: null },
  ...{ ownAsset: null, id: null, askedMs: 0, shownMs: 0 },
};
const deadlineMs = Date.parse('2026-11-30T11:00:00Z');
const hourMs = 3_600_000;

const came = (amount: string, afterMs: number): Came => ({
  ...{ asset: 'usdc-bep20', from: 'a customer', to: 'an address', memo: null },
  ...{ fine: fineOf(amount), atMs: deadlineMs + afterMs, block: 1 },
});
const at = (nowAfterMs: number, all: Came[], more: Partial<Order> = {}) =>
  liveStanding({ ...order, ...more }, terms, { came: all, deadlineMs, nowMs: deadlineMs + nowAfterMs })
    .statuses;

test('a payment is paid by what came in time, in one transfer or several', () => {
  const whole = [came('4', -hourMs), came('6', -1)];
  expect([at(-hourMs, whole), at(hourMs, whole)]).toEqual([['completed'], ['completed']]);
  const twice = liveStanding(order, terms, {
    came: [...whole, came('10', 0)],
    deadlineMs,
    nowMs: deadlineMs,
  });
  expect(twice).toMatchObject({ credit: fineOf('9.9'), overpaid: fineOf('10'), isCompleted: true });
});

test('less than is due is pending until the deadline, and in appeal after it', () => {
  const half = [came('5', -hourMs)];
  expect([at(-hourMs, half), at(hourMs, half)]).toEqual([['pending'], ['in-appeal']]);
});

test('dust moves nothing', () => {
  const dust = [came('0.009', -hourMs)];
  expect([at(-hourMs, dust), at(hourMs, dust)]).toEqual([['unlinked', 'linked'], ['cancelled']]);
});

test('late money completes an abandoned payment inside a day, and is in appeal where it is not enough by then', () => {
  expect(at(2 * hourMs, [came('10', hourMs)])).toEqual(['completed']);
  expect(at(2 * hourMs, [came('9', hourMs)])).toEqual(['cancelled']);
  expect(at(25 * hourMs, [came('9', hourMs)])).toEqual(['in-appeal']);
  expect(at(27 * hourMs, [came('10', 26 * hourMs)])).toEqual(['in-appeal']);
  expect(at(2 * hourMs, [came('1', -hourMs), came('9', hourMs)])).toEqual(['in-appeal']);
});

test('money for a payment that was cancelled is in appeal', () => {
  expect([at(0, [], { cancelled: 'merchant' }), at(0, [came('10', -1)], { cancelled: 'customer' })]).toEqual([
    ['cancelled'],
    ['in-appeal'],
  ]);
});

test('a disputed payment keeps its money', () => {
  const disputed = { ...order, isDisputed: true };
  const standing = liveStanding(disputed, terms, { came: [came('10', -1)], deadlineMs, nowMs: deadlineMs });
  expect(standing).toMatchObject({ statuses: ['in-appeal'], credit: fineOf('9.9') });
});

test('near to the deadline both sides of it are possible', () => {
  expect(at(0, [])).toEqual(['unlinked', 'linked', 'cancelled']);
});

describe('the terms', () => {
  test('have the fee rounded half up at the decimals of the currency', () => {
    const asked = { ...order.asked, amount: '10.00005' };
    expect(termsOf({ ...order, asked }, null)?.fee).toBe(fineOf('0.100001'));
    expect(termsOf({ ...order, asked: { ...asked, amount: '10.000049' } }, null)?.fee).toBe(fineOf('0.1'));
  });

  test('are due beside the amount where the customer pays the fee', () => {
    const asked = { ...order.asked, feePayer: 'customer' as const };
    expect(termsOf({ ...order, asked }, null)?.due).toBe(fineOf('10.1'));
  });

  test('of a price are those of its quote', () => {
    const asked = { ...order.asked, currency: 'EUR', price: 'EUR' };
    expect(termsOf({ ...order, asked }, null)).toBeNull();
    expect(termsOf({ ...order, asked }, { currency: 'USDT', amount: '11.12', rate: '0.9' })).toEqual({
      ...{ currency: 'USDT', due: fineOf('11.12'), fee: fineOf('0.1112') },
    });
  });
});

test.each([
  ['success', 'completed'],
  ['late', 'completed'],
  ['underpaid', 'in-appeal'],
  ['reorg', 'failed'],
  ['wrong_token', 'cancelled'],
  [null, 'cancelled'],
])('a test payment of which %s was simulated ends %s', (outcome, status) => {
  const standing = testStanding({ ...order, outcome }, terms, { received: fineOf('10'), isOver: true });
  expect(standing.statuses).toEqual([status]);
});
