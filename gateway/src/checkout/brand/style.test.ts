import { createHash } from 'node:crypto';
import { expect, test } from 'vitest';
import { NOW, PAYMENTS, type PaymentName } from '../../../test/browser/checkout-fixtures.ts';
import { namedAssets } from '../../../test/browser/page-assets.ts';
import { linkInEuros } from '../../../test/prices/link.ts';
import type { CheckoutPayment } from '../checkout-payment.ts';
import { framePolicy, linkPolicy, policyOf } from '../headers.ts';
import { renderLink } from '../views/link.ts';
import { renderPage } from '../views/render.ts';

const brand = { color: '#7a1f3d', sentence: 'Fresh & <b>slow</b>' };
const options = { locale: 'en', assets: namedAssets, now: NOW } as const;

const branded = (payment: CheckoutPayment): CheckoutPayment => ({
  ...payment,
  integration: { ...payment.integration, ...brand },
});
const render = (payment: CheckoutPayment) =>
  renderPage(payment, { ...options, payPath: '/pay', origin: 'https://pay.example' });

function expectBrand(page: string): void {
  const [above = ''] = page.split('class="amount"');
  expect(above).toContain('<p class="sentence"><bdi>Fresh &amp; &lt;b&gt;slow&lt;/b&gt;</bdi></p>');
  expect(page.match(/<style>:root{--accent:#7a1f3d;/g)).toHaveLength(1);
}

test.each(Object.keys(PAYMENTS) as PaymentName[])(
  'the page %s has the sentence above the amount, and the colour',
  (name) => {
    expectBrand(render(branded(PAYMENTS[name])));
  },
);

test('so has the page of a payment link', () => {
  const link = { ...linkInEuros, shop: { ...linkInEuros.shop, ...brand } };
  expectBrand(renderLink(link, { ...options, nonce: 'nonce', asksLanguage: false }));
});

test('a shop without a brand has neither', () => {
  expect(render(PAYMENTS.waiting)).not.toMatch(/<style|class="sentence"/);
});

test('the policy allows the colour by its hash, and nothing else of its kind', () => {
  const shop = branded(PAYMENTS.waiting);
  const style = /<style>(.*?)<\/style>/.exec(render(shop))?.[1] ?? '';
  const source = `style-src 'self' 'sha256-${createHash('sha256').update(style).digest('base64')}';`;
  const nowhere = { inPiBrowser: false, inFrame: false };
  for (const policy of [policyOf(shop, nowhere), framePolicy(shop), linkPolicy(shop.integration)])
    expect(policy).toContain(source);
  expect(policyOf(PAYMENTS.waiting, nowhere)).toContain("style-src 'self';");
});
