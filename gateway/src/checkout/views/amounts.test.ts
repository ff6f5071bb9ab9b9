import { describe, expect, test } from 'vitest';
import { NOW, PAYMENTS, type PaymentName } from '../../../test/browser/checkout-fixtures.ts';
import { namedAssets } from '../../../test/browser/page-assets.ts';
import type { CheckoutPayment } from '../checkout-payment.ts';
import { type Locale, messagesOf } from '../locale.ts';
import { translator } from '../messages/translate.ts';
import { receiptLetter } from '../receipts/mail-receipts.ts';
import { renderPage } from './render.ts';

const names = Object.keys(PAYMENTS) as PaymentName[];
const rendered = (payment: CheckoutPayment, locale: Locale = 'en') =>
  renderPage(payment, {
    ...{ locale, payPath: '/pay', origin: 'https://pay.example', now: NOW, assets: namedAssets },
  });
const render = (name: PaymentName, locale?: Locale) => rendered(PAYMENTS[name], locale);

/** The amounts that a text names; the coin of a rate (`1 USDC = `) is none. */
const amountsIn = (text: string) =>
  [...text.matchAll(/[\d.,]*\d(?=[\s\u00a0]+(?:USDC|USDT|PI|CSK)\b(?! = ))/g)].map(([amount]) => amount);
const textOf = (page: string) => page.replaceAll(/<[^>]*>/g, ' ').replaceAll('&quot;', ' ');

describe('amounts look the same everywhere', () => {
  test.each(names)('on the page %s: two decimals, or more where they count', (name) => {
    expect(amountsIn(textOf(render(name))).filter((amount) => !/\.\d{2,}$/.test(amount))).toEqual([]);
  });

  test.each(names)('on the page %s: none asks for 0.00, before or after all of it came', (name) => {
    const { destinations, ...payment } = PAYMENTS[name];
    const paid = { ...payment, amountReceived: payment.amountDue, amountMissing: '0', overpayment: '0' };
    const nothing = destinations.map((each) => ({ ...each, amount: '0.00' }));
    const pages = [render(name), rendered({ ...paid, destinations: nothing })];
    for (const page of pages) expect(amountsIn(textOf(page))).not.toContain('0.00');
  });

  test('in the mail of the receipt, as on the page', () => {
    const { text } = receiptLetter('https://pay.example/pay', PAYMENTS.completed, 'en');
    expect([...new Set(amountsIn(text))]).toEqual(['25.50', '12.50', '13.00', '6.50']);
    expect(amountsIn(textOf(render('completed')))).toContain('25.50');
  });
});

describe('one network and one code', () => {
  // Everything before the line of what few people need.
  const shownFirst = (name: PaymentName) => render(name).split('<details id="other-ways"')[0] ?? '';
  const lead = translator('en', messagesOf('en'));

  test.each(['linked', 'part-paid', 'part-paid-by-itself', 'part-gone', 'linked-wrong-token'] as const)(
    'are shown of %s, and the others behind a line',
    (name) => {
      const first = shownFirst(name);
      expect(first.match(/class="qr[ "]/g)).toHaveLength(1);
      expect(first.match(/id="copy-address-\d"/g)).toHaveLength(1);
      const networks = ['Base', 'BNB Smart Chain', 'Ethereum'].filter((network) =>
        first.includes(lead('onlyOnNetwork', { network }).markup),
      );
      expect(networks).toEqual(['Base']);
      expect(render(name).includes('id="other-network-1"')).toBe(name === 'part-paid-by-itself');
    },
  );
});
