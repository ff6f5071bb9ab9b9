import { expect, test } from 'vitest';
import { formatAmount, products } from './catalog.ts';

const minimumCents = { PI: 100, USDC: 100, USDT: 500, CSK: 500 };

test('every product costs at least what the gateway takes', () => {
  for (const { slug, priceCents, currency } of products) {
    expect(priceCents, slug).toBeGreaterThanOrEqual(minimumCents[currency]);
    expect(Number.isInteger(priceCents), slug).toBe(true);
  }
});

test('amounts are written with two decimals and their currency', () => {
  expect(formatAmount(950, 'USDT')).toBe('9.50 USDT');
});
