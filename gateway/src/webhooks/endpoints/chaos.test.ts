import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { type Chaos, type FaultKind, faultKinds, noChaos } from '../answers/chaos-answers.ts';
import { faultOf, faultsAmong } from './chaos.ts';

const deliveries = Array.from({ length: 4_000 }, (_, index) => ({ id: `delivery ${index}`, sequence: 1 }));

/** Into how many of 100 first attempts each kind is injected. */
function shares(chaos: Chaos): Partial<Record<FaultKind, number>> {
  const faults = Map.groupBy(deliveries, (delivery) => faultOf(chaos, delivery, 1));
  return Object.fromEntries(
    faultKinds.map((kind) => [kind, ((faults.get(kind)?.length ?? 0) * 100) / deliveries.length]),
  );
}

const all = (percent: number): Chaos => ({
  ...noChaos,
  ...Object.fromEntries(faultKinds.map((kind) => [kind, percent])),
});

describe('an injected fault', () => {
  test.each(faultKinds)(
    '%s is injected into as many first attempts of a hundred as was asked for',
    (kind) => {
      expect(shares({ ...noChaos, [kind]: 20 })[kind]).toBeCloseTo(20, -0.5);
      expect(shares({ ...noChaos, [kind]: 100 })[kind]).toBe(100);
      expect(
        Object.values(shares({ ...noChaos, [kind]: 1 })).reduce((sum, share) => sum + share),
      ).toBeLessThan(2);
    },
  );

  test('is not drawn where nothing is set', () => {
    expect(Object.values(shares(noChaos))).toEqual(faultKinds.map(() => 0));
  });

  test('is one at a time, each as often as the others where all are set alike', () => {
    for (const share of Object.values(shares(all(100))))
      expect(share).toBeCloseTo(100 / faultKinds.length, -0.5);
  });

  test('is the same for the same attempt, and never follows another one', () => {
    const setting = fc.record(
      Object.fromEntries(faultKinds.map((kind) => [kind, fc.integer({ min: 0, max: 100 })])),
    ) as fc.Arbitrary<Record<FaultKind, number>>;
    const delivery = fc.record({ id: fc.uuid(), sequence: fc.integer({ min: 1, max: 9 }) });
    fc.assert(
      fc.property(setting, delivery, fc.integer({ min: 1, max: 40 }), (percents, drawn, attempt) => {
        const chaos = { ...percents, delay_seconds: 10 };
        const fault = faultOf(chaos, drawn, attempt);
        expect(faultOf(chaos, { ...drawn }, attempt)).toBe(fault);
        if (fault) expect(faultOf(chaos, drawn, attempt + 1)).toBeNull();
        expect(fault === null || percents[fault] > 0).toBe(true);
        const before = faultsAmong(chaos, drawn, attempt - 1);
        expect(faultsAmong(chaos, drawn, attempt)).toBe(before + (fault ? 1 : 0));
      }),
    );
  });

  test('is reordering only for first attempts of events whose next one may overtake them', () => {
    const chaos = { ...noChaos, reorder: 100 };
    const faults = (sequence: number) => [1, 2, 3].map((n) => faultOf(chaos, { id: 'a', sequence }, n));
    expect(faults(1)).toEqual(['reorder', null, null]);
    expect(faults(2)).toEqual([null, null, null]);
    expect(faults(3)).toEqual(['reorder', null, null]);
  });
});
