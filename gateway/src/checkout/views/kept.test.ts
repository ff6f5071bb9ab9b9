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
