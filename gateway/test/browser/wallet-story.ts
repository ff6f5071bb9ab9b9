import type { Browser, CDPSession, Page } from 'playwright-core';
import { expect } from 'vitest';
import { addAuthenticator } from './authenticator.ts';
import { judge, shiftsOf } from './checkout-look.ts';

/** A person with a phone at the pages of wallets; `faults` is what is wrong on the pages that they saw. */
export type Phone = {
  page: Page;
  faults: string[];
  /** Looks at the page as it is, in all its states that people can open. */
  look(name: string): Promise<void>;
  /** Opens a page of the gateway by the name that the phone knows. */
  open(address: string): Promise<void>;
  /** Presses a button and waits for the page that follows. */
  press(name: string | RegExp): Promise<void>;
  state(): Promise<WalletState>;
};
export type WalletState = {
  username: string;
  balances: { asset: string; available: string; held: string }[];
  entries: { asset: string; amount: string; kind: string; text: string }[];
};

/** Until blocks and ledgers are final, on a loaded machine too. */
export const patience = { timeout: 120_000 };
const phone = { viewport: { width: 390, height: 844 }, isMobile: true, hasTouch: true, locale: 'en' };

/**
 * Opens a phone. Without scripts its pages run none, but what judges them does. With scripts it has an authenticator and
 * reaches the gateway as `localhost`: there are no passkeys at an IP address. `only`: what is looked at, where another phone
 * looks at the rest.
 */
export async function openPhone(
  browser: Browser,
  baseUrl: string,
  { name, scripts, only }: { name: string; scripts: boolean; only?: readonly string[] | undefined },
): Promise<Phone> {
  const own = scripts ? baseUrl.replace('127.0.0.1', 'localhost') : baseUrl;
  const context = await browser.newContext({ ...phone, reducedMotion: 'reduce' });
  context.setDefaultTimeout(patience.timeout);
  const page = await context.newPage();
  const faults: string[] = [];
  page.on('console', (message) => {
    if (message.text().includes('Content Security Policy')) faults.push(message.text());
  });
  page.on('pageerror', ({ message }) => faults.push(message));
  const device = await context.newCDPSession(page);
  if (scripts) await addAuthenticator(page);
  else await allowScripts(device, false);
  let seen = 0;
  return {
    page,
    faults,
    async look(what) {
      if (only && !only.includes(what)) return;
      seen += 1;
      const shifts = scripts ? await shiftsOf(page) : [];
      faults.push(...shifts.map((shift) => `${what} moved: ${shift}`));
      await allowScripts(device, true);
      faults.push(...(await judge(page, `${name}-${seen}-${what}`)));
      if (!scripts) await allowScripts(device, false);
    },
    async open(address) {
      await page.goto(new URL(address, own).href.replace(baseUrl, own));
    },
    async press(label) {
      const button = page.getByRole('button', { name: label, exact: true });
      await Promise.all([page.waitForEvent('load'), button.click()]);
    },
    async state() {
      const answer = await context.request.get(`${own}/wallet/state`);
      expect(answer.status()).toBe(200);
      return (await answer.json()) as WalletState;
    },
  };
}

async function allowScripts(device: CDPSession, value: boolean): Promise<void> {
  await device.send('Emulation.setScriptExecutionDisabled', { value: !value });
}

/** What a person has of an asset, and how much of it is on its way out. */
export async function has({ state }: Phone, asset: string): Promise<[available: string, held: string]> {
  const found = (await state()).balances.find((each) => each.asset === asset);
  return [found?.available ?? '', found?.held ?? ''];
}
