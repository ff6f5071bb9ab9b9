import { expect, test } from 'vitest';
import { distanceOf, nearestOf } from '../../../../../web/docs/spelling.ts';
import { stemOf, wordsOf } from '../../../../../web/docs/stem.ts';

test.each([
  'roll rolls rolled rolling',
  'rotate rotates rotated rotating rotation',
  'cancel cancels cancelled cancelling',
  'verify verifies verified verifying verification',
  'pay pays payed paying payment payments',
  'abandon abandoned abandonment',
  'simulate simulates simulated simulation',
  'configure configured configuration',
  'retry retries retried retrying',
  'stop stops stopped stopping',
  'address addresses addressed',
  'withdraw withdraws withdrawal withdrawals withdrawing',
  'approve approved approval approvals',
  'key keys',
  'fee fees',
])('forms of one word have one stem: %s', (forms) => {
  expect(new Set(forms.split(' ').map(stemOf)).size).toBe(1);
});

test.each([
  ['roll', 'role'],
  ['state', 'status'],
  ['string', 'strong'],
  ['payout', 'pay'],
  ['test', 'text'],
  ['webhook', 'wallet'],
])('%s and %s are two words', (one, other) => {
  expect(stemOf(one)).not.toBe(stemOf(other));
});

test('names of code stay what they are, and those of several words are these', () => {
  expect(stemOf('sha256')).toBe('sha256');
  expect(wordsOf('payment_completed, X-Signature: 403!')).toEqual([
    'payment',
    'completed',
    'x',
    'signature',
    '403',
  ]);
});

test.each([
  ['webhook', 'webhook', 0],
  ['webhok', 'webhook', 1],
  ['webohok', 'webhook', 1],
  ['wbehoko', 'webhook', 2],
  ['refund', 'payout', 3],
])('from %s to %s are %i mistakes, of 3 at most', (from, to, mistakes) => {
  expect(distanceOf(from, to, 3)).toBe(mistakes);
});

test('of words that are equally near, the one that is there more often is meant', () => {
  const known = new Map([
    ['refunds', 2],
    ['refund', 9],
    ['fund', 99],
  ]);
  expect(nearestOf('refunt', known)).toBe('refund');
  expect(nearestOf('pay', known)).toBeNull();
  expect(nearestOf('zyzzyva', known)).toBeNull();
});
