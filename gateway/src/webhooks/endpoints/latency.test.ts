import fc from 'fast-check';
import { expect, test } from 'vitest';
import { boundOf, percentile } from './latency.ts';

function countsOf(durations: readonly number[]): Map<number, number> {
  const counts = new Map<number, number>();
  for (const duration of durations) counts.set(boundOf(duration), (counts.get(boundOf(duration)) ?? 0) + 1);
  return counts;
}

test('a percentile lies within the bound of the latency that it approximates', () => {
  const durations = fc.array(fc.integer({ min: 0, max: 10_000 }), { minLength: 1, maxLength: 200 });
  fc.assert(
    fc.property(durations, fc.constantFrom(0.5, 0.95), (all, share) => {
      const exact = all.toSorted((a, b) => a - b)[Math.ceil(share * all.length) - 1]!;
      expect(boundOf(percentile(countsOf(all), share)!)).toBe(boundOf(exact));
    }),
    { seed: 7 },
  );
});

test('without attempts there is none', () => {
  expect(percentile(new Map(), 0.5)).toBeNull();
});

test('whatever took longer than an exchange may counts under the last bound', () => {
  expect(boundOf(60_000)).toBe(10_000);
});
