import { describe, expect, test } from 'vitest';
import { after } from '../../../kit/clock.ts';
import type { Deposit } from './due.ts';
import { batchSize, leastUnits, partByWorth, usdOfUnits, usdText, type WorthDeps } from './worth.ts';

const now = new Date('2026-03-01T12:00:00Z');
const gwei = 10n ** 9n;

function deposit(units: bigint, asset: string | null = 'usdc-bep20', since = now): Deposit {
  return { token: '0x1', asset, address: '0x2', owner: 'p', treasury: '0x3', units, since };
}

/** 50,000 units of gas at 1 gwei and 600 USD are 0.03 USD; twenty times that is 0.60. */
const deps: WorthDeps = {
  chain: {
    nativeUsd: '600',
    tokens: [
      { asset: 'usdc-bep20', address: '0x1', scale: 18, symbol: null },
      { asset: 'usdc-base', address: '0x4', scale: 6, symbol: null },
    ],
    sweep: { gasKeyFile: null, everySeconds: 60, worth: 20, maxGasPriceGwei: 200 },
  },
  gasPrice: gwei,
  usdOf: () => '1',
  now,
};
const cents = (count: bigint) => deposit(count * 10n ** 16n);

test('what is looked at is what may be worth its gas', () => {
  expect(leastUnits(deps)).toEqual({ '0x1': 6n * 10n ** 17n, '0x4': 600_000n });
  expect(leastUnits({ ...deps, usdOf: () => null })).toEqual({});
  expect(leastUnits({ ...deps, chain: { ...deps.chain, nativeUsd: null } })).toEqual({});
});

describe('a deposit', () => {
  test('goes when it is worth so many times its gas, and waits below', () => {
    const [enough, tooLittle] = [cents(60n), cents(59n)];
    expect(partByWorth([enough, tooLittle], deps)).toEqual({ go: [enough], wait: [tooLittle] });
  });

  test('of another number of decimals counts alike', () => {
    const [enough, tooLittle] = [deposit(600_000n, 'usdc-base'), deposit(599_999n, 'usdc-base')];
    expect(partByWorth([enough, tooLittle], deps)).toEqual({ go: [enough], wait: [tooLittle] });
  });

  test.each([
    ['the price of the coin', { ...deps, chain: { ...deps.chain, nativeUsd: null } }],
    ['its own worth', { ...deps, usdOf: () => null }],
  ])('without %s waits for a full batch, or for a day', (_, unknown) => {
    const fresh = Array.from({ length: batchSize - 1 }, () => cents(1n));
    expect(partByWorth(fresh, unknown).go).toEqual([]);
    expect(partByWorth([...fresh, cents(1n)], unknown).go).toHaveLength(batchSize);
    const old = deposit(1n, 'usdc-bep20', after(now, -24 * 3600));
    expect(partByWorth([cents(1n), old], unknown).go).toHaveLength(2);
  });
});

test('dollars are shown in cents', () => {
  expect(usdText(usdOfUnits(1_999_999n, 6, '1')!)).toBe('2.00');
  expect(usdText(usdOfUnits(10n ** 17n, 18, '612.5')!)).toBe('61.25');
});
