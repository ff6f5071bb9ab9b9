import { describe, expect, test } from 'vitest';
import { NOW, PAYMENTS, type PaymentName } from '../../../test/browser/checkout-fixtures.ts';
import { namedAssets } from '../../../test/browser/page-assets.ts';
import { piNetwork } from '../../../test/pi/payments.ts';
import type { CheckoutPayment } from '../checkout-payment.ts';
import type { PageOptions } from '../context.ts';
import { inFrame, pageHeaders, policyOf } from '../headers.ts';
import { LOCALES, messagesOf } from '../locale.ts';
import { isPiBrowser } from '../pi-offer.ts';
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
const textOf = (markup: string) =>
  markup
    .replace(/<noscript>.*?<\/noscript>/gs, '')
    .replace(/<[^>]*>/g, '')
    .replaceAll('\u00a0', ' ')
    .replaceAll(/\s+/g, ' ');
const inPi = { isPiBrowser: true };
const offersPi = (page: string) => page.includes('id="pay-pi"');

/** The payment that the page's script requests from Pi. */
function orderOf(payment: CheckoutPayment, options: Partial<PageOptions> = inPi) {
  const [, order = ''] = /data-order="([^"]*)"/.exec(render(payment, options)) ?? [];
  return JSON.parse(order.replaceAll('&quot;', '"').replaceAll('&#39;', "'").replaceAll('&amp;', '&'));
}

const withAmount = (amount: string): CheckoutPayment => ({
  ...PAYMENTS['linked-pi'],
  destinations: PAYMENTS['linked-pi'].destinations.map((each) => ({ ...each, amount })),
});

describe('a transfer with a memo', () => {
  test('has three steps, each with its own copy button', () => {
    const page = render(PAYMENTS['linked-memo']);
    const [destination] = PAYMENTS['linked-memo'].destinations;
    const copied = [...page.matchAll(/id="copy-(\w+)-0" data-copy="([^"]+)"/g)];
    expect(copied.map(([, what, value]) => [what, value])).toEqual([
      ['address', destination!.address],
      ['memo', 'F7K2M9QXJT'],
      ['amount', '314.1592653'],
    ]);
    expect(textOf(page)).toMatch(/Copy the address .*Copy the memo.*F7K2M9QXJT.*Send exactly this amount/);
  });

  test.each(LOCALES)('warns in %s, before the steps, that the memo is required', (locale) => {
    const words = textOf(render(PAYMENTS['linked-memo'], { locale }));
    const { memoRequired, memoWarning, stepAddress } = messagesOf(locale);
    expect(words).toContain(`${memoRequired} ${memoWarning}`);
    expect(words.indexOf(memoRequired)).toBeLessThan(words.indexOf(stepAddress));
  });

  test.each(LOCALES)('mentions in %s what a script does only where scripts run', (locale) => {
    const page = render(PAYMENTS['linked-pi'], { ...inPi, locale });
    const words = messagesOf(locale);
    const scripted = [words.linkedNotices, words.stepAddress, words.stepMemo, words.piTransfer];
    const withScript = textOf(page);
    for (const each of scripted) expect(withScript).toContain(each);
    const withoutScript = page.replaceAll(/<(span|button|section) [^>]*(?:needs|with)-script.*?<\/\1>/gs, '');
    expect(withoutScript).not.toContain(words.linkedNotices);
    expect(withoutScript).not.toContain(words.stepAddress);
    expect(withoutScript).toContain(words.linkedLead);
    expect(page).toContain(`<noscript>${words.address}</noscript>`);
    expect(page).toContain(`<noscript>${words.memo}</noscript>`);
    expect(page).toContain(`<noscript>${words.piTransferOnly}</noscript></summary>`);
  });

  test('says that the code of the address does not hold the memo', () => {
    expect(textOf(render(PAYMENTS['linked-memo']))).toContain(
      'This code holds the address only. Add the memo F7K2M9QXJT yourself.',
    );
  });

  test('says that the missing amount needs the same memo', () => {
    expect(textOf(render(PAYMENTS['part-paid-pi']))).toContain(
      'Send the rest to the same address with the same memo.',
    );
  });

  test('links to the simulated wallet on a demo network only, with its form filled in', () => {
    const [, href = ''] = /href="([^"]+)" target="_blank" rel="noopener noreferrer"/.exec(
      render(PAYMENTS['linked-pi-demo']),
    )!;
    const { origin, pathname, searchParams } = new URL(href.replaceAll('&amp;', '&'));
    const { address, memo, amount } = PAYMENTS['linked-pi-demo'].destinations[0]!;
    expect(origin + pathname).toBe('https://wallet.example/wallet');
    expect(Object.fromEntries(searchParams)).toEqual({ to: address, memo, amount });
    expect(render(PAYMENTS['linked-pi'])).not.toContain('demo-wallet');
  });
});

