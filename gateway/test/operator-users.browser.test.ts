import { expect, test } from 'vitest';
import { transaction } from '../src/kit/db/db.ts';
import { createAssets } from '../src/money/assets.ts';
import { openSession } from '../src/wallets/accounts/sessions.ts';
import { send } from '../src/wallets/sends/send.ts';
import { openBrowser } from './browser/browser.ts';
import { judge, openTab, settle, twoLooks } from './browser/dashboard-look.ts';
import { openConsole } from './support/console.ts';
import { seedBalance, seedUser } from './support/fixtures.ts';
import { startApp } from './support/running.ts';

test('an operator finds a user, freezes the wallet with a reason, changes the level and ends the sessions', async () => {
  const app = await startApp();
  const people = await openConsole(app);
  const asset = createAssets().get('usdc-base');
  const jane = await seedUser(app.db, 'jane_doe');
  await seedUser(app.db, 'max');
  await seedBalance(app.db, {
    owner: jane,
    kind: 'user',
    mode: 'live',
    asset: asset.code,
    units: 12_500_000n,
  });
  await transaction(app.db, async (tx) => {
    const request = { mode: 'live', to: 'max', asset, units: 500_000n, note: null, formKey: 'a' } as const;
    await send(tx, { now: () => new Date() }, jane, request);
    await openSession(tx, jane, { address: '192.0.2.1', userAgent: 'a phone', byFactor: false }, new Date());
  });

  const { page, faults } = await openTab(await openBrowser(), { app, people, params: {} }, 'operator');
  // Under load everything takes longer.
  page.context().setDefaultTimeout(60_000);
  const found: string[] = [];
  async function look(name: string): Promise<void> {
    for (const each of twoLooks) {
      const wrong = await judge(page, each, `dashboard/users-${name}-${each.name}`);
      found.push(...[...wrong, ...faults.splice(0)].map((fault) => `${name}, ${each.name}: ${fault}`));
    }
    await page.setViewportSize({ width: 1280, height: 900 });
  }
  await page.goto('/app/operator/users?q=JANE');
  await settle(page);
  await look('list');
  await page.getByRole('link', { name: 'jane_doe' }).click();
  await page.getByText('Sent to max').waitFor();
  await page.getByText('192.0.2.1').waitFor();
  await look('user');

  await page.getByRole('button', { name: 'Freeze' }).click();
  await look('dialog');
  await page.getByRole('textbox', { name: 'Reason' }).fill('Her phone was stolen');
  await page.getByRole('button', { name: 'Freeze' }).last().click();
  await page.getByText('Her phone was stolen').first().waitFor();
  await page.getByText('Nothing leaves this wallet').waitFor();
  await look('frozen');

  await page.getByRole('button', { name: 'Change the level' }).click();
  await page.getByRole('combobox', { name: 'Level' }).selectOption('2');
  await page.getByRole('textbox', { name: 'Reason' }).fill('Passport seen');
  await page.getByRole('button', { name: 'Change the level' }).last().click();
  await page.getByText('The level was changed.').waitFor();
  await page.getByRole('button', { name: 'End all sessions' }).click();
  await page.getByRole('button', { name: 'End the sessions' }).click();
  await page.getByText('Signed in nowhere.').waitFor();

  const { rows } = await app.db.query('SELECT level, frozen_why FROM users WHERE id = $1', [jane]);
  expect(rows).toEqual([{ level: 2, frozen_why: 'Her phone was stolen' }]);
  expect(found).toEqual([]);
});
