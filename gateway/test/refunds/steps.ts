import fc from 'fast-check';

/** One thing that happens to the refunds of a payment; an `index` is of those that it may happen to. */
export type Step =
  | { do: 'transfer'; index: number; state: 'final' | 'gone' }
  | {
      do: 'order';
      tenths: number | null;
      cents: number;
      isAddressed: boolean;
      by: 'person' | 'key' | 'nobody';
    }
  | { do: 'approve'; index: number; by: number }
  | { do: 'claim'; index: number | null }
  | { do: 'play'; index: number; outcome: 'sent' | 'refused_address' | 'slow' | 'reorg' }
  | { do: 'cancel' | 'turn down'; index: number }
  | { do: 'dispute' | 'reject' | 'return' | 'spend' | 'day' };

const index = fc.nat({ max: 3 });
export const oneStep: fc.Arbitrary<Step> = fc.oneof(
  {
    weight: 3,
    arbitrary: fc.record({
      do: fc.constant('transfer' as const),
      index: fc.nat({ max: 2 }),
      state: fc.constantFrom('final' as const, 'gone' as const),
    }),
  },
  {
    weight: 4,
    arbitrary: fc.record({
      do: fc.constant('order' as const),
      tenths: fc.option(fc.integer({ min: 1, max: 60 })),
      cents: fc.integer({ min: 0, max: 900 }),
      isAddressed: fc.boolean(),
      by: fc.constantFrom('person' as const, 'key' as const, 'nobody' as const),
    }),
  },
  {
    weight: 3,
    arbitrary: fc.record({ do: fc.constant('approve' as const), index, by: fc.nat({ max: 2 }) }),
  },
  { weight: 2, arbitrary: fc.record({ do: fc.constant('claim' as const), index: fc.option(index) }) },
  {
    weight: 4,
    arbitrary: fc.record({
      do: fc.constant('play' as const),
      index,
      outcome: fc.constantFrom(
        'sent' as const,
        'refused_address' as const,
        'slow' as const,
        'reorg' as const,
      ),
    }),
  },
  {
    weight: 1,
    arbitrary: fc.record({ do: fc.constantFrom('cancel' as const, 'turn down' as const), index }),
  },
  {
    weight: 2,
    arbitrary: fc.record({
      do: fc.constantFrom(
        'dispute' as const,
        'reject' as const,
        'return' as const,
        'spend' as const,
        'day' as const,
      ),
    }),
  },
);
