import { expect, test } from 'vitest';
import { aheadText } from './durations.ts';

test.each([
  [0, 'now'],
  [1, '1 second'],
  [60, '1 minute'],
  [605, '10 minutes 5 seconds'],
  [93_600, '1 day 2 hours'],
  [172_800, '2 days'],
])('%i seconds are %s', (seconds, words) => {
  expect(aheadText(seconds)).toBe(words);
});
