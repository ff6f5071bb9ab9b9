import { expect, test } from 'vitest';
import { oldestAsOf } from './as-of.ts';

test.each([
  ['nothing was read', [], null],
  ['all is as of now', [{ items: [], as_of: null }, { name: 'a shop' }, 'text', null, undefined], null],
  ['one is older', [{ as_of: null }, { as_of: '2026-11-20T12:03:05.000Z' }], '2026-11-20T12:03:05.000Z'],
  [
    'several are, of which one is the oldest',
    [{ as_of: '2026-11-20T12:03:05.000Z' }, { as_of: '2026-11-20T12:02:59.000Z' }],
    '2026-11-20T12:02:59.000Z',
  ],
])('where %s a page is as of then', (_, answers, at) => {
  expect(oldestAsOf(answers)).toBe(at);
});
