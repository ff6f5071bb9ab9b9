import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { openBrowser } from '../../test/browser/browser.ts';
import { PAYMENTS, type PaymentName } from '../../test/browser/checkout-fixtures.ts';
import { shiftsOf } from '../../test/browser/checkout-look.ts';
import { CLAIMS } from '../../test/browser/owed-payments.ts';
import { startPageServer } from '../../test/browser/page-server.ts';
import type { CheckoutPayment } from './checkout-payment.ts';
import type { PageOptions } from './context.ts';

const [server, browser] = await Promise.all([startPageServer(), openBrowser()]);
const names = Object.keys(PAYMENTS) as PaymentName[];
let page: Page;

beforeAll(async () => {
  page = await browser.newPage();
});
afterAll(() => page.close());

async function open(payment: CheckoutPayment, options: Partial<PageOptions> = {}, lang = 'en') {
  server.show(payment, options);
  await page.goto(`${server.url}?lang=${lang}`);
}

// Scripts that run inside the page are text, because the tests' types have no `document`.
/** Where the frame, the column of the order and the card of the action stand. */
const placesOf = `JSON.stringify(['.frame', '.order', '.pay'].map((selector) => {
  const { x, y, width } = document.querySelector(selector).getBoundingClientRect();
  return [selector, x, y, width];
}))`;
/** The lower edge of what a customer can press or copy, outside of all disclosures, and of each disclosure's line. */
const lowest = `Math.max(...[...document.querySelectorAll('.pay :is(button, a, input, select, summary)')]
  .filter((element) => element.checkVisibility() && element.offsetHeight > 0)
  .map((element) => element.getBoundingClientRect().bottom))`;
/** Where each of these elements stands, inside the page. */
const placesOfAll = (elements: { getBoundingClientRect(): { x: number; y: number } }[]) =>
  elements.map((element) => {
    const { x, y } = element.getBoundingClientRect();
    return [x, y];
  });
const bottomOf = async (selector: string) => {
  const { y, height } = (await page.locator(selector).boundingBox())!;
  return y + height;
};

describe('on a desk', () => {
  test('the frame, the order and the card stand in the same places in every state, and all to act on while paying is within 800 pixels', async () => {
    await page.setViewportSize({ width: 1280, height: 800 });
    const seen = new Set<string>();
    const tooLow: string[] = [];
    const isPaying = /^(waiting|linked|wallet|part|seen|overpaid)/;
    for (const name of names) {
      await open(PAYMENTS[name]);
      // The banner of test mode stands above the frame.
      if (PAYMENTS[name].mode === 'live') seen.add(await page.evaluate(placesOf));
      if (isPaying.test(name) && (await page.evaluate<number>(lowest)) > 800) tooLow.push(name);
    }
    for (const options of [{ claim: CLAIMS['claim-to-sign'] }, { asksLanguage: true }]) {
      await open(PAYMENTS['completed-owed'], options);
      seen.add(await page.evaluate(placesOf));
    }
    expect([...seen]).toHaveLength(1);
    expect(tooLow).toEqual([]);
  });

  test.each(['waiting-test', 'linked-test'] as const)(
    'the simulator stands beside the ways to pay: %s',
    async (name) => {
      await page.setViewportSize({ width: 1280, height: 800 });
      await open(PAYMENTS[name]);
      const [simulator, action] = await Promise.all(
        ['.simulate', '.act > :last-child'].map((selector) => page.locator(selector).boundingBox()),
      );
      expect(simulator!.x + simulator!.width).toBeLessThan(action!.x);
      expect(simulator!.y).toBe(action!.y);
    },
  );

  test.each(['en', 'de', 'hu', 'ar'])(
    'all coins and Continue are on the first screen in %s',
    async (lang) => {
      await page.setViewportSize({ width: 1280, height: 720 });
      for (const name of ['priced-all', 'priced-all-test'] as const) {
        await open(PAYMENTS[name], {}, lang);
        expect([name, (await bottomOf('#continue')) <= 720]).toEqual([name, true]);
      }
    },
  );

  test('the goods are there, without a line to open', async () => {
    await page.setViewportSize({ width: 1280, height: 800 });
    await open(PAYMENTS.linked);
    expect(await page.locator('#goods').isVisible()).toBe(false);
    expect(await page.locator('.goods').isVisible()).toBe(true);
  });
});

describe('on a phone', () => {
  test('the goods are behind one line, which opens without a script', async () => {
    const context = await browser.newContext({
      viewport: { width: 390, height: 844 },
      javaScriptEnabled: false,
    });
    const plain = await context.newPage();
    server.show(PAYMENTS.linked);
    await plain.goto(`${server.url}?lang=en`);
    expect(await plain.locator('#goods').textContent()).toBe('3 items · 25.50\u00a0USDC');
    expect(await plain.locator('.goods').isVisible()).toBe(false);
    await plain.locator('#goods-summary').click();
    await plain.getByText('Ethiopia Guji, 250 g').waitFor();
    await context.close();
  });

  test.each(['en', 'de', 'fr', 'ar'])(
    'Success is on the first screen of a test payment in %s',
    async (lang) => {
      for (const [width, height] of [
        [390, 844],
        [320, 640],
      ] as const) {
        await page.setViewportSize({ width, height });
        for (const name of ['waiting-test', 'part-paid-test', 'priced-all-test'] as const) {
          await open(PAYMENTS[name], {}, lang);
          expect([name, (await bottomOf('#simulate-success')) <= height]).toEqual([name, true]);
        }
      }
    },
  );
});

