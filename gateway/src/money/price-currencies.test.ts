import { expect, test } from 'vitest';
import { isPriceCurrency, minorDigits, priceCurrencies } from './price-currencies.ts';

test('price currencies are those of ISO 4217 that people pay with', () => {
  expect(priceCurrencies).toHaveLength(new Set(priceCurrencies).size);
  for (const code of priceCurrencies) expect(code).toMatch(/^[A-Z]{3}$/);
  expect(['EUR', 'USD', 'KWD'].every(isPriceCurrency)).toBe(true);
  // A metal, a code for tests, currencies that are gone, a coin, and what is no code.
  expect(['XAU', 'XTS', 'HRK', 'BGN', 'PI', 'eur', '', null, 978].some(isPriceCurrency)).toBe(false);
});

test('their amounts have the decimals of ISO 4217; Intl shows fewer where the small coins are gone', () => {
  const digitsOf = (currency: string) =>
    new Intl.NumberFormat('en', { style: 'currency', currency }).resolvedOptions().maximumFractionDigits ?? 0;
  expect(priceCurrencies.filter((code) => minorDigits(code) < digitsOf(code))).toEqual([]);
  const pairs = ['EUR', 'JPY', 'KWD', 'HUF'].filter(isPriceCurrency).map((code) => [code, minorDigits(code)]);
  expect(Object.fromEntries(pairs)).toEqual({ EUR: 2, JPY: 0, KWD: 3, HUF: 2 });
});
