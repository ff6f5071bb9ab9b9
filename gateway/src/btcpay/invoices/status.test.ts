import { expect, test } from 'vitest';
import type { Payment } from '../../payments/payment/payment.ts';
import { statusOf } from './status.ts';

type Facts = Parameters<typeof statusOf>[0];
const completedAt = new Date(0);
const facts = (
  status: Payment['status'],
  reason: Payment['reason'] = null,
  more: Partial<Facts> = {},
): Facts => ({
  ...{ status, reason, completedAt: null, unusual: [] },
  ...more,
});

test.each<[Facts, string, string]>([
  [facts('unlinked'), 'New', 'None'],
  [facts('linked'), 'New', 'None'],
  [facts('pending'), 'Processing', 'None'],
  [facts('pending', null, { unusual: ['part_paid'] }), 'Processing', 'PaidPartial'],
  [facts('pending', null, { unusual: ['overpaid'] }), 'Processing', 'PaidOver'],
  [facts('completed', null, { completedAt }), 'Settled', 'None'],
  [facts('completed', 'accepted', { completedAt }), 'Settled', 'Marked'],
  [facts('completed', null, { completedAt, unusual: ['late'] }), 'Settled', 'PaidLate'],
  [facts('completed', null, { completedAt, unusual: ['late', 'overpaid'] }), 'Settled', 'PaidOver'],
  [facts('cancelled', 'abandoned'), 'Expired', 'None'],
  [facts('cancelled', 'returned'), 'Expired', 'None'],
  [facts('cancelled', 'customer'), 'Invalid', 'Marked'],
  [facts('cancelled', 'merchant'), 'Invalid', 'Marked'],
  [facts('failed', 'simulated'), 'Invalid', 'None'],
  [facts('in-appeal', 'part_paid'), 'Expired', 'PaidPartial'],
  [facts('in-appeal', 'late', { unusual: ['late'] }), 'Expired', 'PaidLate'],
  [facts('in-appeal', 'late', { unusual: ['late', 'part_paid'] }), 'Expired', 'PaidPartial'],
  [facts('in-appeal', 'paid_after_end', { unusual: ['late'] }), 'Expired', 'PaidLate'],
  [facts('in-appeal', 'disputed', { completedAt }), 'Settled', 'None'],
  [facts('in-appeal', 'reorg', { completedAt }), 'Settled', 'None'],
])('%o is %s, %s', (payment, status, additionalStatus) => {
  expect(statusOf(payment)).toEqual({ status, additionalStatus });
});
