import { expect, test } from 'vitest';
import { NOW, PAYMENTS, type PaymentName } from '../../../test/browser/checkout-fixtures.ts';
import { namedAssets } from '../../../test/browser/page-assets.ts';
import { claimInEuros } from '../../../test/prices/troubles.ts';
import type { CheckoutPayment } from '../checkout-payment.ts';
import type { PageOptions } from '../context.ts';
import type { Locale } from '../locale.ts';
import { receiptLetter } from '../receipts/mail-receipts.ts';
import { renderPage } from './render.ts';

const rendered = (payment: CheckoutPayment, locale: Locale = 'en', options: Partial<PageOptions> = {}) =>
  renderPage(payment, {
    ...{ locale, payPath: '/pay', origin: 'https://pay.example', now: NOW, assets: namedAssets, ...options },
  });
const render = (name: PaymentName, locale?: Locale) => rendered(PAYMENTS[name], locale);
const textOf = (page: string) => page.replaceAll(/<[^>]*>/g, ' ').replaceAll(/[\s\u00a0]+/g, ' ');
const headlineOf = (page: string) => textOf(page.split('class="amount-value')[1]?.split('</p>')[0] ?? '');

test.each([
  ['priced-open', '49.90 EUR'],
  ['priced-linked', '49.90 EUR'],
  ['priced-linked-fee', '50.40 EUR'],
  ['priced-yen', '7,480 JPY'],
  ['priced-dinar', '16.250 KWD'],
  ['priced-completed', '49.90 EUR'],
] as const)('the price is the headline of %s: %s', (name, price) => {
  expect(headlineOf(render(name))).toContain(price);
});

test('an open payment shows what to send beside each way to pay, and no address', () => {
  const page = render('priced-open');
  expect(textOf(page)).toContain('USDC 49.90 EUR = 53.22 USDC Base');
  expect(textOf(page)).toContain('USDT 49.90 EUR = 53.26 USDT BNB Smart Chain');
  expect(page).not.toContain('copy-address');
  // With the fee it is no longer the price alone.
  expect(textOf(render('priced-open-fee'))).not.toContain('49.90 EUR =');
});

test('each coin is one line, with its networks in it, and the test networks of a coin are the last line', () => {
  const linesOf = (name: PaymentName) =>
    textOf(render(name).split('class="methods coins">')[1]!.split('</fieldset>')[0]!)
      .replaceAll(/ Confirmed in about \d+ \w+ · Network fee in \w+/g, '')
      .split(/49\.90 EUR = /)
      .map((line) => line.trim());
  expect(linesOf('priced-all-test')).toEqual([
    'Choose how to pay USDC',
    '53.22 USDC Base BNB Smart Chain Ethereum Polygon USDT',
    '53.26 USDT BNB Smart Chain Polygon PI',
    '1,234.5679 PI Pi Network CSK',
    '4,990.00 CSK BNB Smart Chain Florin wallet From your balance Pay in 53.22 USDC 53.26 USDT 1,234.5679 PI 4,990.00 CSK USDC',
    '53.22 USDC Test network: coins here have no value Base Sepolia BNB Smart Chain Testnet',
  ]);
  // Of one coin the networks are the lines.
  expect(render('waiting')).not.toContain('class="coin"');
});

test.each([
  ['priced-discount-open', 'To pay 49.90 EUR 2% discount for paying with crypto'],
  ['priced-discount', '49.90 EUR 2% discount for paying with crypto = 52.16 USDC'],
  ['priced-surcharge', '49.90 EUR 1.25% is added for paying with crypto = 53.89 USDC'],
  ['priced-discount-paid', 'Price 2% discount for paying with crypto Rate 1 USDC ='],
] as const)('what a shop adds to a price or takes off it is named: %s', (name, words) => {
  const page = textOf(render(name));
  expect(page).toContain(words);
  // The price alone is not what is to be sent.
  expect(page).not.toContain('49.90 EUR = ');
});

test('the mail of a receipt names a discount', () => {
  const { text } = receiptLetter('https://pay.example/pay', PAYMENTS['priced-discount-paid'], 'de');
  expect(text.replaceAll('\u00a0', ' ')).toContain('2 % Rabatt für das Zahlen mit Krypto');
});

