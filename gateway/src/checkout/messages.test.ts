import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { translationFaults } from '../../test/languages/translation-faults.ts';
import { LOCALES, messagesOf } from './locale.ts';
import { translator } from './messages/translate.ts';

test.each(LOCALES)('the texts of the hosted page in %s are complete', (locale) => {
  expect(translationFaults(locale, messagesOf(locale), messagesOf('en'))).toEqual([]);
});

test('every file of texts is of a language of the menu, and all are there', async () => {
  const files = (await readdir(join(import.meta.dirname, 'messages'))).filter((name) => /\.json$/.test(name));
  expect([...files.map((name) => name.replace('.json', '')), 'en'].sort()).toEqual([...LOCALES].sort());
  expect(LOCALES).toHaveLength(50);
});

test.each([
  [{ a: 'x', b: 'y' }, 'b is no text of the pages'],
  [{}, 'a is missing'],
  [{ a: '' }, 'a is empty or has blanks at its ends'],
  [{ a: 'x {c}' }, 'a has the placeholders {c} in place of '],
  [{ a: 'x'.repeat(37) }, 'a has 37 characters, and 1 in English'],
  [{ a: { other: 'x' } }, 'a has plural forms in one language only'],
])('%o is named as a faulty translation', (texts, fault) => {
  expect(translationFaults('de', texts, { a: 'z' })).toContain(fault);
});

test('a plural form too few is named', () => {
  expect(translationFaults('pl', { a: { one: 'x', other: 'x' } }, { a: { one: 'z', other: 'z' } })).toEqual([
    'a has the forms one,other in place of few,many,one,other',
  ]);
});

test.each([
  ['en', { one: 'one', other: '{count}' }, []],
  [
    'en',
    { one: '{count} {b}', other: '{count}' },
    ['a in one has the placeholders {b},{count} in place of {count}'],
  ],
  [
    'ru',
    { one: 'x', few: '{count}', many: '{count}', other: '{count}' },
    ['a in one has the placeholders  in place of {count}'],
  ],
])('each plural form has its placeholders: in %s %o', (locale, text, faults) => {
  expect(translationFaults(locale, { a: text }, { a: { one: '{count} z', other: '{count} z' } })).toEqual(
    faults,
  );
});

describe('a translation', () => {
  test('has the plural form of the count', () => {
    const t = translator('en', messagesOf('en'));
    expect(t('transferSeen', { seen: 0, count: 1 }).text).toBe('0 of 1 confirmation');
    expect(t('transferSeen', { seen: 1, count: 3 }).text).toBe('1 of 3 confirmations');
  });

  test('isolates values from the direction of the sentence, and escapes them', () => {
    const t = translator('en', messagesOf('en'));
    const { text, markup } = t('returnTo', { merchant: '<b>' });
    expect(text).toBe('Return to <b>');
    expect(markup).toBe('Return to <bdi>&lt;b&gt;</bdi>');
  });
});
