import { expect, test } from 'vitest';
import { combine, type Outcome, outcomes } from '../rails/simulated/scenarios.ts';
import { aspects } from './parts/simulate/simulate-mix.ts';

const listed = aspects.map(({ outcomes: some }) => Object.keys(some) as Outcome[]);

test('the lists of the page hold every outcome that combines with another, once', () => {
  const combining = outcomes.filter((one) =>
    outcomes.some((other) => other !== 'success' && !('why' in combine([one, other]))),
  );
  expect(listed.flat().sort()).toEqual(combining.filter((outcome) => outcome !== 'success').sort());
});

test.each(listed)('no two outcomes of one list combine: %s', (...some) => {
  for (const one of some) {
    for (const other of some) expect(combine([one, other])).toHaveProperty('why');
  }
});
