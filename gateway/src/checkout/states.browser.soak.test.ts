import { describe, expect, test } from 'vitest';
import { openBrowser } from '../../test/browser/browser.ts';
import { PAYMENTS } from '../../test/browser/checkout-fixtures.ts';
import { isSeenIn, judge, looks, openLook } from '../../test/browser/checkout-look.ts';
import { CLAIMS } from '../../test/browser/owed-payments.ts';
import { startPageServer } from '../../test/browser/page-server.ts';
import { claimInEuros } from '../../test/prices/troubles.ts';

const [server, browser] = await Promise.all([startPageServer(), openBrowser()]);

/** Each state by its name, with the arguments with which the page is shown. */
const states: [name: string, ...Parameters<typeof server.show>][] = [
  ...Object.entries({ ...PAYMENTS, 'not-found': null }),
  ...Object.entries(CLAIMS).map(([name, claim]): (typeof states)[number] => [
    name,
    PAYMENTS['completed-owed'],
    { claim },
  ]),
  ['languages', PAYMENTS['linked-wrong-token'], { asksLanguage: true }],
  [
    'refused-hash',
    PAYMENTS['linked-wrong-token'],
    { notice: 'claim_unknown', claimed: `0x${'ab'.repeat(32)}` },
  ],
  ['priced-claim', PAYMENTS['priced-owed'], { claim: claimInEuros }],
  ['priced-lost-rate-told', PAYMENTS['priced-lost-rate'], { notice: 'no_rate' }],
  ...(['waiting-test', 'linked', 'wallet', 'priced-linked', 'completed-owed'] as const).map(
    (name): (typeof states)[number] => [
      `framed-${name}`,
      PAYMENTS[name],
      { frame: { parent: null, isClosable: true } },
    ],
  ),
  ['receipt-mail', { ...PAYMENTS.completed, receipt: { sentTo: 'a•••@example.com' } }],
];

describe.each(Object.entries(looks))('in the %s look', (look, { locale, options }) => {
  test('every state is accessible, fits the screen and obeys the content security policy', async () => {
    const { page, faults } = await openLook(browser, options);
    const seen = states.filter((_, number) => isSeenIn(look, number));
    for (const [name, ...shown] of seen) {
      server.show(...shown);
      await page.goto(`${server.url}?lang=${locale}`);
      faults.push(...(await judge(page, `${name}-${look}`)));
    }
    await page.close();
    expect(faults).toEqual([]);
  });
});
