import { describe, expect, test } from 'vitest';
import { PAYMENTS } from '../../../test/browser/checkout-fixtures.ts';
import { pageOptions } from '../../../test/browser/page-assets.ts';
import type { CheckoutPayment } from '../checkout-payment.ts';
import { renderPage } from './render.ts';

const render = (payment: CheckoutPayment) => renderPage(payment, pageOptions);
const textOf = (markup: string) =>
  markup
    .replace(/<[^>]*>/g, '')
    .replaceAll('\u00a0', ' ')
    .replaceAll(/\s+/g, ' ');
const sentenceOf = (page: string) => textOf(page.match(/<h1.*?<\/h1>/s)?.[0] ?? '');

describe('a wallet of another system', () => {
  const view = (name: keyof typeof PAYMENTS, attempt: CheckoutPayment['wallet']['attempt']) => {
    const gone = PAYMENTS[name].transfers.map((each) => ({ ...each, state: 'gone' as const }));
    const transfers = attempt === 'lost' ? gone : PAYMENTS[name].transfers;
    return { ...PAYMENTS[name], transfers, method: 'wallet', wallet: { name: 'Purse', attempt } };
  };

  test.each([
    ['wallet', null, 'Pay from your Purse wallet'],
    ['wallet', 'waiting', 'Approve this payment in your Purse wallet'],
    ['seen', 'capturing', 'Your Purse wallet is paying'],
    ['part-gone', 'lost', 'Your Purse wallet did not pay'],
  ] as const)('that is chosen (%s, %s) is named: "%s"', (name, attempt, sentence) => {
    expect(sentenceOf(render(view(name, attempt)))).toBe(sentence);
  });

  test('shows no form while its user is to approve the payment there, and one again after a refusal', () => {
    expect(render(view('wallet', 'waiting'))).not.toContain('id="wallet-form"');
    const refused = render(view('wallet', 'refused'));
    expect(refused).toContain('id="wallet-form"');
    expect(textOf(refused)).toContain('Your wallet refused this payment. Nothing was charged.');
  });

  test('that did not pay after all is no transfer that a network dropped', () => {
    for (const name of ['part-gone', 'failed'] as const) {
      const shown = textOf(render(view(name, 'lost')));
      expect(shown).toContain('No money was taken.');
      expect(shown).not.toContain('The network dropped your transfer');
    }
  });
});
