import { describe, expect, test } from 'vitest';
import { openBrowser } from '../../test/browser/browser.ts';
import { PAYMENTS } from '../../test/browser/checkout-fixtures.ts';
import { isSeenIn, judge, looks, openLook } from '../../test/browser/checkout-look.ts';
import { startPageServer } from '../../test/browser/page-server.ts';
import { scriptPi } from '../../test/browser/scripted-pi.ts';

const txid = PAYMENTS['seen-pi'].transfers[0]!.transaction;
const userAgent = 'Mozilla/5.0 (Linux; Android 14; wv) Chrome/120.0 Mobile PiBrowser/1.12';

const [server, browser] = await Promise.all([startPageServer(), openBrowser()]);

server.show(PAYMENTS['linked-pi'], { isPiBrowser: true });

describe.each(Object.entries(looks))('in the %s look, paying with Pi', (look, { locale, options }) => {
  test('is accessible and fits the screen, whatever Pi does', async () => {
    const { page, faults } = await openLook(browser, { ...options, userAgent });
    await page.clock.install();
    const pi = await scriptPi(page);
    let pages = 0;
    const see = async (name: string): Promise<void> => {
      if (isSeenIn(look, pages++)) faults.push(...(await judge(page, `pi-${name}-${look}`)));
    };
    const line = (name: string) => page.locator(`#pi-status .${name}`).waitFor();
    const press = async () => {
      pi.asked = [];
      await page.locator('#pay-pi').click();
      await line('waiting');
    };
    const asked = (call: string) => expect.poll(() => pi.asked.at(-1)?.[0]).toBe(call);
    await page.goto(`${server.url}?lang=${locale}`);
    await expect.poll(() => pi.loads).toBe(1);
    await see('offered');

    pi.authenticate = () => new Promise(() => {});
    await press();
    await asked('authenticate');
    await see('opening');
    await page.clock.fastForward(15_000);
    await line('problem');
    await see('no-answer');

    pi.authenticate = async () => null;
    await press();
    await asked('createPayment');
    await see('approving');
    await pi.call('onReadyForServerApproval', 'pay-1');
    await expect.poll(() => pi.reported.length).toBe(1);
    await see('confirming');
    await pi.call('onCancel', 'pay-1');
    await line('problem');
    await see('cancelled');

    await press();
    await asked('createPayment');
    await pi.call('onReadyForServerCompletion', 'pay-2', txid);
    await line('sent');
    await see('sent');

    await page.context().close();
    expect(faults).toEqual([]);
  });
});
