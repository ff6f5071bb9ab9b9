import { expect, test } from 'vitest';
import { nearTests } from './near-tests.ts';

const files = [
  'gateway/src/ledger/holds.test.ts',
  'gateway/src/ledger/ledger.ts',
  'gateway/src/ledger/model.test.ts',
  'gateway/src/ledger/places.ts',
  'gateway/src/ledger/places.browser.test.ts',
  'gateway/src/ledger/holds.ts',
  'gateway/src/money/money.test.ts',
  'README.md',
];

test('a source with a test of its name has that one run', () => {
  expect(nearTests(['gateway/src/ledger/holds.ts'], files)).toEqual(['gateway/src/ledger/holds.test.ts']);
});

test('a source without one has the tests of its folder run, but for those in a browser', () => {
  expect(nearTests(['gateway/src/ledger/ledger.ts'], files)).toEqual([
    'gateway/src/ledger/holds.test.ts',
    'gateway/src/ledger/model.test.ts',
  ]);
});

test('a changed test is run whatever it needs, one that was removed is not', () => {
  const changed = ['gateway/src/ledger/places.browser.test.ts', 'gateway/src/ledger/gone.test.ts'];
  expect(nearTests(changed, files)).toEqual(['gateway/src/ledger/places.browser.test.ts']);
});

test('each test is run once, and a text has none', () => {
  const changed = ['gateway/src/ledger/holds.ts', 'gateway/src/ledger/holds.test.ts', 'README.md'];
  expect(nearTests(changed, files)).toEqual(['gateway/src/ledger/holds.test.ts']);
});
