import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { openBrowser } from './browser/browser.ts';
import { judge, openTab, settle, twoLooks } from './browser/dashboard-look.ts';
import { startChain } from './chain/chain.ts';
import type { SafeFile } from './chain/payout-fixtures.ts';
import { admin, deployVault } from './chain/vault-fixtures.ts';
import { openConsole } from './support/console.ts';
import { seedBalance } from './support/fixtures.ts';
import { startApp } from './support/running.ts';

const chain = await startChain({ assets: { 'usdc-bep20': 18 } });
const vault = await deployVault(chain);
const directory = await mkdtemp(join(tmpdir(), 'florin-hand-'));
afterAll(() => rm(directory, { recursive: true }));

test('an operator exports what waits, downloads its file, and puts it back into the queue', async () => {
  const file = join(directory, 'florin.json');
  await writeFile(file, JSON.stringify({ chains: [chain.entry({ vault: { admin } })] }));
  const app = await startApp({ env: { CONFIG_FILE: file }, seed: { approved: true } });
  const people = await openConsole(app);
  const owner = await people.as('owner');
  const business = { kind: 'business', owner: app.integrationId, mode: 'live' } as const;
  await seedBalance(app.db, { ...business, asset: 'usdc-bep20', units: 100n * 10n ** 18n });
  const open = { enabled: true, approvals: 0, approve_above: {}, known_addresses_only: false };
  await owner('PUT', `${people.live}/payout-settings`, { body: open });
  const wanted = { asset: 'usdc-bep20', amount: '12.5', to: `0x${'ab'.repeat(20)}` };
  const ordered = await owner('POST', `${people.live}/payouts`, {
    body: wanted,
    headers: { 'idempotency-key': crypto.randomUUID() },
  });
  expect(ordered.status).toBe(200);

  const browser = await openBrowser();
  const { page, faults } = await openTab(browser, { app, people, params: {} }, 'operator');
  // Under load everything takes longer.
  page.context().setDefaultTimeout(60_000);
  const found: string[] = [];
  async function look(name: string): Promise<void> {
    for (const each of twoLooks) {
      const wrong = await judge(page, each, `dashboard/by-hand-${name}-${each.name}`);
      found.push(...[...wrong, ...faults.splice(0)].map((fault) => `${name}, ${each.name}: ${fault}`));
    }
    await page.setViewportSize({ width: 1280, height: 900 });
  }
  await page.goto('/app/operator/payouts?tab=by-hand');
  await settle(page);
  await look('before');
  await page.getByRole('button', { name: 'Export for a Safe' }).click();
  await look('dialog');
  await page.getByRole('button', { name: 'Export them' }).click();
  await page.getByText('1 payout: 0 paid, 1 waiting').waitFor();
  await look('exported');
  const [download] = await Promise.all([
    page.waitForEvent('download'),
    page.getByRole('link', { name: 'File for a Safe' }).click(),
  ]);
  const { chainId, transactions } = JSON.parse(await readFile(await download.path(), 'utf8')) as SafeFile;
  expect([chainId, transactions.map(({ to }) => to.toLowerCase())]).toEqual([
    `${chain.id}`,
    [vault.address.toLowerCase()],
  ]);
  await page.goto('/app/operator/payouts?tab=open');
  await page.locator('a.row-link').first().click();
  await page.getByText('its file can be executed at any time').waitFor();
  await look('drawer');
  await page.goto('/app/operator/payouts?tab=by-hand');
  await page.getByRole('button', { name: 'Take back' }).click();
  await page.getByRole('button', { name: 'Take it back' }).click();
  await page.getByText('1 payout: 0 paid, 0 waiting').waitFor();
  await page.getByText('Can be exported: 12.5').waitFor();
  expect(found).toEqual([]);
});
