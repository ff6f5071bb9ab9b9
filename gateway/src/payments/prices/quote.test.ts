import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { FeePayer } from '../../identity/integration.ts';
import { currencies, currencyScale } from '../../money/assets.ts';
import { decimalOf, unitsOfDecimal } from '../../money/money.ts';
import { minorDigits, type PriceCurrency, priceCurrencies } from '../../money/price-currencies.ts';
import { rateScale } from '../../money/rates.ts';
import { askedFeeOf } from '../payment/price.ts';
import { quoteOf, unitsOfPrice } from './quote.ts';

const at = new Date('2026-11-29T12:00:00Z');
const code = (text: string) => text as PriceCurrency;
const none = { shortTolerance: { percent: 0, most: '5.00' }, usd: null };
const plain = {
  priceAdjustment: 0,
  fee: { bps: 100 },
  feePayer: 'merchant' as const,
  decimals: 2,
  at,
  ...none,
};

const priceOf = (text: string, currency: string) => ({
  amount: unitsOfDecimal(text, minorDigits(code(currency)))!,
  currency: code(currency),
});

const rateOf = (text: string) => ({ units: unitsOfDecimal(text, rateScale)!, sources: [] });

/** What a price comes to in a currency, as a decimal. */
function amountOf(
  [text, currency]: [string, string],
  [coin, rate]: [(typeof currencies)[number], string],
  more: Partial<Parameters<typeof quoteOf>[3]> = {},
): string {
  const quote = quoteOf(priceOf(text, currency), coin, rateOf(rate), { ...plain, ...more });
  return decimalOf(quote.amount, currencyScale[coin]);
}

describe('the amount of a quote', () => {
  test.each([
    ['49.90', 'EUR', 'USDC', '0.9376', '53.23'],
    ['49.90', 'EUR', 'USDC', '0.998', '50'],
    ['10', 'EUR', 'USDC', '0.8', '12.5'],
    ['0.01', 'EUR', 'USDC', '0.8', '0.02'],
    ['1000', 'JPY', 'USDC', '100', '10'],
    ['1001', 'JPY', 'USDC', '150.123', '6.67'],
    ['1.234', 'KWD', 'USDT', '0.307', '4.02'],
    ['1', 'USD', 'CSK', '0.000000000001', '1000000000000'],
  ] as const)('of %s %s in %s at %s is %s', (price, currency, coin, rate, amount) => {
    expect(amountOf([price, currency], [coin, rate])).toBe(amount);
  });

  test('has as many decimals as operators say, and never more than the currency', () => {
    expect(amountOf(['1', 'EUR'], ['PI', '3'], { decimals: 4 })).toBe('0.3334');
    expect(amountOf(['1', 'EUR'], ['PI', '3'], { decimals: 0 })).toBe('1');
    expect(amountOf(['1', 'EUR'], ['USDC', '3'], { decimals: 7 })).toBe('0.333334');
  });

  test('is that of the price after what the merchant adds or takes off', () => {
    expect(amountOf(['100', 'EUR'], ['USDC', '1'], { priceAdjustment: 250 })).toBe('102.5');
    expect(amountOf(['100', 'EUR'], ['USDC', '1'], { priceAdjustment: -1000 })).toBe('90');
    expect(amountOf(['0.01', 'EUR'], ['USDC', '1'], { priceAdjustment: 1 })).toBe('0.02');
  });

  test('is refused at a rate that is none', () => {
    expect(() => amountOf(['1', 'EUR'], ['USDC', '0'])).toThrow('is no rate');
  });
});

test('the fee is taken on the quote, and added to what is due where the customer pays it', () => {
  const quote = (feePayer: FeePayer) =>
    quoteOf(priceOf('10', 'EUR'), 'USDC', rateOf('0.8'), { ...plain, feePayer });
  expect(quote('merchant')).toMatchObject({ amount: 12_500_000n, fee: 125_000n, amountDue: 12_500_000n });
  expect(quote('customer')).toMatchObject({ amount: 12_500_000n, fee: 125_000n, amountDue: 12_625_000n });
});

test('the fee in the money of the price is rounded half up at its minor digits, and 0 before a quote', () => {
  const fee = (units: bigint, rate: string, currency: string) =>
    askedFeeOf({
      price: priceOf('10', currency),
      currency: 'USDC',
      fee: units,
      rate: unitsOfDecimal(rate, rateScale),
    });
  expect(fee(125_000n, '0.8', 'EUR')).toBe('0.1');
  expect(fee(6_250n, '0.8', 'EUR')).toBe('0.01');
  expect(fee(6_249n, '0.8', 'EUR')).toBe('0');
  expect(fee(125_000n, '100', 'JPY')).toBe('13');
  expect(askedFeeOf({ price: priceOf('10', 'EUR'), currency: null, fee: null, rate: null })).toBe('0');
});

test('a part of a price is worth the asset units that it surely pays for', () => {
  const rate = unitsOfDecimal('0.9376', rateScale)!;
  expect(unitsOfPrice(priceOf('10', 'EUR'), rate, 6)).toBe(10_665_529n);
  expect(unitsOfPrice(priceOf('0.01', 'EUR'), rate, 2)).toBe(1n);
  expect(unitsOfPrice(priceOf('0.01', 'EUR'), unitsOfDecimal('2', rateScale)!, 2)).toBe(0n);
});

test('a quote always covers its price, by less than one of its last decimals', () => {
  const quoted = fc.record({
    units: fc.bigInt({ min: 1n, max: 10n ** 15n - 1n }),
    currency: fc.constantFrom(...priceCurrencies),
    coin: fc.constantFrom(...currencies),
    rate: fc.bigInt({ min: 1n, max: 10n ** 18n }),
    decimals: fc.integer({ min: 0, max: 7 }),
    bps: fc.integer({ min: -1000, max: 1000 }),
  });
  fc.assert(
    fc.property(quoted, ({ units, currency, coin, rate, decimals, bps }) => {
      const price = { amount: units, currency };
      const terms = { ...plain, decimals, priceAdjustment: bps };
      const { amount } = quoteOf(price, coin, { units: rate, sources: [] }, terms);
      const scale = currencyScale[coin];
      // Both sides at the same scale: amount x rate, and the adjusted price.
      const paid = (each: bigint) => each * rate * 10_000n * 10n ** BigInt(minorDigits(currency));
      const asked = units * BigInt(10_000 + bps) * 10n ** BigInt(scale + rateScale);
      const step = 10n ** BigInt(scale - Math.min(decimals, scale));
      expect(paid(amount)).toBeGreaterThanOrEqual(asked);
      expect(paid(amount - step)).toBeLessThan(asked);
      expect(amount % step).toBe(0n);
    }),
  );
});
