import { describe, expect, test } from 'vitest';
import { PAYMENTS, type PaymentName } from '../../../test/browser/checkout-fixtures.ts';
import { pageOptions } from '../../../test/browser/page-assets.ts';
import { codesIn } from '../../../test/browser/qr-codes.ts';
import type { CheckoutPayment } from '../checkout-payment.ts';
import type { PageOptions } from '../context.ts';
import { renderReceipt } from './receipt.ts';

const render = (payment: CheckoutPayment, options: Partial<PageOptions> = {}) =>
  renderReceipt(payment, { ...pageOptions, ...options });
const { completed } = PAYMENTS;
const ENTRIES = (Object.entries(PAYMENTS) as [PaymentName, CheckoutPayment][]).filter(
  ([, { status }]) => status === 'completed',
);

describe('the sheet of a receipt', () => {
  test('is named by its title and reference, for the file that it is saved as', () => {
    expect(render(completed)).toContain(
      `<title>Receipt ${completed.reference} · Acme Coffee Roasters</title>`,
    );
  });

  test.each(ENTRIES)('%s uses each id once, and has no inline style or script', (_, payment) => {
    const page = render(payment);
    const ids = [...page.matchAll(/ id="([^"]+)"/g)].map(([, id]) => id);
    expect(ids).toEqual([...new Set(ids)]);
    expect(page).not.toMatch(
      / style=| on\w+=|<style|<script(?! type="module" src="\/pay\/receipt-1\.js"><\/script>)|<form/,
    );
  });

  test('has a code that opens the page of the payment, in the language of the receipt', () => {
    const { reference, token, integration } = completed;
    const query = new URLSearchParams({ reference, app: integration.id, token, lang: 'de' });
    expect(codesIn(render(completed, { locale: 'de' }))).toEqual([`https://pay.example/pay?${query}`]);
  });

  test('says that whoever has the code can claim refunds, unless an invoice opened it', () => {
    expect(render(completed)).toContain('Whoever has this code can claim refunds there.');
    expect(render({ ...completed, paysOnly: true })).not.toContain('can claim refunds');
  });

  test('leads back to the page with a token that is masked', () => {
    const page = render(completed, { maskToken: () => 'masked' });
    expect(page).toMatch(/href="\/pay\?reference=[^"]*&amp;token=masked&amp;lang=en" id="payment"/);
    expect(page).not.toContain(completed.token);
  });

  test('in test mode says that no money moved, and in live mode does not', () => {
    expect(render({ ...completed, mode: 'test' })).toContain('<strong>TEST</strong>');
    expect(render(completed)).not.toContain('TEST');
  });

  test('has the logo of the shop, where it has one', () => {
    const { integration } = completed;
    expect(render(completed)).not.toContain('class="logo"');
    expect(render({ ...completed, integration: { ...integration, logoUrl: '/logo/app/hash' } })).toContain(
      '<img class="logo" src="/logo/app/hash" alt=""',
    );
  });

  test('has the colour of the shop, where it has one', () => {
    const { integration } = completed;
    expect(render({ ...completed, integration: { ...integration, color: '#7a1f3d' } })).toContain(
      '<style>:root{--accent:#7a1f3d;',
    );
  });

  test('is written from the right where its language is', () => {
    expect(render(completed, { locale: 'ar' })).toContain('<html lang="ar" dir="rtl">');
  });
});

test('text of the merchant is plain text, never markup or a script address', () => {
  const attack = '"><script>alert(1)</script>';
  const { integration } = completed;
  const page = render({
    ...PAYMENTS['completed-refunds'],
    reference: `R${attack}`,
    integration: {
      ...integration,
      name: attack,
      contact: { email: `${attack}@shop.example`, url: `https://shop.example/?q=${attack}` },
      letterhead: { address: `${attack}\n${attack}`, taxNumber: attack },
    },
    items: [{ name: attack, price: 1, quantity: 1 }],
    transfers: completed.transfers.map((each) => ({
      ...{
        ...each,
        transaction: attack,
        sender: attack,
        network: attack,
        explorerUrl: 'javascript:alert(1)',
      },
    })),
    refunds: PAYMENTS['completed-refunds'].refunds.map((each) => ({
      ...{ ...each, to: attack, memo: attack, transaction: attack, explorerUrl: 'javascript:alert(1)' },
    })),
  });
  expect(page).not.toContain('<script>');
  expect(page).not.toContain('javascript:');
});
