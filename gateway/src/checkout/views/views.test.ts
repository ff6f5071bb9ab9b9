import { describe, expect, test } from 'vitest';
import { NOW, PAYMENTS, type PaymentName } from '../../../test/browser/checkout-fixtures.ts';
import { namedAssets, pageOptions } from '../../../test/browser/page-assets.ts';
import type { CheckoutPayment } from '../checkout-payment.ts';
import type { PageOptions } from '../context.ts';
import { renderNotFound, renderPage } from './render.ts';

const ENTRIES = Object.entries(PAYMENTS) as [PaymentName, CheckoutPayment][];

const render = (payment: CheckoutPayment, options: Partial<PageOptions> = {}) =>
  renderPage(payment, { ...pageOptions, ...options });
const textOf = (markup: string) =>
  markup
    .replace(/<[^>]*>/g, '')
    .replaceAll('\u00a0', ' ')
    .replaceAll(/\s+/g, ' ');
const sentenceOf = (page: string) => textOf(page.match(/<h1.*?<\/h1>/s)?.[0] ?? '');

describe('the state as a sentence', () => {
  test.each([
    ['waiting', 'Choose how to pay'],
    ['waiting-without-method', 'This payment cannot be made right now'],
    ['linked', 'Send USDC on Base'],
    ['linked-without-network', 'This payment cannot be made right now'],
    ['wallet', 'Pay from your Florin wallet'],
    ['seen', 'Sent, waiting for the network'],
    ['part-paid', '10.25 USDC received, 15.25 USDC still to send'],
    ['part-paid-without-network', '10.25 USDC received, 15.25 USDC still to send'],
    ['part-gone', 'The network dropped your transfer'],
    ['overpaid', 'You sent 4.50 USDC too much'],
    ['late', 'Your transfer came after the deadline'],
    ['expired', 'Time is up. Do not send anything now.'],
    ['failed', 'The payment failed'],
    ['cancelled', 'You cancelled this payment'],
    ['cancelled-by-merchant', 'Acme Coffee Roasters cancelled this payment'],
    ['in-appeal', 'This payment is being looked into'],
    ['completed', 'Paid. Thank you.'],
  ] as const)('of %s is "%s", on the page and first in its title', (name, sentence) => {
    const page = render(PAYMENTS[name]);
    expect(sentenceOf(page)).toBe(sentence);
    expect(textOf(page.match(/<title>.*<\/title>/)?.[0] ?? '')).toBe(`${sentence} · Acme Coffee Roasters`);
  });

  test.each([
    ['linked-without-network', 'The network that you chose is not available right now.'],
    ['part-paid-without-network', 'What has arrived is safe. The network for the rest is not available'],
    ['part-gone', 'Check your wallet before you send it again'],
    ['seen', 'Do not pay again.'],
    ['overpaid', 'The extra 4.50 USDC is owed to you.'],
    ['late', 'It still counts as soon as it is confirmed.'],
    ['late-part', '10.25 USDC of 25.50 USDC has arrived and is safe.'],
    ['expired', 'No money has arrived.'],
    ['unread', 'everything that you sent in time will be counted.'],
    ['failed', 'No money was taken.'],
    ['failed-dropped', 'The network dropped your transfer'],
    ['returned', 'It was decided to refund the 25.50 USDC that arrived.'],
    ['in-appeal', '10.25 USDC of 25.50 USDC arrived in time.'],
    ['in-appeal-disputed', 'You reported a problem.'],
    ['completed-accepted', 'Paid10.25 USDC'],
    ['completed-short', 'Paid25.10 USDC'],
    ['completed-short-overpaid', 'Paid25.10 USDC'],
    ['completed-short-overpaid', 'The extra 0.40 USDC is owed to you.'],
    ['completed-overpaid', 'The extra 4.50 USDC is owed to you.'],
  ] as const)('of %s says what happened to the money', (name, words) => {
    expect(textOf(render(PAYMENTS[name]))).toContain(words);
  });
});

describe('every page', () => {
  test.each(ENTRIES)('%s has at most one filled button, and no inline style or script', (_, payment) => {
    const page = render(payment);
    expect(page.match(/class="button primary"/g)?.length ?? 0).toBeLessThanOrEqual(1);
    expect(page).not.toMatch(
      / style=| on\w+=|<style|<script(?! type="module" src="\/pay\/page-1\.js"><\/script>)/,
    );
  });

  test.each(ENTRIES)('%s uses each id once', (_, payment) => {
    const ids = [...render(payment).matchAll(/ id="([^"]+)"/g)].map(([, id]) => id);
    expect(ids).toEqual([...new Set(ids)]);
  });

  test.each(ENTRIES)('%s has forms that name the payment', (_, payment) => {
    for (const [form] of render(payment).matchAll(/<form.*?<\/form>/gs)) {
      expect(form).toMatch(
        /^<form method="post" action="\/pay\/(method|wallet|claim|cancel|simulate|dispute|message|faucet|refund|receipt|enough)"/,
      );
      for (const value of [payment.reference, payment.integration.id, payment.token]) {
        expect(form).toContain(`value="${value}"`);
      }
    }
  });
});

