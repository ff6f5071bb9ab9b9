import fc from 'fast-check';
import { expect, test } from 'vitest';
import { settledShares } from './settle.ts';

const usdc = { currency: 'USDC', amountDue: 10_000_000n, fee: 100_000n, shortUnits: null } as const;
const erc20 = (units: bigint) => ({ asset: 'usdc-erc20', scale: 6, units });
const bep20 = (units: bigint) => ({ asset: 'usdc-bep20', scale: 18, units });

/** The shares as `asset to units`. */
const shares = (...received: ReturnType<typeof erc20>[]) =>
  settledShares(received, usdc).map(({ asset, to, units }) => `${asset} ${to} ${units}`);

test('the exact amount becomes the shares of business and fee', () => {
  expect(shares(erc20(10_000_000n))).toEqual(['usdc-erc20 business 9900000', 'usdc-erc20 fee 100000']);
});

test('where less came than is due, the fee is the same part of the whole fee', () => {
  expect(shares(erc20(5_000_000n))).toEqual(['usdc-erc20 business 4950000', 'usdc-erc20 fee 50000']);
});

test('what is left over is an overpayment', () => {
  expect(shares(erc20(10_000_001n))).toContain('usdc-erc20 overpayment 1');
});

test('of a payment that was completed short what came later is an overpayment, and the fee is that of what came', () => {
  const short = { ...usdc, shortUnits: 9_950_000n * 10n ** 12n };
  expect(
    settledShares([erc20(9_950_000n), erc20(50_000n)], short).map(
      ({ asset, to, units }) => `${asset} ${to} ${units}`,
    ),
  ).toEqual(['usdc-erc20 business 9850500', 'usdc-erc20 fee 99500', 'usdc-erc20 overpayment 50000']);
});

test('the merchant is served before the fee, over as many transfers as it takes', () => {
  expect(shares(erc20(6_000_000n), erc20(3_950_000n), erc20(50_000n))).toEqual([
    'usdc-erc20 business 6000000',
    'usdc-erc20 business 3900000',
    'usdc-erc20 fee 50000',
    'usdc-erc20 fee 50000',
  ]);
});

test('assets of different decimals have shares each in its own units', () => {
  expect(shares(bep20(6n * 10n ** 18n), erc20(4_000_000n))).toEqual([
    `usdc-bep20 business ${6n * 10n ** 18n}`,
    'usdc-erc20 business 3900000',
    'usdc-erc20 fee 100000',
  ]);
});

test('where only a fraction of the coarser unit is missing the merchant gets the whole unit', () => {
  expect(shares(bep20(99n * 10n ** 17n - 1n), erc20(100_001n))).toEqual([
    `usdc-bep20 business ${99n * 10n ** 17n - 1n}`,
    'usdc-erc20 business 1',
    'usdc-erc20 fee 100000',
  ]);
});

test('the shares of whatever covers the amount lose nothing: business and fee get theirs, to a unit', () => {
  const part = fc.oneof(fc.bigInt(1n, 20_000_000n).map(erc20), fc.bigInt(1n, 20n * 10n ** 18n).map(bep20));
  const fine = (asset: string, units: bigint) => (asset === 'usdc-erc20' ? units * 10n ** 12n : units);
  const due = fine('usdc-erc20', usdc.amountDue);
  fc.assert(
    fc.property(
      fc.array(part, { minLength: 1, maxLength: 5 }),
      fc.bigInt(0n, 5_000_000n),
      (received, fee) => {
        const total = received.reduce((sum, { asset, units }) => sum + fine(asset, units), 0n);
        fc.pre(total >= due);
        const all = settledShares(received, { ...usdc, fee });
        const sumOf = (to: string) =>
          all
            .filter((share) => share.to === to)
            .reduce((sum, share) => sum + fine(share.asset, share.units), 0n);
        for (const asset of ['usdc-erc20', 'usdc-bep20']) {
          const of = (rows: { asset: string; units: bigint }[]) =>
            rows.filter((row) => row.asset === asset).reduce((sum, row) => sum + row.units, 0n);
          expect(of(all)).toBe(of(received));
        }
        const unit = 10n ** 12n;
        const [business, charged] = [sumOf('business'), sumOf('fee')];
        expect(
          business >= due - fine('usdc-erc20', fee) && business < due - fine('usdc-erc20', fee) + unit,
        ).toBe(true);
        expect(charged > fine('usdc-erc20', fee) - unit && charged < fine('usdc-erc20', fee) + unit).toBe(
          true,
        );
        expect(all.every(({ units }) => units > 0n)).toBe(true);
      },
    ),
    { numRuns: 300 },
  );
});
