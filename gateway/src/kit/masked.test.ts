import { expect, test } from 'vitest';
import { masker, unmasked } from './masked.ts';

const token = 'b7Qm2xV9TzK4nR8sLw3YcA';

test('a masked token is read as the token, and is another text in each answer', () => {
  const texts = Array.from({ length: 20 }, () => masker()(token));
  expect(texts.map(unmasked)).toEqual(texts.map(() => token));
  expect(new Set(texts).size).toBe(20);
  expect(texts.filter((text) => text.includes(token.slice(0, 4)))).toEqual([]);
});

test('within one answer it is the same text, which compresses to one', () => {
  const mask = masker();
  expect(mask(token)).toBe(mask(token));
});

test.each([token, '', 'a.b', '.', '.A', '.AAA', `.${Buffer.from('ab\u0001c').toString('base64url')}`])(
  '%j, which no masker made, is taken as it is or names nothing',
  (text) => {
    expect([text, '']).toContain(unmasked(text));
  },
);
