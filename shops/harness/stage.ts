import type { Browser, Page } from 'playwright-core';
import { openBrowser } from '../../gateway/test/browser/browser.ts';
import { joinDemo } from '../../gateway/test/browser/demo-people.ts';
import { takePicture } from '../../gateway/test/browser/pictures.ts';
import { atFileEnd } from '../../gateway/test/suite/endings.ts';
import { type RunningGateway, startGateway } from '../../gateway/test/support/running.ts';
import { openShop, type Shop } from './shop.ts';
import { admin } from './wordpress.ts';

/** A whole WordPress with WooCommerce, from `--wordpress`; undefined: stories that need one are not played. */
export const tree = process.env.SHOPS_WORDPRESS;

/** A shop, a gateway, and the merchant's tab of the shop's administration. */
export type Stage = { shop: Shop; gateway: RunningGateway; browser: Browser; merchant: Page };

/** Until a webhook came, on a busy machine. */
export const patience = { timeout: 120_000, interval: 500 };

export const look = (page: Page, name: string) => takePicture(page, `shops/${name}`);

/** Opens a tab that shares nothing with the others. */
export async function openTab(browser: Browser): Promise<Page> {
  const context = await browser.newContext({ viewport: { width: 1280, height: 900 } });
  context.setDefaultTimeout(60_000);
  return await context.newPage();
}

/** Opens a shop with a plug-in: its folder's name, where it is, and its file that is activated. */
export async function openStage(name: string, folder: string, file: string): Promise<Stage> {
  const [shop, gateway, browser] = await Promise.all([
    openShop(tree ?? '', { [name]: folder }, [`${name}/${file}`]),
    startGateway({ env: { WEBHOOK_ALLOW_PRIVATE: '1' } }),
    openBrowser(),
  ]);
  atFileEnd(() => shop.stop());
  const merchant = await openTab(browser);
  await merchant.goto(`${shop.url}/wp-login.php`);
  await merchant.fill('#user_login', admin.name);
  await merchant.fill('#user_pass', admin.password);
  await merchant.click('#wp-submit');
  await merchant.waitForURL('**/wp-admin/**');
  return { shop, gateway, browser, merchant };
}

/** Grants on the gateway's page, which a button of the shop opened, what the shop asks for; the merchant signs in there first. */
export async function grant({ gateway, merchant }: Stage, picture: string): Promise<void> {
  const person = { email: 'grace@example.com', password: 'a passphrase of some length' };
  await joinDemo(gateway, { ...person, name: 'Grace', role: 'owner' });
  await merchant.getByLabel('E-mail address').fill(person.email);
  await merchant.getByLabel('Password', { exact: true }).fill(person.password);
  await merchant.getByRole('button', { name: 'Sign in', exact: true }).click();
  // Refunds are not ticked beforehand.
  await merchant.getByRole('checkbox', { name: /refund/i }).check();
  await look(merchant, picture);
  await merchant.getByRole('button', { name: /^Connect and go back/ }).click();
}