describe('the head of the page', () => {
  const { integration } = PAYMENTS.waiting;
  const shown = (shop: Partial<typeof integration>) =>
    render({ ...PAYMENTS.waiting, integration: { ...integration, ...shop } });

  test('shows the first letter of a shop without a logo, and no unverified domain', () => {
    const page = shown({});
    expect(page).toContain('<span class="monogram" aria-hidden="true">A</span>');
    expect(page).not.toMatch(/<img|class="domain"/);
  });

  test('shows the logo, and the domain as verified', () => {
    const page = shown({ logoUrl: '/logo/app/hash', domain: 'shop.example' });
    expect(page).toContain('<img class="logo" src="/logo/app/hash" alt=""');
    expect(textOf(page)).toContain('Verified domain: shop.example');
  });
});

describe('text of the merchant', () => {
  const attack = '"><script>alert(1)</script>';
  const hostile = (payment: CheckoutPayment): CheckoutPayment => ({
    ...payment,
    reference: `R${attack}`,
    integration: { ...payment.integration, name: `Shop${attack}`, domain: attack, sentence: attack },
    items: [{ name: attack, price: 1, quantity: 1 }],
    successUrl: `https://shop.example/?q=${attack}`,
    failureUrl: 'javascript:alert(1)',
    methods: payment.methods.map(({ method }) => ({ method, network: attack })),
    destinations: payment.destinations.map((each) => ({ ...each, address: attack, memo: attack })),
    transfers: payment.transfers.map((each) => ({ ...each, transaction: attack })),
    messages: payment.messages.map((each) => ({ ...each, text: attack })),
  });

  test.each(ENTRIES)('is plain text on the page %s, never markup or a script address', (_, payment) => {
    const page = render(hostile(payment));
    expect(page).not.toContain('<script>');
    expect(page).not.toContain('javascript:');
  });
});

test('the four words of a request stand beside its address, and nothing where there are none', () => {
  const { destinations } = PAYMENTS.linked;
  const worded = destinations.map((each) => ({ ...each, words: 'dimob govoz hohag naroh' }));
  const row = /The shop shows the same words<\/dt><dd><bdi [^>]+>dimob govoz hohag naroh<\/bdi>/;
  expect(render({ ...PAYMENTS.linked, destinations: worded })).toMatch(row);
  expect(render(PAYMENTS.linked)).not.toContain('The shop shows');
});

describe('in test mode', () => {
  test('the page says so in words and offers every outcome', () => {
    const page = render(PAYMENTS['linked-test']);
    expect(textOf(page)).toContain('TEST Simulation: no real money moves.');
    expect(textOf(page)).toContain('This is a simulation: send nothing.');
    expect([...page.matchAll(/name="outcome" value="(\w+)"/g)].map(([, outcome]) => outcome)).toEqual([
      'success',
      'failure',
      'expire',
      'underpaid',
      'exchange_fee',
      'overpaid',
      'split',
      'late',
      'wrong_token',
      'slow',
      'reorg',
      'dispute',
    ]);
  });

  test('differs from live mode, which has neither banner nor simulation', () => {
    for (const [, payment] of ENTRIES.filter(([, { mode }]) => mode === 'live')) {
      expect(render(payment)).not.toMatch(/test-banner|name="outcome"/);
    }
  });
});

