import { describe, expect, test } from 'vitest';
import { oneRow } from './one-row.ts';

describe('the row of a query that always returns one', () => {
  test('is its first row', () => {
    expect(oneRow({ rows: [{ count: 1n }] }, 'count of payments')).toEqual({ count: 1n });
    expect(oneRow({ rows: [{ count: 1n }, { count: 2n }] }, 'count of payments').count).toBe(1n);
  });

  test('is an error with the name of the query where there is none', () => {
    expect(() => oneRow({ rows: [] }, 'count of payments')).toThrow(
      'The query "count of payments" returned no row',
    );
  });
});
