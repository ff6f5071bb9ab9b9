import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { transaction } from '../src/kit/db/db.ts';
import { newId } from '../src/kit/ids.ts';
import { postAll } from '../src/ledger/ledger.ts';
import { openBrowser } from './browser/browser.ts';
import { openFirstDay } from './browser/dashboard-fixture.ts';
import { judge, load, openTab, twoLooks } from './browser/dashboard-look.ts';
import { testFolder } from './support/data-dir.ts';

// Money of a test network on the screens of its merchant and of operators.

const asset = 'usdc-base-sepolia';
const file = join(await testFolder(), 'config.json');
const treasury = '0x52908400098527886E0F7030069857D2E4169EE7';
// Nothing answers there: what the chain showed is written below.
const chain = { id: 84532, test: true, rpc: ['http://127.0.0.1:9'], treasury };
await writeFile(file, JSON.stringify({ chains: [chain] }));
const [browser, place] = await Promise.all([openBrowser(), openFirstDay({ env: { CONFIG_FILE: file } })]);
const { app } = place;

const received = {
  ...{ id: newId(), asset, units: 12_500_000n, cause: 'payment_settled', causeId: null },
  mode: 'test',
  debit: { kind: 'external', owner: 'evm:84532' },
  credit: { kind: 'business', owner: app.integrationId },
} as const;
await transaction(app.db, (tx) => postAll(tx, [received], new Date()));
const owed = { business: '12.5', wallets: '0', customers: '0', fees: '0', suspense: '0' };
const reserve = {
  ...{ asset, block: 31_000_000, owed, explained: [], difference: '0' },
  held: { addresses: '12.5', treasury: '0', vault: '0' },
};
await app.db.query(
  `INSERT INTO reserve_reports (id, at, items, missing, test_items, test_missing)
   VALUES ($1, now(), '[]', '[]', $2, '[]')`,
  ['ffffffff-0000-7000-8000-000000000000', JSON.stringify([reserve])],
);

async function looksGood(page: Page, name: string): Promise<void> {
  const faults: string[] = [];
  for (const look of twoLooks) faults.push(...(await judge(page, look, `dashboard/${name}-${look.name}`)));
  expect(faults).toEqual([]);
}

test('a merchant sees the money of a test network among the balances of test mode, and nowhere else', async () => {
  const { page } = await openTab(browser, place, 'owner');
  const row = page.getByRole('row', { name: /Base Sepolia/ });
  await load(page, `/app/i/${app.integrationId}/test/balances`);
  expect(await row.first().textContent()).toContain('12.5');
  await looksGood(page, 'testnet-balances');
  await load(page, `/app/i/${app.integrationId}/live/balances`);
  expect(await page.getByText('Base Sepolia').count()).toBe(0);
});

test('operators see what is held on test networks and what of it is owed, beside live money', async () => {
  const { page } = await openTab(browser, place, 'operator');
  await load(page, '/app/operator/money?tab=reserves');
  await page.getByRole('heading', { name: 'Test networks' }).waitFor();
  const row = page.getByRole('table', { name: 'Reserves: Test networks' }).getByRole('row', { name: asset });
  expect(await row.textContent()).toContain('None');
  await looksGood(page, 'testnet-reserves');
  await load(page, '/app/operator/money');
  const held = page.getByRole('table', { name: 'Test coins on test networks' });
  expect(await held.getByRole('row', { name: /Base Sepolia/ }).textContent()).toContain('12.5');
  await looksGood(page, 'testnet-totals');
});
