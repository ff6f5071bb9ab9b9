import { describe, expect, test } from 'vitest';
import { LINK_MESSAGES } from './links/say.ts';
import { LOCALES, MESSAGES } from './locale.ts';
import { en } from './messages/en.ts';
import { linkEn } from './messages/link/en.ts';
import { type Plural, translator } from './messages/translate.ts';

const placeholders = (text: string) => (text.match(/\{\w+\}/g) ?? []).sort();

describe.each(LOCALES)('the messages in %s', (locale) => {
  const messages: Record<string, string | Plural> = { ...MESSAGES[locale], ...LINK_MESSAGES[locale] };
  const source: Record<string, string | Plural> = { ...en, ...linkEn };

  test('have every key and no other', () => {
    expect(Object.keys(messages).sort()).toEqual(Object.keys(source).sort());
  });

  test('are not empty and have the placeholders of the English ones', () => {
    for (const [key, message] of Object.entries(messages)) {
      const original = source[key] ?? '';
      const [text, expected] =
        typeof message === 'string' ? [message, original] : [message.other, (original as Plural).other];
      expect(text.trim(), key).toBe(text);
      expect(text, key).not.toBe('');
      expect(placeholders(text), key).toEqual(placeholders(String(expected)));
    }
  });

  test('have every plural form of the language', () => {
    const { pluralCategories } = new Intl.PluralRules(locale).resolvedOptions();
    for (const [key, message] of Object.entries(messages)) {
      if (typeof message === 'string') continue;
      // `many` of Spanish and French begins at a million confirmations.
      const needed = pluralCategories.filter((category) => locale === 'ar' || category !== 'many');
      expect(Object.keys(message).sort(), key).toEqual(needed.sort());
    }
  });
});

describe('a translation', () => {
  test('has the plural form of the count', () => {
    const t = translator('en', MESSAGES.en);
    expect(t('transferSeen', { seen: 0, count: 1 }).text).toBe('0 of 1 confirmation');
    expect(t('transferSeen', { seen: 1, count: 3 }).text).toBe('1 of 3 confirmations');
  });

  test('isolates values from the direction of the sentence, and escapes them', () => {
    const t = translator('en', MESSAGES.en);
    const { text, markup } = t('returnTo', { host: '<b>' });
    expect(text).toBe('Return to <b>');
    expect(markup).toBe('Return to <bdi>&lt;b&gt;</bdi>');
  });
});
