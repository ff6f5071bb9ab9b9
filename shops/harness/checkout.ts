import type { Page } from 'playwright-core';
import type { Shop } from './shop.ts';
import type { Stage } from './stage.ts';

const buyer = {
  first_name: 'Ada',
  last_name: 'Byron',
  address_1: 'Keizersgracht 1',
  postcode: '1015 CC',
  city: 'Amsterdam',
  phone: '0201234567',
  email: 'ada@example.com',
};

/** Puts the product into the cart, fills the form of a classic checkout, and chooses how to pay. */
export async function fillClassic(page: Page, shop: Shop, method: string): Promise<void> {
  await page.goto(shop.product);
  await page.goto(shop.classic);
  for (const [name, value] of Object.entries(buyer)) await page.fill(`#billing_${name}`, value);
  await page.locator(`label[for=payment_method_${method}]`).click();
}

/** The same at a checkout that is made of blocks, where a way to pay is chosen by its title. */
export async function fillBlocks(page: Page, shop: Shop, title: string): Promise<void> {
  await page.goto(shop.product);
  await page.goto(shop.blocks);
  await page.getByLabel('Email address').fill(buyer.email);
  const form = page.locator('.wc-block-components-address-form').first();
  for (const [label, value] of [
    ['First name', buyer.first_name],
    ['Last name', buyer.last_name],
    ['Address', buyer.address_1],
    ['City', buyer.city],
    ['Postal code', buyer.postcode],
  ] as const)
    await form.getByLabel(label, { exact: true }).fill(value);
  await page.getByText(title).click();
}

/** Presses the button of either kind of checkout, whose name is the plug-in's. */
export const placeOrder = (page: Page) =>
  page.locator('#place_order, .wc-block-components-checkout-place-order-button').click();

/** Until the page of the payment is open. */
export const onPage = (page: Page, { gateway }: Stage) => page.waitForURL(`${gateway.baseUrl}/**`);

/** Places an order at a classic checkout; the page of its payment is open after that. */
export async function orderBy(page: Page, stage: Stage, method: string): Promise<void> {
  await fillClassic(page, stage.shop, method);
  await placeOrder(page);
  await onPage(page, stage);
}

/** Plays an outcome on the page of the payment that is open. */
export const play = (page: Page, outcome: string) =>
  page.getByRole('button', { name: outcome, exact: true }).click();

/** Goes back to the shop, which shows this page. */
export async function returnTo(page: Page, address: string): Promise<void> {
  await page.getByRole('link', { name: /^Return to/ }).click();
  await page.waitForURL(address);
}
