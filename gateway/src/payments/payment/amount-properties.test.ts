import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { type Currency, currencies, currencyScale } from '../../money/assets.ts';
import { decimalOf, numberOf, rescale } from '../../money/money.ts';
import { settledShares } from '../settlement/settle.ts';
import { assertMinimum, feeOf, parseAmount } from './amount.ts';

const amounts = fc.bigInt({ min: 1n, max: 10n ** 15n - 1n });
const currency = fc.constantFrom(...currencies);

describe('the fee', () => {
  const part = fc.bigInt({ min: 0n, max: 10n ** 9n });

  test('in basis points is the exact share, rounded half up to one unit', () => {
    fc.assert(
      fc.property(amounts, fc.nat(10_000), (amount, bps) => {
        const fee = feeOf({ bps }, amount, 6);
        // fee - 1/2 <= amount * bps / 10,000 < fee + 1/2, without a fraction.
        const twice = 2n * amount * BigInt(bps);
        expect(twice).toBeGreaterThanOrEqual((2n * fee - 1n) * 10_000n);
        expect(twice).toBeLessThan((2n * fee + 1n) * 10_000n);
      }),
    );
  });

  test.each([
    [49n, 0n],
    [50n, 1n],
    [149n, 1n],
    [150n, 2n],
    [151n, 2n],
  ])('of one percent on %i units is %i', (amount, fee) => {
    expect(feeOf({ bps: 100 }, amount, 6)).toBe(fee);
  });

  test('lies between its floor and its cap, unless the amount is less', () => {
    fc.assert(
      fc.property(amounts, fc.nat(10_000), part, part, part, (amount, bps, fixed, floor, more) => {
        const cap = floor + more;
        const text = (units: bigint): string => decimalOf(units, 6);
        const fee = feeOf({ bps, fixed: text(fixed), floor: text(floor), cap: text(cap) }, amount, 6);
        expect(fee).toBeLessThanOrEqual(amount);
        expect(fee).toBeLessThanOrEqual(cap);
        expect(fee >= floor || fee === amount).toBe(true);
      }),
    );
  });
});

describe('an amount', () => {
  test('that is let through comes to its exact units in every currency', () => {
    fc.assert(
      fc.property(amounts, currency, (units, code) => {
        const value = numberOf(units, currencyScale[code]);
        expect(parseAmount(value, code)).toBe(units);
      }),
    );
  });

  test.each<[unknown, Currency | undefined, string]>([
    [undefined, 'USDC', 'amount must be a positive number'],
    ['10', 'USDC', 'amount must be a positive number'],
    [0, undefined, 'amount must be a positive number'],
    [0.0000001, 'USDC', 'amount has too many decimals for USDC'],
    [0.00000001, 'PI', 'amount has too many decimals for PI'],
    [1e21, 'USDT', 'amount is too large'],
    [1e21, undefined, 'amount is too large'],
  ])('of %j in %s is refused: %s', (value, code, message) => {
    expect(parseAmount(value, code)).toMatchObject({ message });
  });

  test('with more decimals than any currency has is not judged before the currency is known', () => {
    expect(parseAmount(0.00000001, undefined)).toBe(0n);
  });
});

test('the minimum is met by exactly the amounts that are worth as much', () => {
  const rate = fc.bigInt({ min: 1n, max: 10n ** 15n });
  fc.assert(
    fc.property(amounts, currency, rate, (amount, code, perUnit) => {
      const least = code === 'PI' || code === 'USDC' ? 1n : 5n;
      const isEnough = amount * perUnit >= least * 10n ** BigInt(currencyScale[code] + 12);
      const judge = () => assertMinimum(amount, code, () => decimalOf(perUnit, 12));
      if (isEnough) judge();
      else expect(judge).toThrow(`amount is below the minimum of ${least}.00 USD for ${code}`);
    }),
  );
});

describe('what arrived', () => {
  const transfer = fc.oneof(
    fc.record({ asset: fc.constant('usdt-erc20'), scale: fc.constant(6), units: fc.bigInt(1n, 30n) }),
    fc.record({
      asset: fc.constant('usdt-bep20'),
      scale: fc.constant(18),
      units: fc.bigInt(1n, 30n * 10n ** 12n),
    }),
  );
  const payment = fc
    .record({ amountDue: fc.bigInt(1n, 60n), percent: fc.bigInt(0n, 100n) })
    .map(({ amountDue, percent }) => ({
      amountDue,
      fee: (amountDue * percent) / 100n,
      currency: 'USDT' as const,
      shortUnits: null,
    }));
  const coarse = 10n ** 12n;
  const worth = (units: bigint, asset: string): bigint => (asset === 'usdt-bep20' ? units : units * coarse);

  test('becomes shares without loss, whether it is too little, enough or too much', () => {
    fc.assert(
      fc.property(fc.array(transfer, { maxLength: 6 }), payment, (received, due) => {
        const shares = settledShares(received, due);
        const sum = (to: string): bigint =>
          shares
            .filter((share) => share.to === to)
            .reduce((all, { units, asset }) => all + worth(units, asset), 0n);
        for (const code of ['usdt-erc20', 'usdt-bep20']) {
          const of = (list: { asset: string; units: bigint }[]) =>
            list.filter(({ asset }) => asset === code).reduce((all, { units }) => all + units, 0n);
          expect(of(shares)).toBe(of(received));
        }
        for (const { units } of shares) expect(units).toBeGreaterThan(0n);

        const total = received.reduce((all, { units, asset }) => all + worth(units, asset), 0n);
        const whole = rescale(due.amountDue, 6, 18);
        const came = total < whole ? total : whole;
        // Of less than is due, the fee is that part of the whole one, rounded half up.
        const part = (2n * due.fee * came + whole) / (2n * whole);
        const fee = rescale(part, 6, 18) < came ? rescale(part, 6, 18) : came;
        const business = came - fee;
        // The merchant comes first, and each part is overshot by less than the coarser asset's smallest unit.
        expect(sum('business')).toBeGreaterThanOrEqual(business);
        expect(sum('business')).toBeLessThan(business + coarse);
        expect(sum('fee')).toBeLessThan(fee + coarse);
        if (total <= whole) expect(sum('overpayment')).toBe(0n);
        else expect(sum('overpayment')).toBeLessThanOrEqual(total - whole);
      }),
      { numRuns: 500 },
    );
  });
});
