import { describe, expect, test } from 'vitest';
import { LOCALES } from '../checkout/locale.ts';
import type { Plural } from '../checkout/messages/translate.ts';
import { WALLET_MESSAGES } from './locale.ts';
import { en } from './messages/en.ts';

const placeholders = (text: string) => (text.match(/\{\w+\}/g) ?? []).sort();

describe.each(LOCALES)('the words of the wallet in %s', (locale) => {
  const messages: Record<string, string | Plural> = WALLET_MESSAGES[locale];
  const source: Record<string, string | Plural> = en;

  test('have every key and no other, with the placeholders of the English ones', () => {
    expect(Object.keys(messages).sort()).toEqual(Object.keys(en).sort());
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
      const needed = pluralCategories.filter((category) => locale === 'ar' || category !== 'many');
      expect(Object.keys(message).sort(), key).toEqual(needed.sort());
    }
  });
});
