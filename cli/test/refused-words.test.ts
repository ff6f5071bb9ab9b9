import { expect, test } from 'vitest';
import { runFlorin } from './florin.ts';

const FLORIN_URL = 'http://127.0.0.1:1';
const FLORIN_SECRET_KEY = `sk_test_${'0'.repeat(32)}`;

test.concurrent.each([
  ['payments create --amount 1,5 --currency USDC', "argument '1,5' is invalid. The amount must be a decimal"],
  ['payments create --currency USDC', "required option '--amount <decimal>' not specified"],
  ['payments list --status paid', 'Allowed choices are unlinked, linked, '],
  [
    'payments list --from yesterday',
    'It must be a time in ISO 8601 such as 2026-11-21T14:00:00Z, or a duration before now',
  ],
  ['payments list --from 999999999d', 'It must be a time in ISO 8601'],
  ['clock advance 0', 'It must be a duration from 1s to 366d.'],
  ['endpoints roll-secret X --overlap 8d', 'It must be a duration from 0s to 7d.'],
  ['endpoints chaos X --delay-seconds 2h', 'It must be a duration from 1s to 1h.'],
  ['trigger refund_', 'Did you mean refund_created or refund_failed?'],
  [
    'trigger parcel_sent',
    'Allowed choices are payment_completed, payment_failed, payment_abandoned, payment_linked, payment_pending, payment_cancelled, payment_in_appeal, payment_refunded, refund_created, refund_failed, payout_awaiting_approval, payout_completed, payout_failed, payout_cancelled.',
  ],
  ['trigger payment_failed --with colour=red', 'a payment has no colour; it has amount, '],
])('%j is refused before anything is sent, with the names of the command line', async (words, message) => {
  const { code, output, errors } = await runFlorin(words.split(' '), { FLORIN_URL, FLORIN_SECRET_KEY });
  expect([code, output]).toEqual([1, '']);
  expect(errors).toContain(message);
});
