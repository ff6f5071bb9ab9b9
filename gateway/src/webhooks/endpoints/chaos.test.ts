import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { type Chaos, type ChaosKind, chaosKinds, noChaos, strikeOf, strikesAmong } from './chaos.ts';

const deliveries = Array.from({ length: 4_000 }, (_, index) => ({ id: `delivery ${index}`, sequence: 1 }));

/** How many of 100 first tries meet each kind. */
function shares(chaos: Chaos): Partial<Record<ChaosKind, number>> {
  const strikes = Map.groupBy(deliveries, (delivery) => strikeOf(chaos, delivery, 1));
  return Object.fromEntries(
    chaosKinds.map((kind) => [kind, ((strikes.get(kind)?.length ?? 0) * 100) / deliveries.length]),
  );
}

const all = (percent: number): Chaos => ({
  ...noChaos,
  ...Object.fromEntries(chaosKinds.map((kind) => [kind, percent])),
});

describe('what goes wrong', () => {
  test.each(chaosKinds)('%s meets as many first tries of a hundred as was asked for', (kind) => {
    expect(shares({ ...noChaos, [kind]: 20 })[kind]).toBeCloseTo(20, -0.5);
    expect(shares({ ...noChaos, [kind]: 100 })[kind]).toBe(100);
    expect(Object.values(shares({ ...noChaos, [kind]: 1 })).reduce((sum, share) => sum + share)).toBeLessThan(
      2,
    );
  });

  test('is nothing where nothing is set', () => {
    expect(Object.values(shares(noChaos))).toEqual(chaosKinds.map(() => 0));
  });

  test('is one thing at a time, each as often as the others where all are set alike', () => {
    for (const share of Object.values(shares(all(100))))
      expect(share).toBeCloseTo(100 / chaosKinds.length, -0.5);
  });

  test('is the same for the same try, and never meets a try after one that it met', () => {
    const setting = fc.record(
      Object.fromEntries(chaosKinds.map((kind) => [kind, fc.integer({ min: 0, max: 100 })])),
    ) as fc.Arbitrary<Record<ChaosKind, number>>;
    const delivery = fc.record({ id: fc.uuid(), sequence: fc.integer({ min: 1, max: 9 }) });
    fc.assert(
      fc.property(setting, delivery, fc.integer({ min: 1, max: 40 }), (percents, struck, attempt) => {
        const chaos = { ...percents, delay_seconds: 10 };
        const strike = strikeOf(chaos, struck, attempt);
        expect(strikeOf(chaos, { ...struck }, attempt)).toBe(strike);
        if (strike) expect(strikeOf(chaos, struck, attempt + 1)).toBeNull();
        expect(strike === null || percents[strike] > 0).toBe(true);
        const before = strikesAmong(chaos, struck, attempt - 1);
        expect(strikesAmong(chaos, struck, attempt)).toBe(before + (strike ? 1 : 0));
      }),
    );
  });

  test('is reordering only for first tries of events whose next one may overtake them', () => {
    const chaos = { ...noChaos, reorder: 100 };
    const strikes = (sequence: number) => [1, 2, 3].map((n) => strikeOf(chaos, { id: 'a', sequence }, n));
    expect(strikes(1)).toEqual(['reorder', null, null]);
    expect(strikes(2)).toEqual([null, null, null]);
    expect(strikes(3)).toEqual(['reorder', null, null]);
  });
});
