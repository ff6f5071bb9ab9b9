import { expect, test } from 'vitest';
import { differencesOf } from './entry.ts';

test('lists changed values first, then those that stayed', () => {
  const before = { email: 'ada@example.com', role: 'support', live_only: false };
  const after = { email: 'ada@example.com', role: 'finance', live_only: true };
  expect(differencesOf({ before, after })).toEqual([
    { name: 'role', before: 'support', after: 'finance', changed: true },
    { name: 'live only', before: 'no', after: 'yes', changed: true },
    { name: 'email', before: 'ada@example.com', after: 'ada@example.com', changed: false },
  ]);
});

test('lists all values of something that was made or removed', () => {
  expect(differencesOf({ before: null, after: { calls: ['read', 'write'], fee: { bps: 10 } } })).toEqual([
    { name: 'calls', before: null, after: 'read, write', changed: true },
    { name: 'fee', before: null, after: '{"bps":10}', changed: true },
  ]);
  expect(differencesOf({ before: { name: '' }, after: null })).toEqual([
    { name: 'name', before: null, after: null, changed: true },
  ]);
  expect(differencesOf({ before: null, after: null })).toEqual([]);
});
