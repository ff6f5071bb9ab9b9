import { describe, expect, test } from 'vitest';
import { feesAt, gweiText, raised, weiOfGwei } from './fees.ts';

const gwei = 10n ** 9n;
const now = { price: 11n * gwei, baseFee: 10n * gwei, tip: gwei };

describe('a new transaction', () => {
  test('offers twice the base fee and the tip', () => {
    expect(feesAt(now, 200n * gwei)).toEqual({ maxFee: 21n * gwei, tip: gwei });
  });
  test('offers no more than is allowed, and nothing while gas costs more', () => {
    expect(feesAt(now, 12n * gwei)).toEqual({ maxFee: 12n * gwei, tip: gwei });
    expect(feesAt(now, 10n * gwei)).toBeNull();
  });
  test('offers the one price of a chain without a base fee', () => {
    expect(feesAt({ price: 5n, baseFee: null, tip: 0n }, gwei)).toEqual({ maxFee: 5n, tip: null });
  });
});

describe('a replacement', () => {
  test('raises price and tip by an eighth, and a bit for what was rounded away', () => {
    const next = raised({ maxFee: 21n * gwei, tip: gwei }, { price: 2n, baseFee: 1n, tip: 1n }, 200n * gwei);
    expect(next).toEqual({ maxFee: 23_625_000_001n, tip: 1_125_000_001n });
  });
  test('offers what gas costs now where that is more', () => {
    expect(raised({ maxFee: gwei, tip: 1n }, now, 200n * gwei)).toEqual({ maxFee: 21n * gwei, tip: gwei });
  });
  test('is not made where an eighth more is not allowed', () => {
    expect(raised({ maxFee: 180n * gwei, tip: gwei }, now, 200n * gwei)).toBeNull();
  });
  test('of a transaction without a tip has none either', () => {
    expect(raised({ maxFee: 8n, tip: null }, { price: 9n, baseFee: null, tip: 0n }, 200n)).toEqual({
      maxFee: 10n,
      tip: null,
    });
  });
});

test('gwei of the configuration may have decimals', () => {
  expect(weiOfGwei(0.05)).toBe(50_000_000n);
  expect(gweiText(50_000_000n)).toBe('0.050 gwei');
});