describe('paying with Pi', () => {
  test('is offered in the Pi Browser, and everywhere on a demo network and in the sandbox', () => {
    const offered = (options: Partial<PageOptions>) =>
      (Object.keys(PAYMENTS) as PaymentName[]).filter((name) => offersPi(render(PAYMENTS[name], options)));
    expect(offered(inPi)).toEqual(['linked-pi', 'linked-pi-demo', 'part-paid-pi']);
    expect(offered({})).toEqual(['linked-pi-demo', 'part-paid-pi']);
    const pi = { ...piNetwork, sandbox: true };
    const sandbox = PAYMENTS['linked-pi'].destinations.map((each) => ({ ...each, pi }));
    expect(offersPi(render({ ...PAYMENTS['linked-pi'], destinations: sandbox }))).toBe(true);
  });

  test('requests the missing amount, with the identifiers of this payment', () => {
    expect(orderOf(PAYMENTS['part-paid-pi'])).toMatchObject({
      amount: 14.1592653,
      memo: 'F7K2M9QXJT',
      calls: '/pay/pi/',
      fields: {
        reference: PAYMENTS['linked-pi'].reference,
        app: PAYMENTS['linked-pi'].integration.id,
        token: PAYMENTS['linked-pi'].token,
      },
      seen: [PAYMENTS['part-paid-pi'].transfers[0]!.transaction],
    });
  });

  test.each(['0.0000001', '0.1', '314.1592653', '99999999.9999999'])('requests %s exactly', (amount) => {
    expect(
      orderOf(withAmount(amount))
        .amount.toFixed(7)
        .replace(/\.?0+$/, ''),
    ).toBe(amount);
  });

  test.each(['12345678901.1234567', '999999999.9999999', '1.00000001'])(
    'offers only a transfer for %s, because no number represents it safely',
    (amount) => {
      expect(offersPi(render(withAmount(amount), inPi))).toBe(false);
    },
  );

  test('comes before the transfer, which is folded', () => {
    for (const page of [render(PAYMENTS['linked-pi'], inPi), render(PAYMENTS['linked-pi-demo'])])
      expect(page).toMatch(/id="pay-pi".*<details id="by-transfer">.*<\/details><div class="transfer">/s);
  });
});

test.each(['seen-pi', 'overpaid-pi'] as const)(
  '%s shows no count of confirmations, because one is enough',
  (name) => {
    const page = render(PAYMENTS[name]);
    expect(page).not.toContain('<progress');
    expect(textOf(page)).not.toMatch(/\d of \d/);
  },
);

describe('the policy of the page', () => {
  const nowhere = { inPiBrowser: false, inFrame: false };
  const inPi = { inPiBrowser: true, inFrame: false };
  const sdk = 'https://sdk.example';

  test("allows Pi's script where the payment offers it, and nowhere else", () => {
    const allowing = (inPiBrowser: boolean) =>
      (Object.keys(PAYMENTS) as PaymentName[]).filter((name) =>
        policyOf(PAYMENTS[name], { inPiBrowser, inFrame: false }).includes(sdk),
      );
    expect(allowing(true)).toEqual(['linked-pi', 'linked-pi-demo', 'part-paid-pi', 'seen-pi', 'overpaid-pi']);
    expect(allowing(false)).toEqual(['linked-pi-demo', 'part-paid-pi']);
    expect(policyOf(PAYMENTS['linked-pi-demo'], nowhere)).toMatch(
      /script-src 'self' https:\/\/sdk\.example; .*connect-src 'self' https:\/\/sdk\.example;/,
    );
  });

  test("does not allow Pi's script where no number represents the amount", () => {
    const amount = '999999999.9999999';
    const tooLong = { ...PAYMENTS['linked-pi'], amountDue: amount, amountMissing: amount };
    expect(policyOf(tooLong, inPi)).not.toContain(sdk);
    expect(policyOf({ ...tooLong, amountMissing: '9.9999999' }, inPi)).toContain(sdk);
  });

  const byPi = /frame-ancestors https:\/\/\*\.minepi\.com https:\/\/\*\.pinet\.com$/;

  test('lets Pi frame the pages of payments by Pi, and nobody anything else, whatever browser it is', () => {
    const framed = (Object.keys(PAYMENTS) as PaymentName[]).filter((name) =>
      byPi.test(policyOf(PAYMENTS[name], { inPiBrowser: false, inFrame: true })),
    );
    expect(framed).toEqual(
      (Object.keys(PAYMENTS) as PaymentName[]).filter((name) =>
        PAYMENTS[name].methods.some((method) => 'pi' in method),
      ),
    );
    expect(framed).toContain('linked-pi');
    for (const inPiBrowser of [false, true]) {
      expect(policyOf(PAYMENTS['linked-pi'], { inPiBrowser, inFrame: false })).toContain(
        "frame-ancestors 'none'",
      );
      expect(policyOf(null, { inPiBrowser, inFrame: true })).toBe(pageHeaders['content-security-policy']);
    }
    expect(pageHeaders['content-security-policy']).toContain("frame-ancestors 'none'");
  });

  test('lets nobody frame a page that asks for a password', () => {
    const chosen = { ...PAYMENTS['linked-pi'], method: 'wallet' };
    expect(policyOf(chosen, { inPiBrowser: true, inFrame: true })).toContain("frame-ancestors 'none'");
    const offered = { ...PAYMENTS['linked-pi'], methods: [{ method: 'wallet', network: '' }] };
    expect(inFrame(offered).methods).toEqual([]);
  });
});

test.each([
  [
    'Mozilla/5.0 (Linux; Android 14; wv) AppleWebKit/537.36 Chrome/120.0 Mobile Safari/537.36 PiBrowser/1.12.0',
    true,
  ],
  ['Mozilla/5.0 (Linux; Android 14) AppleWebKit/537.36 Chrome/120.0 Mobile Safari/537.36', false],
  ['Mozilla/5.0 (Raspberry Pi) Browser', false],
  [undefined, false],
])('%s is a Pi Browser: %s', (userAgent, expected) => {
  expect(isPiBrowser(userAgent)).toBe(expected);
});
