import type { Page } from 'playwright-core';
import { beforeAll, expect, test } from 'vitest';
import { after } from '../src/kit/clock.ts';
import { takeLease } from '../src/kit/db/lease.ts';
import { newId } from '../src/kit/ids.ts';
import { openBrowser } from './browser/browser.ts';
import { openFirstDay, type Place } from './browser/dashboard-fixture.ts';
import { judge, load, openTab, twoLooks } from './browser/dashboard-look.ts';
import { testDatabase } from './support/database.ts';

// An operator looks at rates, types one and takes it back.

let place: Place;
let page: Page;
let faults: string[];

beforeAll(async () => {
  const database = await testDatabase();
  // As if another process asked: the loop of this one would take sources that are not configured from the list.
  const held = { name: 'rates', holder: newId(), seconds: 3_600 };
  expect(await takeLease(database.db, held)).not.toBeNull();
  place = await openFirstDay({ database });
  const { db } = place.app;
  const now = new Date();
  await db.query(`INSERT INTO rate_sources (name, place, quotes_coins, asked_at, fault) VALUES
    ('coinbase', 0, true, now(), NULL), ('kraken', 1, true, now(), NULL),
    ('rates.example', 2, true, now(), 'answered 503'), ('ecb', 3, false, NULL, NULL)`);
  const said: [string, string, string, string | null, number][] = [
    ['USDC', 'USD', 'coinbase', '1', 5],
    ['USDC', 'USD', 'kraken', '0.9998', 9],
    ['USDC', 'USD', 'rates.example', '1.2', 9],
    ['USDT', 'USD', 'coinbase', '0.95', 5],
    ['USDT', 'USD', 'kraken', '0.951', 5],
    ['USDC', 'EUR', 'kraken', '0.8633', 5],
    ['USD', 'EUR', 'ecb', '0.8634', 50_000],
    ['PI', 'USD', 'rates.example', null, 0],
  ];
  for (const [currency, priceCurrency, source, rate, ago] of said) {
    await db.query('INSERT INTO rate_answers VALUES ($1, $2, $3, $4, $5, $6)', [
      ...[currency, priceCurrency, source, rate, rate && after(now, -ago)],
      rate === null ? 'said "NaN", which is no positive decimal' : null,
    ]);
  }
  ({ page, faults } = await openTab(await openBrowser(), place, 'operator'));
});

const row = (name: string) => page.getByRole('row').filter({ hasText: name }).first();
const button = (name: string) => page.getByRole('button', { name, exact: true });

test('each pair says its rate or why it has none, and what became of each answer', async () => {
  await load(page, '/app/operator/currencies');
  await expect.poll(() => row('USDC/USD').textContent()).toContain('0.9999');
  expect(await row('USDC/USD').textContent()).toContain('not used: it stands apart');
  expect(await row('USDT/USD').textContent()).toContain('More than 2% away from 1 USD');
  expect(await row('PI/USD').textContent()).toContain('No fresh answer');
  expect(await row('PI/USD').textContent()).toContain('said "NaN", which is no positive decimal');
  for (const look of twoLooks) {
    expect(await judge(page, look, `dashboard/rates-${look.name}`)).toEqual([]);
  }
  expect(faults.splice(0)).toEqual([]);
});

test('a rate is typed, shown with its end, and taken back', async () => {
  await page.setViewportSize({ width: 1280, height: 900 });
  await row('PI/USD').getByRole('button', { name: 'Type a rate' }).click();
  await page.getByLabel('Rate', { exact: true }).fill('0.42');
  await button('Type the rate').click();
  await expect.poll(() => row('PI/USD').textContent()).toContain('0.42');
  await row('PI/USD').getByRole('button', { name: 'Take it back' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Take it back' }).click();
  await expect.poll(() => row('PI/USD').textContent()).toContain('No fresh answer');
  expect(faults.splice(0)).toEqual([]);
});
