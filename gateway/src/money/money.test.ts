import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { decimalOf, numberOf, rescale, unitsOfDecimal, unitsOfNumber } from './money.ts';

const scales = fc.integer({ min: 0, max: 18 });
const units = fc.bigInt({ min: 0n, max: 10n ** 40n });

describe('a JSON number', () => {
  test.each([
    ['0.1', 1_000_000n],
    ['0.10000000000000001', 1_000_000n],
    ['10.10000000000000053', 101_000_000n],
    ['1e-7', 1n],
    ['1.5e3', 15_000_000_000n],
    ['100', 1_000_000_000n],
    ['100.00', 1_000_000_000n],
    ['99999999.9999999', 999_999_999_999_999n],
    ['999999999999999', 9_999_999_999_999_990_000_000n],
  ])('%s is read as its value, in units at scale 7', (text, expected) => {
    expect(unitsOfNumber(JSON.parse(text), 7)).toBe(expected);
  });

  test.each([
    ['0', 'not_positive'],
    ['-0', 'not_positive'],
    ['-5', 'not_positive'],
    ['1e400', 'not_positive'],
    ['"10"', 'not_positive'],
    ['null', 'not_positive'],
    ['true', 'not_positive'],
    ['[10]', 'not_positive'],
    ['{}', 'not_positive'],
    ['0.00000001', 'too_many_decimals'],
    ['1e-9', 'too_many_decimals'],
    ['1.5e-7', 'too_many_decimals'],
    ['10.100000000000001', 'too_many_decimals'],
    ['5e-324', 'too_many_decimals'],
    ['9007199254740993', 'too_large'],
    ['1e15', 'too_large'],
    ['1e21', 'too_large'],
    ['1.7976931348623157e308', 'too_large'],
    ['1234567890123.456', 'too_large'],
  ])('%s is refused as %s', (text, expected) => {
    expect(unitsOfNumber(JSON.parse(text), 7)).toBe(expected);
  });

  test('that is missing or not finite is not positive', () => {
    for (const value of [undefined, Number.NaN, Number.POSITIVE_INFINITY, 10n]) {
      expect(unitsOfNumber(value, 7)).toBe('not_positive');
    }
  });

  test('of up to 15 digits is the same after it was units', () => {
    fc.assert(
      fc.property(
        fc.bigInt({ min: 1n, max: 10n ** 15n - 1n }),
        fc.integer({ min: 0, max: 15 }),
        (n, scale) => {
          const value = numberOf(n, scale);
          const found = unitsOfNumber(value, scale);
          expect(found).toBe(n);
          expect(numberOf(found as bigint, scale)).toBe(value);
        },
      ),
      { numRuns: 2_000 },
    );
  });

  test('is exact or refused, and never rounded', () => {
    fc.assert(
      fc.property(fc.double({ min: 0, noNaN: true, noDefaultInfinity: true }), scales, (value, scale) => {
        const found = unitsOfNumber(value, scale);
        if (typeof found === 'bigint') expect(numberOf(found, scale)).toBe(value);
      }),
      { numRuns: 2_000 },
    );
  });
});

describe('a decimal string', () => {
  test.each([
    ['0', 0n],
    ['1', 1_000_000n],
    ['0.000001', 1n],
    ['12.5', 12_500_000n],
    ['12.500000000', 12_500_000n],
    ['340282366920938463463374607431768211455', 340282366920938463463374607431768211455000000n],
  ])('%s is read exactly', (text, expected) => {
    expect(unitsOfDecimal(text, 6)).toBe(expected);
  });

  test.each(['', '.5', '5.', '01', '-1', '+1', '1e3', '1,5', ' 1', '1\n', '0x10', '٣', 'NaN', '0.0000001'])(
    '%j is refused',
    (text) => {
      expect(unitsOfDecimal(text, 6)).toBeNull();
    },
  );

  test('is read as the units it was written from', () => {
    fc.assert(
      fc.property(units, scales, (n, scale) => {
        expect(unitsOfDecimal(decimalOf(n, scale), scale)).toBe(n);
      }),
    );
  });

  test('has no trailing zeros and keeps its sign', () => {
    expect(decimalOf(1_000_000n, 6)).toBe('1');
    expect(decimalOf(500_000n, 6)).toBe('0.5');
    expect(decimalOf(-2_250_000n, 6)).toBe('-2.25');
    expect(decimalOf(-1n, 6)).toBe('-0.000001');
    expect(decimalOf(0n, 6)).toBe('0');
    expect(decimalOf(70n, 0)).toBe('70');
  });
});

describe('units at another scale', () => {
  test('are worth the same', () => {
    fc.assert(
      fc.property(units, scales, scales, (n, one, other) => {
        const [coarse, fine] = one < other ? [one, other] : [other, one];
        expect(decimalOf(rescale(n, coarse, fine), fine)).toBe(decimalOf(n, coarse));
      }),
    );
  });

  test('are refused where units would be lost', () => {
    expect(() => rescale(1n, 18, 6)).toThrow('would lose units');
  });
});
