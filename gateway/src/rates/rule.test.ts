import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { decimalOf } from '../money/money.ts';
import { over, times, unitsOfRate } from '../money/rate-units.ts';
import { rateScale } from '../money/rates.ts';
import {
  agree,
  coinSeconds,
  fiatSeconds,
  type PairFacts,
  type RateFacts,
  rateBy,
  type Said,
} from './rule.ts';

const now = new Date('2026-03-01T12:00:00Z');
const ago = (seconds: number): Date => new Date(now.getTime() - seconds * 1000);
const units = (rate: string): bigint => unitsOfRate(rate) ?? 0n;

/** `a 1.01 b 1.02 c 5@130`: what sources said, and how many seconds ago. */
function said(text: string): Said[] {
  const words = text.split(' ').filter((word) => word !== '');
  return words.flatMap((source, index) => {
    if (index % 2 === 1) return [];
    const [rate = '', seconds = '10'] = (words[index + 1] ?? '').split('@');
    return [{ source, units: units(rate), at: ago(Number.parseInt(seconds, 10)) }];
  });
}

const typed = (rate: string, from: number, until: number) => ({
  units: units(rate),
  at: ago(from),
  endsAt: ago(-until),
});
const pair = (text = '', typedRate: PairFacts['typed'] = null): PairFacts => ({
  said: said(text),
  typed: typedRate,
});

function rate(direct: PairFacts, throughUsd: RateFacts['throughUsd'] = null, coinSources = 3): string {
  const { found, why } = rateBy({ direct, throughUsd, coinSources }, now);
  return found ? decimalOf(found.units, rateScale) : (why ?? '');
}

describe('the rate of a pair', () => {
  test.each([
    ['is the median of those that agree', 'a 1 b 1.01 c 1.015', '1.01'],
    ['is between the middle two of an even number', 'a 1 b 1.001 c 1.002 d 1.01', '1.0015'],
    ['leaves out a wild one', 'a 1 b 1.01 c 10', '1.005'],
    ['leaves out one that is a little apart', 'a 1 b 1.001 c 1.03', '1.0005'],
    ['takes two that are exactly 2 % apart', 'a 1 b 1.02', '1.01'],
    ['takes no two that are further apart', 'a 1 b 1.0200000001', 'split'],
    ['needs two', 'a 1', 'alone'],
    ['needs two of them fresh', 'a 1 b 1@121', 'alone'],
    ['takes answers of 120 seconds ago', 'a 1@120 b 1@120', '1'],
    ['is not there where two groups of the same size disagree', 'a 1 b 1 c 2 d 2', 'split'],
    ['follows the larger of two groups', 'a 1 b 1 c 2 d 2 e 2', '2'],
    ['takes groups that share a source as one', 'a 1 b 1.015 c 1.03', '1.015'],
    ['takes no chain whose ends share nothing', 'a 1 b 1.015 c 1.03 d 1.045', 'split'],
    ['counts a source once', 'a 1 a 1 b 2', 'split'],
    ['is not there where nobody speaks', '', 'silent'],
    ['is not there where all is old', 'a 1@500 b 1@600', 'silent'],
  ])('%s', (_, text, expected) => {
    expect(rate(pair(text))).toBe(expected);
  });

  test('with one source configured is what that says', () => {
    expect(rate(pair('a 7'), null, 1)).toBe('7');
    expect(rate(pair('a 7@121'), null, 1)).toBe('silent');
    expect(rate(pair('a 7'), null, 2)).toBe('alone');
  });

  test('is the typed one until that ends, whatever sources say', () => {
    expect(rate(pair('a 1 b 1', typed('7', 100, 1)))).toBe('7');
    expect(rate(pair('a 1 b 1', typed('7', 100, 0)))).toBe('1');
    expect(rate(pair('', typed('7', 0, 60)))).toBe('7');
  });
});

describe('the cross through USD', () => {
  const through = (coin: string, fiat: string, direct = '', coinSources = 3): string =>
    rate(pair(direct), { coin: pair(coin), fiat: pair(fiat) }, coinSources);

  test.each([
    [
      'multiplies both, half up at twelve decimals',
      'a 1.0000005 b 1.0000005',
      'e 0.000001',
      '',
      '0.000001000001',
    ],
    ['needs one source of the price currencies, 96 hours old at most', 'a 1 b 1', 'e 0.9@345600', '', '0.9'],
    ['is not there where that is older', 'a 1 b 1', 'e 0.9@345601', '', 'uncrossed'],
    ['is not there where two of these disagree', 'a 1 b 1', 'e 0.9 f 0.95', '', 'split'],
    ['needs two sources of the coin', 'a 1', 'e 0.9 f 0.9', '', 'alone'],
    ['comes after the pair itself', 'a 1 b 1', 'e 0.9', 'a 0.8 b 0.8', '0.8'],
    ['is taken where one source stands alone for the pair', 'a 1 b 1', 'e 0.9', 'a 0.8', '0.9'],
    ['is not taken where sources disagree about the pair', 'a 1 b 1', 'e 0.9', 'a 0.8 b 0.9', 'split'],
    ['is not there where it rounds to nothing', 'a 0.0000001 b 0.0000001', 'e 0.0000001', '', 'uncrossed'],
  ])('%s', (_, coin, fiat, direct, expected) => {
    expect(through(coin, fiat, direct)).toBe(expected);
  });

  test('goes through a typed rate in USD', () => {
    expect(rate(pair(), { coin: pair('', typed('2', 0, 60)), fiat: pair('e 0.9') })).toBe('1.8');
  });
});

