import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { en } from '../src/checkout/messages/en.ts';

// The banner of test mode is one on all pages: hosted page, wallets, dashboard, demo shop.

const root = join(import.meta.dirname, '../..');
const read = (path: string): string => readFileSync(join(root, path), 'utf8');

test('the look of the test banner is written once, and each family of pages loads it', () => {
  const sheets = globSync('{web,examples/shop/public}/**/*.css', { cwd: root, exclude: ['**/dist*/**'] });
  expect(sheets.filter((path) => read(path).includes('.test-banner'))).toEqual(['web/test-banner.css']);
  expect(read('web/dashboard/src/theme.css')).toContain('@import "../../test-banner.css"');
  expect(read('gateway/src/checkout/assets.ts')).toContain("'test-banner.css'");
  expect(read('examples/shop/src/views/layout.ts')).toContain("'test-banner'");
});

test('its words are the same ones, in each language of the dashboard', () => {
  for (const code of ['de', 'es', 'fr', 'zh']) {
    const page = JSON.parse(read(`gateway/src/checkout/messages/${code}.json`));
    const dashboard = JSON.parse(read(`web/dashboard/src/texts/${code}.json`));
    expect([dashboard[en.testLabel], dashboard[en.testBanner]]).toEqual([page.testLabel, page.testBanner]);
  }
  expect(read('examples/shop/src/views/layout.ts')).toContain(
    `<strong>${en.testLabel}</strong> <span>${en.testBanner}</span>`,
  );
});