describe('ways to pay by coin', () => {
  const shown = async (target: Page) =>
    (await target.locator('.networks label:visible').allTextContents()).map((text) => text.trim());

  test('are chosen without a script, and Continue is at most one short scroll away on a phone', async () => {
    for (const [width, height] of [
      [390, 844],
      [360, 640],
    ] as const) {
      const context = await browser.newContext({ viewport: { width, height }, javaScriptEnabled: false });
      const plain = await context.newPage();
      server.show(PAYMENTS['priced-all']);
      await plain.goto(`${server.url}?lang=de`);
      expect(await shown(plain)).toEqual(['Base', 'BNB Smart Chain', 'Ethereum', 'Polygon']);
      const { y } = (await plain.locator('#continue').boundingBox())!;
      expect(y).toBeLessThan(1.25 * height);
      await plain.getByText('USDT', { exact: true }).click();
      expect(await shown(plain)).toEqual(['BNB Smart Chain', 'Polygon']);
      expect(await plain.locator('#method-usdt-bep20').isChecked()).toBe(true);
      await plain.getByText('Polygon', { exact: true }).locator('visible=true').click();
      expect(await plain.locator('#method-usdt-polygon').isChecked()).toBe(true);
      expect(await plain.locator('input:checked').count()).toBe(1);
      await context.close();
    }
  });

  test('are chosen by keyboard: down goes through the networks of a coin, and then to the next coin', async () => {
    await open(PAYMENTS['priced-all']);
    await page.locator('#method-usdc-polygon').focus();
    const passed: string[] = [];
    for (let presses = 0; presses < 4; presses++) {
      await page.keyboard.press('ArrowDown');
      passed.push(await page.locator(':focus').inputValue());
    }
    expect(passed).toEqual(['usdt-bep20', 'usdt-polygon', 'pi', 'csk-bep20']);
    await page.keyboard.press('ArrowUp');
    expect(await page.locator(':focus').inputValue()).toBe('pi');
    expect(await shown(page)).toEqual(['Pi Network']);
  });

  test('keep their places when a network of the same coin is chosen', async () => {
    await page.setViewportSize({ width: 1280, height: 800 });
    await open(PAYMENTS['priced-all']);
    const places = () =>
      page.locator('.coin-line, #continue, .networks label:visible').evaluateAll(placesOfAll);
    const before = await places();
    await page.locator('label[for="method-usdc-polygon"]').last().click();
    expect(await places()).toEqual(before);
  });
});

test('what came by mistake is one line below the way to pay, and opens', async () => {
  for (const [width, height] of [
    [1280, 800],
    [390, 844],
  ] as const) {
    await page.setViewportSize({ width, height });
    const owed = PAYMENTS['completed-owed'].owed;
    await open({ ...PAYMENTS['linked-wrong-token'], owed });
    const warning = page.getByText('has arrived, but this payment takes');
    expect(await warning.isVisible()).toBe(false);
    expect(await bottomOf('.act')).toBeLessThanOrEqual((await page.locator('#by-mistake').boundingBox())!.y);
    expect(await page.locator('#by-mistake-summary').textContent()).toBe('Came by mistake: 10.00\u00a0USDT');
    await page.locator('#by-mistake-summary').click();
    expect(await warning.isVisible()).toBe(true);
    expect(await page.locator('#owed-form-0').isVisible()).toBe(true);
  }
  // What became of a claim is read at once.
  await open(PAYMENTS['linked-wrong-token'], { notice: 'claim_ordered' });
  expect(await page.getByText('has arrived, but this payment takes').isVisible()).toBe(true);
});

test.each(['de', 'hu'])('nothing moves when the script begins, in %s', async (lang) => {
  for (const [width, height] of [
    [1280, 800],
    [390, 844],
  ] as const) {
    for (const name of ['linked', 'completed', 'priced-linked'] as const) {
      const context = await browser.newContext({ viewport: { width, height }, timezoneId: 'Europe/Paris' });
      const late = await context.newPage();
      const script = Promise.withResolvers<void>();
      await late.route(/page-[\w-]{16}\.js$/, async (route) => {
        await script.promise;
        await route.continue();
      });
      server.show(PAYMENTS[name]);
      await late.goto(`${server.url}?lang=${lang}`, { waitUntil: 'commit' });
      await late.locator('footer').waitFor();
      await late.evaluate(
        'new Promise((drawn) => requestAnimationFrame(() => requestAnimationFrame(drawn)))',
      );
      script.resolve();
      await late.locator('[data-scripted]').waitFor({ state: 'attached' });
      await late.evaluate(
        'new Promise((drawn) => requestAnimationFrame(() => requestAnimationFrame(drawn)))',
      );
      expect([name, width, await shiftsOf(late)]).toEqual([name, width, []]);
      await context.close();
    }
  }
});
