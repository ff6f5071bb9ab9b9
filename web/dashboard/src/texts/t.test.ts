import { expect, test } from 'vitest';
import { fill } from './fill.ts';
import { counted, t } from './t.ts';

test('a text in English is its key, with its values', () => {
  expect(t('Remove {name}?', { name: 'Ada' })).toBe('Remove Ada?');
});

test('a count chooses the form', () => {
  const said = [1, 2].map((count) => counted(count, 'in 1 day', 'in {count} days'));
  expect(said).toEqual(['in 1 day', 'in 2 days']);
});

test('a value is never read as a placeholder', () => {
  expect(fill('{one} and {two}', { one: '{two}', two: 2 })).toEqual(['', '{two}', ' and ', 2, '']);
});
