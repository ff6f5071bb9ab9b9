import { expect, test } from 'vitest';
import { eventTypes } from '../merchant/words.ts';
import { guessEvent } from './guess.ts';

const guess = (text: string) => guessEvent(text, eventTypes);

test.each([
  ['payment_completed', 'payment_completed'],
  ['Payment.Completed', 'payment_completed'],
  ['payment-completed', 'payment_completed'],
  ['completed', 'payment_completed'],
  ['paid', 'payment_completed'],
  ['payment_paid', 'payment_completed'],
  ['payment_complete', 'payment_completed'],
  ['paymnet_completed', 'payment_completed'],
  ['expired', 'payment_abandoned'],
  ['abandonned', 'payment_abandoned'],
  ['canceled', 'payment_cancelled'],
  ['payout_canceled', 'payout_cancelled'],
  ['payout_paid', 'payout_completed'],
  ['dispute', 'payment_in_appeal'],
  ['appeal', 'payment_in_appeal'],
  ['refunded', 'payment_refunded'],
  ['approval', 'payout_awaiting_approval'],
  ['linked', 'payment_linked'],
  ['disabled', 'webhook_endpoint_disabled'],
])('%s means %s', (text, is) => {
  expect(guess(text)).toEqual({ is });
});

test.each([
  ['payout', ['payout_awaiting_approval', 'payout_completed', 'payout_failed', 'payout_cancelled']],
  ['refund_', ['refund_created', 'refund_failed']],
  ['parcel_sent', []],
  ['x', []],
])('%s could be %j', (text, near) => {
  expect(guess(text)).toEqual({ near });
});
