import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { openBrowser } from './browser/browser.ts';
import { judge, narrowDark, openTab, settle, twoLooks } from './browser/dashboard-look.ts';
import { coin, openSendingWorld, type SendingWorld } from './pi/sending-world.ts';

/** For people to look at; git does not keep them. */
let browser: Browser;
let world: SendingWorld;

beforeAll(async () => {
  [browser, world] = await Promise.all([openBrowser(), openSendingWorld()]);
});
afterAll(async () => {
  await world?.stop();
});

test('an operator sends a refund from the dashboard, and sees it leave the list', async () => {
  const { app, people, horizon, exchange } = world;
  await world.refundOrder('order-1042');
  const { page, faults } = await openTab(browser, { app, people, params: {} }, 'operator');
  const found: string[] = [];
  async function look(name: string): Promise<void> {
    for (const each of twoLooks) {
      const wrong = await judge(page, each, `dashboard/sends-${name}-${each.name}`);
      found.push(...[...wrong, ...faults.splice(0)].map((fault) => `${name}, ${each.name}: ${fault}`));
    }
    await page.setViewportSize({ width: 1280, height: 900 });
  }
  await page.goto('/app/operator/money?tab=owed');
  await settle(page);
  await page.getByRole('link', { name: 'order-1042' }).first().click();
  await look('drawer');
  await page.getByRole('button', { name: 'Send it' }).click();
  const address = page.getByRole('textbox', { name: 'Address' });
  expect(await address.inputValue()).toBe(world.payer.publicKey());
  await look('dialog');
  await address.fill(exchange.publicKey().slice(0, -1));
  await page.getByRole('button', { name: 'Send it' }).last().click();
  await page.getByText('is no address of Pi').waitFor();
  // A fault of one ledger's time shows how it waits.
  horizon.faults.add({ kind: 'timeout', method: 'POST', times: 3 });
  await address.fill(exchange.publicKey());
  await page.getByRole('textbox', { name: 'Memo' }).fill('U-1234');
  await page.getByRole('button', { name: 'Send it' }).last().click();
  await page.getByText('is being sent').waitFor();
  await page.getByText('The gateway sends it').waitFor();
  await look('sending');
  await expect.poll(() => world.owed()).toEqual([]);
  expect(horizon.core.accounts.get(exchange.publicKey())!.units).toBe(104n * coin);
  await page.reload();
  await page.getByText('No refund is owed').waitFor();
  expect(found).toEqual([]);
});

test('an operator sends money back that named no payment', async () => {
  const { app, people, horizon, payer, custody } = world;
  horizon.pay({ from: payer, to: custody.publicKey(), amount: 3n * coin, memo: 'hello' });
  await expect.poll(async () => (await world.desk.get('/strays')).items.length).toBe(1);
  const { page } = await openTab(browser, { app, people, params: {} }, 'operator');
  await page.goto('/app/operator/money?tab=strays');
  await settle(page);
  await page.getByRole('link', { name: 'hello' }).first().click();
  await page.getByRole('button', { name: 'Send it back' }).click();
  await page.getByLabel('Why it is sent back').fill('Its sender asked for it');
  expect(await judge(page, narrowDark, 'dashboard/sends-back-360-dark')).toEqual([]);
  await page.getByRole('button', { name: 'Send it' }).last().click();
  await page.getByText('The return of').waitFor();
  await expect
    .poll(async () => (await world.desk.get('/strays?state=decided')).items)
    .toMatchObject([{ state: 'returned' }]);
  await page.goto('/app/operator/money?tab=strays&kind=decided');
  await settle(page);
  await page.getByRole('link', { name: 'hello' }).first().click();
  await page.getByText('Sent back to').waitFor();
  await page.getByText('Sent by').waitFor();
  expect(await judge(page, narrowDark, 'dashboard/sends-returned-360-dark')).toEqual([]);
});