describe('whatever sources answer, in whatever order', () => {
  // Rates close to each other and far apart, zero, and ages about the limit.
  const value = fc.oneof(
    fc.integer({ min: 980, max: 1060 }).map((n) => BigInt(n) * 10n ** 9n),
    fc.constantFrom(0n, -1n, 1n, 10n ** 13n, 10n ** 30n),
  );
  const answer = fc.record({
    source: fc.constantFrom('a', 'b', 'c', 'd', 'e', 'f'),
    units: value,
    at: fc.constantFrom(0, 60, coinSeconds, coinSeconds + 1, 5000, fiatSeconds + 1).map(ago),
  });
  const answers = fc.array(answer, { maxLength: 9 });

  /** The newest fresh answer of each source: what may support a rate. */
  const fresh = (all: readonly Said[], seconds: number): bigint[] => {
    const newest = new Map<string, Said>();
    for (const each of all) {
      const known = newest.get(each.source);
      if (each.at >= ago(seconds) && each.units > 0n && (!known || known.at <= each.at))
        newest.set(each.source, each);
    }
    return [...newest.values()].map((each) => each.units);
  };
  const supporters = (rates: readonly bigint[], found: bigint): number =>
    rates.filter((each) => (each < found ? agree(each, found) : agree(found, each))).length;

  /** The rule by trying every set of sources: the largest that agree, if all of these meet. */
  function model(rates: readonly bigint[]): bigint | null {
    const sets = Array.from({ length: 2 ** rates.length }, (_, set) =>
      rates.map((each, index) => ({ each, index })).filter(({ index }) => (set >> index) & 1),
    ).filter((set) => set.every((x) => set.every((y) => (x.each <= y.each ? agree(x.each, y.each) : true))));
    const size = Math.max(...sets.map((set) => set.length));
    if (size < 2) return null;
    const largest = sets.filter((set) => set.length === size);
    const meet = largest.every((one) =>
      largest.every((other) => one.some((x) => other.some((y) => x.index === y.index || x.each === y.each))),
    );
    if (!meet) return null;
    const group = [...new Set(largest.flat().map(({ index }) => index))]
      .map((index) => rates[index] ?? 0n)
      .sort((x, y) => (x < y ? -1 : 1));
    const middle = (group[(group.length - 1) >> 1] ?? 0n) + (group[group.length >> 1] ?? 0n);
    return (middle + 1n) / 2n;
  }

  test('a rate of a pair has two sources within 2 % of it, and is that of the model', () => {
    fc.assert(
      fc.property(answers, (all) => {
        const { found } = rateBy(
          { direct: { said: all, typed: null }, throughUsd: null, coinSources: 6 },
          now,
        );
        const rates = fresh(all, coinSeconds);
        expect(found?.units ?? null).toBe(model(rates));
        if (found) expect(supporters(rates, found.units)).toBeGreaterThanOrEqual(2);
      }),
    );
  });

  test('the order of answers changes nothing', () => {
    const shuffled = answers.chain((all) =>
      fc.tuple(fc.constant(all), fc.shuffledSubarray(all, { minLength: all.length, maxLength: all.length })),
    );
    fc.assert(
      fc.property(shuffled, ([all, other]) => {
        // Of two answers of a source at one time the last counts: a database keeps one.
        fc.pre(new Set(all.map(({ source, at }) => `${source} ${+at}`)).size === all.length);
        const rateIn = (said: Said[]) =>
          rateBy({ direct: { said, typed: null }, throughUsd: null, coinSources: 6 }, now).found?.units ??
          null;
        expect(rateIn(other)).toBe(rateIn(all));
      }),
    );
  });

  test('a cross is the product of a coin that two sources support and of a fiat rate that one supports', () => {
    fc.assert(
      fc.property(answers, answers, (coin, fiat) => {
        const throughUsd = { coin: { said: coin, typed: null }, fiat: { said: fiat, typed: null } };
        const { found } = rateBy({ direct: pair(), throughUsd, coinSources: 6 }, now);
        if (!found) return;
        const ofCoin = model(fresh(coin, coinSeconds));
        expect(ofCoin).not.toBeNull();
        const fiatRates = fresh(fiat, fiatSeconds);
        expect(supporters(fiatRates, over(found.units, ofCoin ?? 1n))).toBeGreaterThanOrEqual(1);
      }),
    );
  });
});

test('rates are rounded half up, and what is no plain decimal is none', () => {
  expect(unitsOfRate('0.0000000000005')).toBe(1n);
  expect(unitsOfRate('0.00000000000049')).toBeNull();
  expect(unitsOfRate('1.0000000000015')).toBe(10n ** 12n + 2n);
  for (const text of [
    '',
    '0',
    '-1',
    '1e3',
    '.5',
    '5.',
    '01',
    ' 1',
    '1 ',
    'NaN',
    'Infinity',
    '1,5',
    `1${'0'.repeat(30)}`,
  ])
    expect(unitsOfRate(text)).toBeNull();
  expect(times(units('0.000001'), units('0.0000005'))).toBe(1n);
  expect(over(units('1'), units('3'))).toBe(333_333_333_333n);
});
