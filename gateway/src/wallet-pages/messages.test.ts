import { expect, test } from 'vitest';
import { translationFaults } from '../../test/languages/translation-faults.ts';
import { LOCALES, messagesOf } from '../checkout/locale.ts';
import { walletMessagesOf } from './locale.ts';

test.each(LOCALES)('the texts of the wallet in %s are complete', (locale) => {
  expect(translationFaults(locale, walletMessagesOf(locale), walletMessagesOf('en'))).toEqual([]);
});

test.each(LOCALES)('the wallet and the page of a payment have one word for a username in %s', (locale) => {
  const word = messagesOf(locale).username.toLocaleLowerCase(locale);
  expect(walletMessagesOf(locale).sendTo.toLocaleLowerCase(locale)).toContain(word);
});
