import { describe, expect, test } from 'vitest';
import { NOW, PAYMENTS, type PaymentName } from '../../test/browser/checkout-fixtures.ts';
import { namedAssets } from '../../test/browser/page-assets.ts';
import type { CheckoutPayment } from './checkout-payment.ts';
import { ancestorsOf, type Frame, isAncestor } from './frame.ts';
import { framePolicy, inFrame } from './headers.ts';
import { renderPage } from './views/render.ts';

const parent = 'https://shop.example';
const names = Object.keys(PAYMENTS) as PaymentName[];

function render(payment: CheckoutPayment, frame: Frame | null = { parent, isClosable: true }): string {
  const place = { payPath: '/pay', origin: 'https://pay.example', assets: namedAssets, now: NOW };
  return renderPage(frame ? inFrame(payment) : payment, { ...place, locale: 'en', frame });
}

describe('whose pages may show a payment in a frame', () => {
  const shop = (mode: 'test' | 'live', domain: string | null) => ({
    mode,
    integration: { ...PAYMENTS.linked.integration, domain },
  });

  test('of a live payment those of the proved domain and of names below it, by https', () => {
    const payment = shop('live', 'shop.example');
    expect(ancestorsOf(payment)).toBe('https://shop.example https://*.shop.example');
    for (const origin of ['https://shop.example', 'https://www.shop.example', 'https://a.b.shop.example'])
      expect(isAncestor(payment, origin)).toBe(true);
    const others = [
      ...['http://shop.example', 'https://shop.example:8443', 'https://badshop.example', 'https://example'],
      ...['https://shop.example.evil.example', 'https://shop.example/', 'http://127.0.0.1:4100', 'null', ''],
    ];
    expect(others.filter((origin) => isAncestor(payment, origin))).toEqual([]);
  });

  test('of a test payment those of this machine too, and of one without a proved domain no other', () => {
    expect(ancestorsOf(shop('live', null))).toBe("'none'");
    expect(isAncestor(shop('live', null), 'https://null')).toBe(false);
    const payment = shop('test', null);
    expect(ancestorsOf(payment)).toBe('http://localhost:* http://127.0.0.1:*');
    for (const origin of ['http://localhost:4100', 'https://localhost', 'http://127.0.0.1:8080'])
      expect(isAncestor(payment, origin)).toBe(true);
    for (const origin of ['http://127.0.0.2:80', 'http://localhost.evil.example', 'ftp://localhost'])
      expect(isAncestor(payment, origin)).toBe(false);
  });

  test('the policy names them and no script of others, also where Pi could pay', () => {
    expect(framePolicy(PAYMENTS['linked-pi-demo'])).toContain("script-src 'self';");
    const domain = { ...PAYMENTS.linked.integration, domain: 'shop.example' };
    expect(framePolicy({ ...PAYMENTS.linked, integration: domain })).toMatch(
      /; frame-ancestors https:\/\/shop\.example https:\/\/\*\.shop\.example$/,
    );
  });
});

describe('the page in a frame', () => {
  test.each(names)('has no form but the choice and the simulator, and no script that pays: %s', (name) => {
    const page = render(PAYMENTS[name]);
    const forms = [...page.matchAll(/<form[^>]* action="([^"]+)"/g)].map(([, action]) => action);
    const isKnown = (action = '') => ['/pay/frame/method', '/pay/frame/simulate'].includes(action);
    expect(forms.filter((action) => !isKnown(action))).toEqual([]);
    expect(page).not.toMatch(/data-script|data-seconds|type="password"|\/wallet\/pay\?|value="wallet"/);
  });

  test.each(names)('keeps its visitor: each of its links stays below it or opens beside it: %s', (name) => {
    const page = render({ ...PAYMENTS[name], mode: 'live' });
    const links = [...page.matchAll(/<a [^>]*href="(?!mailto:)[^>]*>/g)].map(([link]) => link);
    const stays = (link: string) =>
      / href="\/pay\/frame\?/.test(link) || / target="_(?:blank|top)"/.test(link);
    expect(links.filter((link) => !stays(link))).toEqual([]);
    expect(page).toMatch(/<a href="\/pay\?[^"]*" target="_blank"[^>]*>Open the whole payment page/);
  });

  test('carries the origin around it in its forms and addresses, and says it to its script alone', () => {
    const page = render(PAYMENTS.waiting);
    expect(page).toContain(`data-parent="${parent}"`);
    expect(page).toContain(`<input type="hidden" name="parent" value="${parent}">`);
    expect(page).toContain(`&amp;parent=${encodeURIComponent(parent)}&amp;close=1&amp;lang=en`);
    const { reference } = PAYMENTS.waiting;
    expect(page).toContain(
      `data-message="{&quot;invoiceId&quot;:&quot;${reference}&quot;,&quot;status&quot;:&quot;unlinked&quot;}"`,
    );
    const alone = render(PAYMENTS.waiting, { parent: null, isClosable: false });
    expect(alone).not.toMatch(/data-parent|name="parent"|id="close"/);
    expect(render(PAYMENTS.waiting, null)).not.toMatch(/data-parent|data-message|frame-1\.js|id="whole"/);
  });

  test('offers the other ways where the wallet was chosen elsewhere', () => {
    const page = render(PAYMENTS.wallet);
    expect(page).toContain('Choose how to pay');
    expect(page).toMatch(/name="asset"/);
  });
});
