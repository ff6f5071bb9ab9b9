import { describe, expect, test } from 'vitest';
import { NOW, PAYMENTS, type PaymentName } from '../../../test/browser/checkout-fixtures.ts';
import { namedAssets } from '../../../test/browser/page-assets.ts';
import type { CheckoutPayment } from '../checkout-payment.ts';
import { renderPage } from './render.ts';

const names = Object.keys(PAYMENTS) as PaymentName[];
const render = (payment: CheckoutPayment) =>
  renderPage(payment, {
    ...{ locale: 'en', payPath: '/pay', origin: 'https://pay.example', now: NOW, assets: namedAssets },
  } as const);
const textOf = (page: string) => page.replaceAll(/<[^>]*>/g, '').replaceAll(/[\s\u00a0]+/g, ' ');

const tooMuch = 'You sent 4.50 USDC too much';
const whatHappens = 'The extra 4.50 USDC is owed to you. Acme Coffee Roasters can see that.';

describe('a page that was paid still says', () => {
  test.each(['completed-overpaid', 'completed-owed', 'completed-owed-little', 'completed-refunds'] as const)(
    'that too much was sent: %s',
    (name) => {
      const words = textOf(render(PAYMENTS[name]));
      expect(words).toContain('Paid. Thank you.');
      expect(words).toContain(tooMuch);
      // What happens to it is said once: here, or by the list of what is owed and refunded.
      expect(words.includes(whatHappens)).toBe(name === 'completed-overpaid');
    },
  );

  test('what happens to it, where it lists nothing that is owed', () => {
    const invoice = { ...PAYMENTS['completed-refunds'], paysOnly: true };
    expect(textOf(render(invoice))).toContain(`${tooMuch}${whatHappens}`);
  });

  test('that the transfer came after the deadline', () => {
    const sentence = 'Your transfer came after the deadline';
    expect(textOf(render(PAYMENTS['completed-late']))).toContain(sentence);
    expect(textOf(render(PAYMENTS.completed))).not.toContain(sentence);
  });
});

describe('what came too much for a payment that settles directly', () => {
  const direct = { amount: '4.5', fee: '0.045', rest: '0' };
  const overpaid = { ...PAYMENTS['completed-overpaid'], directOverpayment: direct };
  const went =
    'The extra 4.50 USDC went straight to Acme Coffee Roasters, and the shop returns it. Write to the shop.';

  test.each([PAYMENTS.overpaid, PAYMENTS['completed-overpaid'], PAYMENTS['late-overpaid']])(
    'is with the shop, and nothing of it is owed by the gateway',
    (payment) => {
      const words = textOf(render({ ...payment, directOverpayment: direct }));
      expect(words).toContain(`${went} 0.045 USDC of that went to the payment service as its fee.`);
      expect(words).not.toContain('owed to you');
      expect(words).not.toContain('Your address');
    },
  );

  test('is told without a fee where there is none', () => {
    const words = textOf(render({ ...overpaid, directOverpayment: { ...direct, fee: '0' } }));
    expect(words).toContain(went);
    expect(words).not.toContain('as its fee');
  });

  test('is told beside what the gateway owes', () => {
    const mixed = { ...overpaid, directOverpayment: { amount: '4', fee: '0', rest: '0.5' } };
    const words = textOf(render(mixed));
    expect(words).toContain('The extra 0.50 USDC is owed to you.');
    expect(words).toContain('The extra 4.00 USDC went straight to Acme Coffee Roasters');
  });

  test('is with the shop too where it is another coin', () => {
    const { transfers } = PAYMENTS['completed-wrong-token'];
    const sent = transfers.map((each) => ({ ...each, isDirect: true }));
    const words = textOf(render({ ...PAYMENTS['completed-wrong-token'], transfers: sent }));
    expect(words).toContain('It went straight to Acme Coffee Roasters, and the shop returns it.');
  });
});

test('a page of late money says that too much was sent', () => {
  expect(textOf(render(PAYMENTS['late-overpaid']))).toContain(`${tooMuch}${whatHappens}`);
});

test('every bar has its words below it', () => {
  const pages = names.map((name) => render(PAYMENTS[name])).filter((page) => page.includes('<progress'));
  expect(pages.length).toBeGreaterThan(3);
  for (const page of pages)
    expect(page).toMatch(/<progress [^>]*aria-label="([^"]+)"><\/progress><p class="hint">/);
  expect(textOf(render(PAYMENTS.late))).toContain('1 of 3 confirmations');
});

test('a payment is cancelled by a line of its own, which is inside of no other', () => {
  const cancelling = names
    .map((name) => render(PAYMENTS[name]))
    .filter((page) => page.includes('id="cancel"'));
  expect(cancelling.length).toBeGreaterThan(10);
  for (const page of cancelling) {
    const before = page.slice(0, page.indexOf('<details id="cancel"'));
    expect(before.match(/<details/g)?.length).toBe(before.match(/<\/details>/g)?.length);
  }
});
