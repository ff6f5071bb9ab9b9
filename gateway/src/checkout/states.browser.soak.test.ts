import { describe, expect, test } from 'vitest';
import { openBrowser } from '../../test/browser/browser.ts';
import { PAYMENTS } from '../../test/browser/checkout-fixtures.ts';
import { judge, looks, openLook } from '../../test/browser/checkout-look.ts';
import { CLAIMS } from '../../test/browser/owed-payments.ts';
import { startPageServer } from '../../test/browser/page-server.ts';

const [server, browser] = await Promise.all([startPageServer(), openBrowser()]);
describe.each(Object.entries(looks))('in the %s look', (look, { locale, options }) => {
  test('every state is accessible, fits the screen and obeys the content security policy', async () => {
    const { page, faults } = await openLook(browser, options);
    for (const [name, payment] of Object.entries({ ...PAYMENTS, 'not-found': null })) {
      server.show(payment);
      await page.goto(`${server.url}?lang=${locale}`);
      faults.push(...(await judge(page, `${name}-${look}`)));
    }
    for (const [name, claim] of Object.entries(CLAIMS)) {
      server.show(PAYMENTS['completed-owed'], { claim });
      await page.goto(`${server.url}?lang=${locale}`);
      faults.push(...(await judge(page, `${name}-${look}`)));
    }
    const hash = `0x${'ab'.repeat(32)}`;
    for (const [name, shown] of Object.entries({
      languages: { asksLanguage: true },
      'refused-hash': { notice: 'claim_unknown', claimed: hash },
    })) {
      server.show(PAYMENTS['linked-wrong-token'], shown);
      await page.goto(`${server.url}?lang=${locale}`);
      faults.push(...(await judge(page, `${name}-${look}`)));
    }
    server.show({ ...PAYMENTS.completed, receipt: { sentTo: 'a•••@example.com' } });
    await page.goto(`${server.url}?lang=${locale}`);
    faults.push(...(await judge(page, `receipt-mail-${look}`)));
    await page.close();
    expect(faults).toEqual([]);
  });
});
