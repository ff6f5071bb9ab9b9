import fc from 'fast-check';
import { expect, test } from 'vitest';
import { decodeCursor, encodeCursor, pageOf } from './cursor.ts';

/** Where a page of numbers below 1,000 begins. */
function pageStart(cursor: string | null): number {
  return cursor === null ? 1000 : Number.parseInt(decodeCursor(cursor, [/^\d+$/])[0]!, 10);
}

const patterns = [/^\d+$/, /^[a-z]+$/];

test('a cursor is decoded into the values it was made of', () => {
  fc.assert(
    fc.property(fc.nat(), fc.stringMatching(/^[a-z]{1,20}$/), (number, word) => {
      expect(decodeCursor(encodeCursor([number, word]), patterns)).toEqual([String(number), word]);
    }),
  );
});

test('a cursor needs no escape in a query string', () => {
  expect(encodeCursor([1_772_366_400_000, '~~~???', 7n])).toMatch(/^[\w-]+$/);
});

test.each([
  ['nothing', ''],
  ['no cursor at all', '%%%'],
  ['another number of values', encodeCursor([5])],
  ['values of another form', encodeCursor(['a', 'b'])],
  ['a value too many', encodeCursor([5, 'b', 'c'])],
  ['SQL', encodeCursor(["5'--", 'b'])],
])('%s is refused as an invalid cursor', (_, cursor) => {
  expect(() => decodeCursor(cursor, patterns)).toThrow('cursor is invalid');
});

test('page after page shows a list without gap or repeat', () => {
  fc.assert(
    fc.property(
      fc.uniqueArray(fc.nat(999), { maxLength: 50 }),
      fc.integer({ min: 1, max: 9 }),
      (list, limit) => {
        const sorted = list.sort((a, b) => b - a);
        const seen: number[] = [];
        let cursor: string | null = null;
        do {
          const before = pageStart(cursor);
          const rows = sorted.filter((value) => value < before).slice(0, limit + 1);
          const page: { items: number[]; next_cursor: string | null } = pageOf(rows, limit, (value) =>
            encodeCursor([value]),
          );
          expect(page.items.length).toBeLessThanOrEqual(limit);
          seen.push(...page.items);
          cursor = page.next_cursor;
        } while (cursor !== null);
        expect(seen).toEqual(sorted);
      },
    ),
  );
});

test('the last page has no cursor, even when it is full', () => {
  expect(pageOf([3, 2], 2, String)).toEqual({ items: [3, 2], next_cursor: null });
  expect(pageOf([3, 2, 1], 2, String)).toEqual({ items: [3, 2], next_cursor: '2' });
  expect(pageOf([], 2, String)).toEqual({ items: [], next_cursor: null });
});