describe('the forms', () => {
  test('offer each way to pay, with the first one selected', () => {
    const page = render(PAYMENTS.waiting);
    const options = [...page.matchAll(/name="asset" id="[^"]+" value="([^"]+)" required( checked)?/g)];
    expect(options.map(([, method, checked]) => [method, checked !== undefined])).toEqual([
      ['usdc-base', true],
      ['usdc-bep20', false],
      ['usdc-erc20', false],
      ['wallet', false],
    ]);
  });

  test('accept a dispute until its time is over', () => {
    expect(render(PAYMENTS.completed)).toContain('action="/pay/dispute"');
    const over = PAYMENTS.completed.disputableUntil ?? NOW;
    expect(render(PAYMENTS.completed, { now: over })).not.toContain('action="/pay/dispute"');
  });

  test('accept a message while the payment is in appeal, below the earlier messages', () => {
    const offering = ENTRIES.filter(([, payment]) => render(payment).includes('action="/pay/message"'));
    expect(offering.map(([name]) => name)).toEqual([
      ...['in-appeal', 'in-appeal-disputed', 'in-appeal-answered'],
      ...['priced-late-pi', 'priced-late'],
    ]);
    const words = textOf(render(PAYMENTS['in-appeal-answered']));
    expect(words).toMatch(
      /You .*The filters are missing.*Acme Coffee Roasters .*leave the roastery.*Gateway operator .*arrived.*Your message/,
    );
  });

  test('accept a claim where a transfer may be missing, and a cancellation where none was seen', () => {
    const offering = (action: string) =>
      ENTRIES.filter(([, payment]) => render(payment).includes(`action="/pay/${action}"`)).map(
        ([name]) => name,
      );
    expect(offering('claim')).toEqual([
      'linked',
      'linked-demo',
      'linked-wrong-token',
      'linked-memo',
      'linked-pi',
      'linked-pi-demo',
      'part-paid-pi',
      'part-paid',
      'part-paid-by-itself',
      'linked-without-network',
      'part-paid-without-network',
      'part-gone',
      'expired',
      'unread',
      'unread-part',
      'failed',
      'failed-dropped',
      'cancelled',
      'cancelled-by-merchant',
      'part-paid-fee',
      'part-paid-short',
      ...['priced-linked', 'priced-linked-fee', 'priced-yen', 'priced-dinar', 'priced-long'],
      ...['priced-part-paid', 'priced-discount', 'priced-surcharge', 'priced-ending', 'priced-fee-kept'],
      ...['priced-short', 'priced-enough', 'priced-wrong-token', 'priced-testnet', 'priced-expired'],
    ]);
    expect(offering('cancel')).toEqual(
      ENTRIES.filter(([, { status }]) => status === 'unlinked' || status === 'linked').map(([name]) => name),
    );
  });
});

test('the page of a payment whose transfer left its chain says so', () => {
  const page = render({ ...PAYMENTS['in-appeal-disputed'], reason: 'reorg' });
  expect(textOf(page)).toContain('The network dropped a transfer that had been confirmed.');
});

describe('a notice', () => {
  test.each([
    'wrong_password',
    'insufficient_funds',
    'not_possible',
    'claim_received',
    'not_claimable',
    'claim_found',
    'claim_waiting',
    'claim_failed',
    'claim_elsewhere',
    'claim_elsewhere_memo',
    'claim_unknown',
    'too_many_requests',
    'dispute_opened',
    'message_sent',
    'test_coins_sent',
    'test_coins_failed',
    'not_an_address',
  ])('%s is said', (notice) => {
    expect(render(PAYMENTS.linked, { notice })).toContain('class="notice');
  });

  test.each(['', 'constructor', 'nothing-we-know', undefined])('%s shows nothing', (notice) => {
    expect(render(PAYMENTS.linked, { notice })).not.toContain('class="notice');
  });
});

describe('languages', () => {
  test('set the language and direction of the document', () => {
    expect(render(PAYMENTS.linked, { locale: 'ar' })).toContain('<html lang="ar" dir="rtl">');
    expect(render(PAYMENTS.linked, { locale: 'de' })).toContain('<html lang="de" dir="ltr">');
  });

  test('have a link each on a list, to which every page leads, and the forms keep the choice', () => {
    const page = render(PAYMENTS.waiting, { locale: 'fr' });
    expect(page).toMatch(/href="[^"]+&amp;lang=fr&amp;languages=" id="languages">.*Français<\/a>/);
    expect(page).toContain('<input type="hidden" name="lang" value="fr">');
    const list = render(PAYMENTS.waiting, { locale: 'fr', asksLanguage: true });
    expect(list).toContain('&amp;lang=vi" lang="vi" hreflang="vi"');
    expect(list).toContain('lang="fr" hreflang="fr" aria-current="true">Français</a>');
    expect(list).toContain('<title>Langue</title>');
    expect(list).not.toMatch(/<form|<script|data-state/);
  });
});

test('a fee that the customer pays is part of the amount and shown beside it', () => {
  expect(textOf(render(PAYMENTS['waiting-fee']))).toContain('25.755 USDC Includes a fee of 0.255 USDC');
});

test('the page for a payment that does not exist shows no data and runs no script', () => {
  const page = renderNotFound({ locale: 'en', payPath: '/pay', assets: namedAssets });
  expect(sentenceOf(page)).toBe('This payment page does not exist');
  expect(page).not.toContain('<script');
});