test('a way to pay without a rate cannot be chosen, and says why', () => {
  const page = render('priced-open');
  expect(page).toMatch(/id="method-pi" value="pi" required\s+disabled/);
  expect(textOf(page)).toContain('PI Not available now: no exchange rate');
  expect(textOf(render('priced-no-rate'))).toContain('This payment cannot be made right now');
  expect(render('priced-no-rate')).not.toContain('id="method-form"');
});

test('the form of an open payment names what a wallet pays in', () => {
  const page = render('priced-open');
  expect([...page.matchAll(/<option value="(\w+)"[^>]*>([^<]*)/g)].map(([, ...option]) => option)).toEqual([
    ['USDC', '53.22\u00a0USDC'],
    ['USDT', '53.26\u00a0USDT'],
  ]);
  const choices = PAYMENTS['priced-open'].choices.filter(({ currency }) => currency === 'USDC');
  expect(rendered({ ...PAYMENTS['priced-open'], choices })).toContain(
    '<input type="hidden" name="currency" value="USDC">',
  );
});

test('after the choice the rate and its end are below the price, and the other ways stay', () => {
  const page = textOf(render('priced-linked'));
  expect(page).toContain('= 53.22 USDC 1 USDC = 0.937577 EUR Rate holds until 6:52 PM UTC');
  expect(page).toContain('49.90 EUR = 53.26 USDT');
  const fee = textOf(render('priced-linked-fee'));
  expect(fee).toContain('= 53.75 USDC');
  expect(fee).toContain('Includes a fee of 0.50 EUR');
  expect(fee).toContain('Price 49.90 EUR Fee 0.50 EUR Total 50.40 EUR');
});

test('what is missing is said in both moneys', () => {
  const page = textOf(render('priced-part-paid'));
  expect(page).toContain('33.22 USDC received, 20.00 USDC still to send');
  expect(page).toContain('The rest is about 18.75 EUR .');
});

test('money that came late is safe, and the page of one that expired asks for none', () => {
  const late = textOf(render('priced-late'));
  expect(late).toContain('53.22 USDC has arrived and is safe. Acme Coffee Roasters decides');
  expect(late).toContain('49.90 EUR = 53.22 USDC');
  expect(headlineOf(render('priced-expired'))).toContain('49.90 EUR');
  expect(textOf(render('priced-expired'))).not.toMatch(/USDC|USDT/);
});

test('a rate that no longer matters has no end', () => {
  const expired: CheckoutPayment = {
    ...PAYMENTS['priced-linked'],
    ...{ status: 'cancelled', reason: 'abandoned', deadline: new Date(0), destinations: [] },
  };
  for (const payment of [PAYMENTS['priced-completed'], expired])
    expect(textOf(rendered(payment))).not.toContain('Rate holds');
});

test('the receipt has both amounts and the rate, on the page and by mail', () => {
  const page = textOf(render('priced-completed'));
  for (const words of ['49.90 EUR Paid with 53.22 USDC', 'Rate 1 USDC = 0.937577 EUR'])
    expect(page).toContain(words);
  const mail = receiptLetter('https://pay.example/pay', PAYMENTS['priced-completed'], 'de').text;
  for (const words of ['49,90 EUR', 'Bezahlt mit 53,22 USDC', 'Kurs: 1 USDC = 0,937577 EUR'])
    expect(mail.replaceAll('\u00a0', ' ')).toContain(words);
});

test('what a shop accepted in place of the whole is not called the price', () => {
  const accepted = { ...PAYMENTS['priced-completed'], amountReceived: '40', amountMissing: '13.22' };
  expect(textOf(rendered(accepted))).toContain('Price 49.90 EUR Paid with 40.00 USDC');
  expect(receiptLetter('https://pay.example/pay', accepted, 'en').text).toContain('40.00\u00a0USDC');
});

test('a refund has its worth at the rate of the payment, before it is claimed and after', () => {
  const asked = '10.665795 USDC (about 10.00 EUR )';
  expect(textOf(render('priced-owed'))).toContain(`${asked} · Base`);
  expect(textOf(rendered(PAYMENTS['priced-owed'], 'en', { claim: claimInEuros }))).toContain(
    '10.665795 USDC (about 10.00 EUR) goes to the address below',
  );
  expect(textOf(render('priced-refunds'))).toContain('10.66 USDC (about 9.99 EUR )');
});
