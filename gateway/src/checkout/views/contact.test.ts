import { expect, test } from 'vitest';
import { NOW, PAYMENTS, type PaymentName } from '../../../test/browser/checkout-fixtures.ts';
import { pageOptions } from '../../../test/browser/page-assets.ts';
import type { CheckoutPayment, PaidShop } from '../checkout-payment.ts';
import type { PageOptions } from '../context.ts';
import { renderPage } from './render.ts';

const render = (payment: CheckoutPayment, options: Partial<PageOptions> = {}) =>
  renderPage(payment, { ...pageOptions, ...options });

/** The addresses that the links for writing to the shop lead to. */
const linksOf = (page: string) =>
  [...page.matchAll(/<span class="contact">(.*?)<\/span>/g)].map(([, links = '']) =>
    [...links.matchAll(/href="([^"]*)"/g)].map(([, href]) => href),
  );
const withContact = (contact: PaidShop['contact'], name: PaymentName = 'completed'): CheckoutPayment => ({
  ...PAYMENTS[name],
  integration: { ...PAYMENTS[name].integration, contact },
});

const { reference } = PAYMENTS.completed;
const [mail, url] = [
  `mailto:help@acme-coffee.example?subject=${reference}`,
  'https://acme-coffee.example/help',
];
const cameLate = {
  ...PAYMENTS.seen,
  status: 'cancelled',
  reason: 'customer',
  endedAt: NOW,
} satisfies CheckoutPayment;

test.each([
  ['a receipt', PAYMENTS['completed-accepted']],
  ['an appeal', PAYMENTS['in-appeal']],
  ['a dispute', PAYMENTS['in-appeal-disputed']],
  ['late money', PAYMENTS.late],
  ['late money that is less', PAYMENTS['late-part']],
  ['money that came for a cancelled payment', cameLate],
  ['money that came for a failed payment', { ...cameLate, status: 'failed', reason: 'part_paid' }],
] as [string, CheckoutPayment][])('%s names the reference, and where to write to', (_, payment) => {
  const page = render(payment);
  expect(linksOf(page)[0]).toEqual([mail, url]);
  expect(page).toContain(`data-copy="${reference}"`);
});

test('the form of a dispute says where to write to first', () => {
  const [form = ''] = /<details[^>]*id="dispute".*/s.exec(render(PAYMENTS.completed)) ?? [];
  expect(linksOf(form)).toEqual([[mail, url]]);
});

test.each(['claim_unmatched', 'claim_other_coin', 'claim_elsewhere', 'claim_elsewhere_memo'])(
  'the notice %s, which sends the customer to the shop, says where it is',
  (notice) => {
    expect(linksOf(render(PAYMENTS.linked, { notice, claimed: 'ab'.repeat(32) }))).toEqual([[mail, url]]);
  },
);

test('what a merchant wrote is text, and cannot add to the address of the mail', () => {
  const email = '"a?bcc=b&x"@acme.example';
  const page = render(withContact({ email, url: 'https://acme.example/?a="><script>' }));
  expect(page).not.toContain('<script>');
  expect(page).toContain(`href="mailto:%22a%3Fbcc%3Db%26x%22@acme.example?subject=${reference}"`);
});

test('a shop without a contact has no such line', () => {
  for (const name of ['completed', 'in-appeal', 'late'] as const)
    expect(linksOf(render(withContact({ email: null, url: null }, name)))).toEqual([]);
  expect(linksOf(render(withContact({ email: null, url })))[0]).toEqual([url]);
});
