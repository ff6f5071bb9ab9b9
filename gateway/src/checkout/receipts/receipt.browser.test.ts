import { describe, expect, test } from 'vitest';
import { openBrowser } from '../../../test/browser/browser.ts';
import { PAYMENTS } from '../../../test/browser/checkout-fixtures.ts';
import { isSeenIn, judge, looks, openLook } from '../../../test/browser/checkout-look.ts';
import { startPageServer } from '../../../test/browser/page-server.ts';
import { inEveryLook } from '../../../test/browser/pictures.ts';
import type { CheckoutPayment } from '../checkout-payment.ts';

const [server, browser] = await Promise.all([startPageServer(), openBrowser()]);
const receipt = `${server.url}/receipt`;
const { completed } = PAYMENTS;

/** One refund, rather than one in each of its states. */
const refunds = PAYMENTS['completed-refunds'].refunds.filter(({ status }) => status === 'completed');
const usual: CheckoutPayment = { ...PAYMENTS['completed-refunds'], refunds };
const manyTransfers: CheckoutPayment = {
  ...completed,
  transfers: Array.from({ length: 20 }, () => completed.transfers).flat(),
};
const long = 'Söhne&Töchter '.repeat(7).trim();
const hostile: CheckoutPayment = {
  ...completed,
  mode: 'test',
  integration: {
    ...completed.integration,
    name: `${'W'.repeat(60)} ${long.slice(0, 39)}`,
    contact: { email: `${'x'.repeat(200)}@shop.example`, url: `https://shop.example/${'y'.repeat(300)}` },
    letterhead: { address: `<b>${'Z'.repeat(90)}</b>\nשדרות רוטשילד 12\nתל אביב`, taxNumber: 'T'.repeat(60) },
  },
  items: [
    { name: 'x'.repeat(200), price: 12_345_678.123456, quantity: 3.5 },
    { name: '<script>alert(1)</script>', price: 1, quantity: 1 },
    { name: 'قهوة \u202e reversed', price: 2, quantity: 2 },
  ],
};
const states: [name: string, CheckoutPayment][] = [
  ['usual', completed],
  ['refunds', PAYMENTS['completed-refunds']],
  ['priced', PAYMENTS['priced-discount-paid']],
  ['owed', PAYMENTS['completed-owed-much']],
  ['many', manyTransfers],
  ['hostile', hostile],
];

/** How many pages it has on paper. */
async function pagesOf(payment: CheckoutPayment, locale: string, format: 'A4' | 'Letter'): Promise<number> {
  const page = await browser.newPage();
  server.show(payment);
  await page.goto(`${receipt}?lang=${locale}`);
  const printed = (await page.pdf({ format, preferCSSPageSize: false })).toString('latin1');
  await page.close();
  return printed.match(/\/Type\s*\/Page\b/g)?.length ?? 0;
}

describe('a receipt on paper', () => {
  test.each([
    ['of a usual payment in English', completed, 'en', 'A4'],
    ['of a usual payment in German', completed, 'de', 'Letter'],
    ['of a price in Arabic', PAYMENTS['priced-completed'], 'ar', 'A4'],
    ['with a refund', usual, 'en', 'Letter'],
    ['with something owed, in French', PAYMENTS['completed-owed'], 'fr', 'Letter'],
  ] as const)('%s is one page', async (_, payment, locale, format) => {
    expect(await pagesOf(payment, locale, format)).toBe(1);
  });

  test('of twenty transfers is two pages', async () => {
    expect(await pagesOf(manyTransfers, 'en', 'A4')).toBe(2);
  });

  test('cuts no line, and keeps the head of a list with its first one', async () => {
    const page = await browser.newPage();
    server.show(manyTransfers);
    await page.goto(receipt);
    await page.emulateMedia({ media: 'print' });
    const breaks: string[] = await page.evaluate(
      `[...document.querySelectorAll('.head, .line, .fact, .foot')].map((each) => getComputedStyle(each).breakInside)`,
    );
    expect([...new Set(breaks)]).toEqual(['avoid']);
    const after: string[] = await page.evaluate(
      `[...document.querySelectorAll('h2')].map((each) => getComputedStyle(each).breakAfter)`,
    );
    expect([...new Set(after)]).toEqual(['avoid']);
    expect(await page.locator('.tools').isVisible()).toBe(false);
    await page.close();
  });

  test('is dark ink on white, also where the screen is dark', async () => {
    const page = await browser.newPage({ colorScheme: 'dark' });
    server.show(completed);
    await page.goto(receipt);
    await page.emulateMedia({ media: 'print', colorScheme: 'dark' });
    const colors: string[] = await page.evaluate(
      `[getComputedStyle(document.body).backgroundColor, getComputedStyle(document.querySelector('h1')).color]`,
    );
    expect(colors).toEqual(['rgb(255, 255, 255)', 'rgb(27, 26, 23)']);
    await page.close();
  });
});

test('its button prints it, and is not there without a script', async () => {
  server.show(completed);
  const page = await browser.newPage();
  await page.addInitScript('window.print = () => { window.printed = true; }');
  await page.goto(receipt);
  await page.getByRole('button', { name: 'Print or save as PDF' }).click();
  expect(await page.evaluate('window.printed')).toBe(true);
  await page.close();

  const plain = await browser.newPage({ javaScriptEnabled: false });
  await plain.goto(receipt);
  expect(await plain.getByRole('button').count()).toBe(0);
  expect(await plain.getByRole('heading', { name: 'Receipt' }).isVisible()).toBe(true);
  expect(await plain.locator('.qr').isVisible()).toBe(true);
  await plain.context().close();
});

describe.each(Object.entries(looks))('in the %s look', (look, { locale, options }) => {
  test('every receipt is accessible, fits the screen and obeys the content security policy', async () => {
    const { page, faults } = await openLook(browser, options);
    for (const [name, payment] of states.filter((_, number) => isSeenIn(look, number))) {
      server.show(payment);
      await page.goto(`${receipt}?lang=${locale}`);
      faults.push(...(await judge(page, `receipt-${name}-${look}`)));
    }
    await page.close();
    expect(faults).toEqual([]);
  });
});

// Widths between those looks, only where each is looked at.
const widths = inEveryLook ? [390, 768, 1280, 1920] : [768];
test.each(widths)('is accessible and fits a screen of %i pixels, light and dark', async (width) => {
  for (const colorScheme of ['light', 'dark'] as const) {
    const { page, faults } = await openLook(browser, { viewport: { width, height: 900 }, colorScheme });
    server.show(usual);
    await page.goto(receipt);
    faults.push(...(await judge(page, `receipt-${width}-${colorScheme}`)));
    await page.close();
    expect(faults).toEqual([]);
  }
});
