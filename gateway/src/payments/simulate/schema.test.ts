import { expect, test } from 'vitest';
import { readWish, readWishFields } from './schema.ts';

test('one outcome or several are read, with an amount and a delay', () => {
  expect(readWish({ outcome: 'success' })).toEqual({ outcomes: ['success'] });
  expect(readWish({ outcome: ['slow', 'late'], amount: '12.5', delay_seconds: 30 })).toEqual({
    outcomes: ['slow', 'late'],
    amount: '12.5',
    delaySeconds: 30,
  });
});

test('a form or a query says the same in texts', () => {
  expect(readWishFields({ outcome: 'slow', amount: '', delay_seconds: '' })).toEqual({ outcomes: ['slow'] });
  expect(readWishFields({ outcome: ['slow', 'late'], amount: '5', delay_seconds: '30' })).toEqual({
    outcomes: ['slow', 'late'],
    amount: '5',
    delaySeconds: 30,
  });
});

test.each([
  [{}, 'outcome is invalid: is required'],
  [{ outcome: [] }, 'outcome is invalid: must be one of success, failure,'],
  [{ outcome: 'explode' }, 'outcome is invalid: must be one of success, failure,'],
  [{ outcome: ['slow', 'explode'] }, 'or a list of some that combine'],
  [{ outcome: [['slow']] }, 'outcome is invalid'],
  [{ outcome: { slow: true } }, 'outcome is invalid'],
  [{ outcome: 'success', amount: 5 }, 'amount is invalid: must be a positive decimal number as a string'],
  ...['0', '0.00', '-1', '1e3', '.5', '5.', '01', ' 5', '1'.repeat(16)].map((amount) => [
    { outcome: 'success', amount },
    'amount is invalid: must be a positive decimal number as a string, such as "12.5"',
  ]),
  [{ outcome: 'success', delay_seconds: -1 }, 'delay_seconds is invalid'],
  [{ outcome: 'success', delay_seconds: 1.5 }, 'delay_seconds is invalid'],
  [{ outcome: 'success', delay_seconds: 30 * 24 * 3600 + 1 }, 'delay_seconds is invalid'],
] as [object, string][])('%j is refused', (body, why) => {
  expect(() => readWish(body)).toThrow(why);
});
