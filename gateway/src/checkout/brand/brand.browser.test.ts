import { expect, test } from 'vitest';
import { openBrowser } from '../../../test/browser/browser.ts';
import { PAYMENTS, type PaymentName } from '../../../test/browser/checkout-fixtures.ts';
import { judge, looks, openLook } from '../../../test/browser/checkout-look.ts';
import { startPageServer } from '../../../test/browser/page-server.ts';
import { inEveryLook } from '../../../test/browser/pictures.ts';
import { brandColors } from '../../identity/integrations/brand-color.ts';

const [server, browser] = await Promise.all([startPageServer(), openBrowser()]);

/** A colour that only light paper takes, one that only dark paper takes, and one in between that neither takes. */
const colors = ['#0b1e5b', '#ffe14d', '#7f8fa6'];
const sentence = 'Paper, ink and slow books since 1921';

const widths = [390, 768, 1280, 1920];
const everyLook = widths.flatMap((width) =>
  (['light', 'dark'] as const).map((colorScheme) => ({ width, colorScheme })),
);

function branded(name: PaymentName, color: string) {
  const payment = PAYMENTS[name];
  return { ...payment, integration: { ...payment.integration, color, sentence } };
}

test.each(colors)('the page in %s can be read in every look, and its policy is kept', async (color) => {
  const seen = inEveryLook
    ? everyLook.map(({ width, colorScheme }) => ({
        name: `${width}-${colorScheme}`,
        locale: 'en',
        options: { viewport: { width, height: 900 }, colorScheme },
      }))
    : Object.entries(looks).map(([name, look]) => ({ name, ...look }));
  const found: string[] = [];
  for (const { name, locale, options } of seen) {
    const { page, faults } = await openLook(browser, options);
    for (const state of ['waiting', 'linked', 'completed'] as const) {
      server.show(branded(state, color));
      await page.goto(`${server.url}?lang=${locale}`);
      found.push(...(await judge(page, `brand-${color.slice(1)}-${state}-${name}`)), ...faults);
    }
    await page.close();
  }
  expect(found).toEqual([]);
});

test('the button has the colour as it was corrected for the paper', async () => {
  for (const color of colors) {
    const { light, dark } = brandColors(color);
    for (const [colorScheme, expected] of [
      ['light', light],
      ['dark', dark],
    ] as const) {
      const { page } = await openLook(browser, { colorScheme });
      server.show(branded('waiting', color));
      await page.goto(server.url);
      const background = await page.evaluate<string>(
        "getComputedStyle(document.querySelector('.button.primary')).backgroundColor",
      );
      expect(hexOf(background)).toBe(expected);
      await page.close();
    }
  }
});

function hexOf(rgb: string): string {
  const channels = rgb.match(/\d+/g) ?? [];
  return `#${channels.map((channel) => Number.parseInt(channel, 10).toString(16).padStart(2, '0')).join('')}`;
}
