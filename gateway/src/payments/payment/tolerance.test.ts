import fc from 'fast-check';
import { expect, test } from 'vitest';
import { toleranceOf } from './tolerance.ts';

const usdc = (due: bigint, percent: number, most = '5.00', usd: string | null = '1') =>
  toleranceOf({ percent, most }, { due, currency: 'USDC' }, usd);

test('the part of what is due counts where it is less than the most in US dollars, else that', () => {
  expect(usdc(100_000_000n, 1)).toBe(1_000_000n);
  expect(usdc(1_000_000_000n, 1)).toBe(5_000_000n);
  expect(usdc(1_000_000_000n, 0.01)).toBe(100_000n);
  expect(usdc(1_000_000_000n, 5, '0.5')).toBe(500_000n);
});

test('the most is what so many dollars buy at the rate', () => {
  const pi = (usd: string) =>
    toleranceOf({ percent: 5, most: '5.00' }, { due: 10n ** 10n, currency: 'PI' }, usd);
  expect(pi('0.5')).toBe(100_000_000n);
  expect(pi('2')).toBe(25_000_000n);
});

test('nothing may be missing where it is not set, and where there is no rate', () => {
  expect(usdc(100_000_000n, 0)).toBe(0n);
  expect(usdc(100_000_000n, 5, '0')).toBe(0n);
  expect(usdc(100_000_000n, 5, '5.00', null)).toBe(0n);
});

test('neither bound is passed by rounding, and one unit more would pass one', () => {
  const cents = fc.bigInt(0n, 100_000n);
  const terms = fc.record({
    due: fc.bigInt(1n, 10n ** 15n),
    hundredths: fc.integer({ min: 1, max: 500 }),
    cents,
    rate: fc.bigInt(1n, 10n ** 16n),
  });
  fc.assert(
    fc.property(terms, ({ due, hundredths, cents, rate }) => {
      const usd = `${rate / 10n ** 12n}.${String(rate % 10n ** 12n).padStart(12, '0')}`;
      const most = `${cents / 100n}.${String(cents % 100n).padStart(2, '0')}`;
      const units = usdc(due, hundredths / 100, most, usd);
      const fits = (missing: bigint): boolean =>
        missing * 10_000n <= due * BigInt(hundredths) && missing * rate * 100n <= cents * 10n ** 18n;
      expect(fits(units)).toBe(true);
      expect(fits(units + 1n)).toBe(false);
    }),
  );
});
