import { expect, test } from 'vitest';
import { translationFaults } from '../../test/languages/translation-faults.ts';
import { LOCALES } from '../checkout/locale.ts';
import { walletMessagesOf } from './locale.ts';

test.each(LOCALES)('the texts of the wallet in %s are complete', (locale) => {
  expect(translationFaults(locale, walletMessagesOf(locale), walletMessagesOf('en'))).toEqual([]);
});
