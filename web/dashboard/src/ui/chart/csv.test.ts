import { expect, test } from 'vitest';
import { csvOf } from './csv.ts';

test('a table is written as CSV, and special characters are quoted', () => {
  const table = {
    heads: ['Day', 'Said'],
    rows: [
      ['2026-11-20', '12.5'],
      ['2026-11-21', 'a "b", c'],
    ],
  };
  expect(csvOf(table)).toBe('Day,Said\r\n2026-11-20,12.5\r\n2026-11-21,"a ""b"", c"\r\n');
});
