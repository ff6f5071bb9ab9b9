import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { translationFaults } from '../../gateway/test/languages/translation-faults.ts';
import { languages } from '../../web/dashboard/src/texts/languages.ts';
import { dashboardTexts } from './dashboard-texts.ts';
import { gatewayTexts } from './gateway-texts.ts';

const { texts, faults } = dashboardTexts();

test('every text of the dashboard can be translated', () => {
  expect(faults).toEqual([]);
  expect(Object.keys(texts).length).toBeGreaterThan(2_000);
});

const gateway = gatewayTexts();

describe.each(Object.keys(languages).filter((code) => code !== 'en'))('in %s', (code) => {
  const textsIn = (name: string) =>
    JSON.parse(readFileSync(new URL(`../../web/dashboard/src/texts/${name}`, import.meta.url), 'utf8'));

  test('its texts are complete', () => {
    expect(translationFaults(code, textsIn(`${code}.json`), texts)).toEqual([]);
  });

  test('what the gateway sends it in words is complete', () => {
    expect(translationFaults(code, textsIn(`gateway/${code}.json`), gateway)).toEqual([]);
  });
});

test('the texts of the gateway are refusals, roles, acts and reasons beside fields', () => {
  expect(Object.keys(gateway)).toEqual(
    expect.arrayContaining([
      'Your role may not {permission}',
      'read-only',
      'made a key',
      'copied the {mode} key first',
      'is required',
    ]),
  );
});
