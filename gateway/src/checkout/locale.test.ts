import { expect, test } from 'vitest';
import { pickLocale } from './locale.ts';

test.each([
  ['fr', 'de', 'fr'],
  [undefined, 'de-AT,de;q=0.9,en;q=0.8', 'de'],
  [undefined, 'cy;q=1, en;q=0.2, vi;q=0.7', 'vi'],
  [undefined, 'in-ID', 'id'],
  ['constructor', '__proto__', 'en'],
  [undefined, 'zh-Hant-TW', 'zh'],
  ['tlh', 'es', 'es'],
  [undefined, 'fr;q=0, id', 'id'],
  [undefined, '*;q=0.5', 'en'],
  [undefined, undefined, 'en'],
  ['', ';;;q=,', 'en'],
] as const)('lang=%s with Accept-Language %s is answered in %s', (lang, header, locale) => {
  expect(pickLocale(lang, header)).toBe(locale);
});
