import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { translationFaults } from '../../gateway/test/languages/translation-faults.ts';
import { languages } from '../../web/dashboard/src/texts/languages.ts';
import { dashboardTexts } from './dashboard-texts.ts';

const { texts, faults } = dashboardTexts();

test('every text of the dashboard can be translated', () => {
  expect(faults).toEqual([]);
  expect(Object.keys(texts).length).toBeGreaterThan(2_000);
});

test.each(Object.keys(languages).filter((code) => code !== 'en'))('its texts in %s are complete', (code) => {
  const file = new URL(`../../web/dashboard/src/texts/${code}.json`, import.meta.url);
  expect(translationFaults(code, JSON.parse(readFileSync(file, 'utf8')), texts)).toEqual([]);
});
