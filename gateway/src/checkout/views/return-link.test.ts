import { describe, expect, test } from 'vitest';
import { NOW, PAYMENTS, type PaymentName } from '../../../test/browser/checkout-fixtures.ts';
import { pageOptions } from '../../../test/browser/page-assets.ts';
import type { CheckoutPayment } from '../checkout-payment.ts';
import type { PageOptions } from '../context.ts';
import { renderPage } from './render.ts';

const ENTRIES = Object.entries(PAYMENTS) as [PaymentName, CheckoutPayment][];

const render = (payment: CheckoutPayment, options: Partial<PageOptions> = {}) =>
  renderPage(payment, { ...pageOptions, ...options });
describe('the link back to the shop', () => {
  test.each(ENTRIES.filter(([, payment]) => payment.status !== 'completed'))(
    'never leads from the unpaid state %s to the success address',
    (_, payment) => {
      expect(render(payment)).not.toContain('shop.example/thanks');
    },
  );

  test('names the shop, and the host to which it leads', () => {
    const [, words = ''] = /<a [^>]*id="return"[^>]*>(.*?)<\/a>/.exec(render(PAYMENTS.completed)) ?? [];
    expect(words).toBe(
      'Return to <bdi>Acme Coffee Roasters</bdi><span class="host" dir="ltr">shop.example</span>',
    );
    expect(render(PAYMENTS.failed)).toContain('href="https://shop.example/basket"');
  });

  test.each(['completed', 'completed-late', 'failed', 'cancelled'] as const)(
    'counts down on the page %s, and not when it is opened again much later',
    (name) => {
      expect(render(PAYMENTS[name])).toContain('data-seconds="10"');
      const nextDay = new Date(NOW.getTime() + 86_400_000);
      expect(render(PAYMENTS[name], { now: nextDay })).not.toContain('data-seconds');
      const noAddress = { ...PAYMENTS[name], successUrl: null, failureUrl: null };
      expect(render(noAddress)).not.toContain('data-seconds');
    },
  );

  test('does not count down where money came for a payment that was not completed', () => {
    expect(render(PAYMENTS.returned)).toContain('id="return"');
    expect(render(PAYMENTS.returned)).not.toContain('data-seconds');
  });

  test('does not count down after the deadline while a transfer may be claimed', () => {
    expect(render(PAYMENTS.expired)).toContain('id="return"');
    expect(render(PAYMENTS.expired)).not.toContain('data-seconds');
    // The page of an invoice takes no claim.
    expect(render({ ...PAYMENTS.expired, paysOnly: true })).toContain('data-seconds="10"');
  });

  test('does not count down where something was sent too much', () => {
    expect(render(PAYMENTS['completed-overpaid'])).toContain('id="return"');
    expect(render(PAYMENTS['completed-overpaid'])).not.toContain('data-seconds');
  });
});
