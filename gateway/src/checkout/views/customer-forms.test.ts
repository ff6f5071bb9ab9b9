import { describe, expect, test } from 'vitest';
import { NOW, PAYMENTS } from '../../../test/browser/checkout-fixtures.ts';
import { namedAssets } from '../../../test/browser/page-assets.ts';
import type { CheckoutPayment } from '../checkout-payment.ts';
import type { PageOptions } from '../context.ts';
import { CLAIM_FAULTS } from '../notices.ts';
import { renderPage } from './render.ts';

const render = (payment: CheckoutPayment, options: Partial<PageOptions> = {}) =>
  renderPage(payment, {
    locale: 'en',
    payPath: '/pay',
    origin: 'https://pay.example',
    now: NOW,
    assets: namedAssets,
    ...options,
  });

describe('the receipt by mail', () => {
  const completed = PAYMENTS.completed;

  test('is offered by a form where the gateway mails receipts, and said to be sent once it is', () => {
    expect(render(completed)).not.toContain('receipt-form');
    const offered = render({ ...completed, receipt: { sentTo: null } });
    expect(offered).toContain('action="/pay/receipt"');
    expect(offered).toContain('Send the receipt');
    const sent = render({ ...completed, receipt: { sentTo: 'a•••@<b>' } }, { notice: 'receipt_sent' });
    expect(sent).toContain(
      '<p class="notice good" role="status">The receipt was sent to <bdi>a•••@&lt;b&gt;</bdi>.</p>',
    );
    expect(sent).toContain('Send it again');
  });
});

describe('a claim that is refused', () => {
  const live = { ...PAYMENTS.linked, mode: 'live' as const };

  test.each(CLAIM_FAULTS)('keeps what was written in its field, with the fault beside it: %s', (notice) => {
    const page = render(live, { notice, claimed: '0x"12' });
    expect(page).toMatch(/<details id="other-ways" open>/);
    expect(page).toMatch(/<details id="claim" open>/);
    const field = /<input id="transaction"[^>]*>/.exec(page)?.[0];
    expect(field).toContain(
      'value="0x&quot;12" aria-invalid="true" aria-describedby="transaction-fault" autofocus',
    );
    expect(page).toMatch(/<p class="fault" id="transaction-fault" role="alert">[^<]+<\/p>/);
    expect(page).not.toContain('class="notice');
  });

  test('is not there where nothing was claimed, and is said above the page where the field is not known', () => {
    const page = render(live);
    expect(page).not.toContain('aria-invalid');
    expect(page).toMatch(/<details id="claim">/);
    expect(render(live, { notice: 'claim_unknown' })).toContain('class="notice bad"');
  });
});
