import { expect, test } from 'vitest';
import type { PriceCurrency } from '../../money/price-currencies.ts';
import { adjustmentOf } from './adjustment.ts';
import { quoteOf } from './quote.ts';

const euros = (amount: bigint) => ({ amount, currency: 'EUR' as PriceCurrency });
const price = euros(4_990n);
const terms = {
  ...{ fee: { bps: 100 }, feePayer: 'merchant' as const },
  ...{ shortTolerance: { percent: 0, most: '5' }, usd: null, at: new Date(0) },
};
const quoted = (priceAdjustment: number, { decimals = 2, rate = 800_000_000_000n } = {}) =>
  quoteOf(price, 'USDC', { units: rate, sources: [] }, { ...terms, priceAdjustment, decimals });

test.each([-1_000, -200, -25, 0, 1, 125, 1_000])(
  'the setting of %i that made a quote is found',
  (setting) => {
    expect(adjustmentOf(price, quoted(setting), setting)).toBe(setting);
    expect(adjustmentOf(price, quoted(setting, { decimals: 6, rate: 937_576_601_052n }), setting)).toBe(
      setting,
    );
  },
);

test.each([-1_000, -200, -150, 0, 100, 300, 1_000])(
  'a quote of %i keeps it when the setting changes',
  (setting) => {
    for (const later of [-500, 0, 700]) expect(adjustmentOf(price, quoted(setting), later)).toBe(setting);
  },
);

test('a change that rounding hides is none', () => {
  const little = euros(10n);
  const quote = quoteOf(
    little,
    'USDC',
    { units: 800_000_000_000n, sources: [] },
    { ...terms, priceAdjustment: 0, decimals: 2 },
  );
  expect(adjustmentOf(little, quote, 0)).toBe(0);
});
