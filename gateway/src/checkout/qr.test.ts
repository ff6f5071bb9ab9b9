import decodeQR from 'qr/decode.js';
import { expect, test } from 'vitest';
import type { CheckoutAssets } from './assets.ts';
import { NOW, PAYMENTS, type PaymentName } from './fixtures.ts';
import { qrSvg } from './qr.ts';
import { renderPage } from './render.ts';

const SCALE = 4;
const ASSETS = { style: { path: '/pay/page.css' }, script: { path: '/pay/page.js' } } as CheckoutAssets;
const PAGE_ADDRESS =
  'https://pay.example/pay?reference=PAY_1K2M3N4P7QRSTVWXYZ0123456789&app=0198c2a4-1111-7aaa-8bbb-222233334444&token=b7Qm2xV9TzK4nR8sLw3YcA';

/** Paints the dark runs of an SVG made by `qrSvg` as RGBA pixels. */
function paint(svg: string) {
  const size = SCALE * +(svg.match(/viewBox="0 0 (\d+)/)?.[1] ?? 0);
  const data = new Uint8Array(size * size * 4).fill(255);
  const [, path = ''] = svg.match(/fill="#000" d="([^"]*)"/) ?? [];
  for (const [, x = '', y = '', length = ''] of path.matchAll(/M(\d+) (\d+)h(\d+)v1h-\3z/g)) {
    for (let row = +y * SCALE; row < (+y + 1) * SCALE; row++) {
      const start = (row * size + +x * SCALE) * 4;
      for (let pixel = start; pixel < start + +length * SCALE * 4; pixel += 4) data.fill(0, pixel, pixel + 3);
    }
  }
  return { width: size, height: size, data };
}

function codesOf(name: PaymentName, origin: string): string[] {
  const page = renderPage(PAYMENTS[name], {
    locale: 'en',
    payPath: '/pay',
    origin,
    now: NOW,
    assets: ASSETS,
  });
  return [...page.matchAll(/<svg class="qr".*?<\/svg>/gs)].map(([svg]) => decodeQR(paint(svg)));
}

const addressOf = (name: PaymentName) => PAYMENTS[name].destinations[0]?.address;

test.each(['linked', 'linked-memo', 'part-paid'] as const)(
  'the live page %s offers itself to a phone first, and the address second',
  (name) => {
    expect(codesOf(name, 'https://pay.example')).toEqual([PAGE_ADDRESS, addressOf(name)]);
  },
);

test('a page that no phone can reach shows the address alone', () => {
  expect(codesOf('linked', 'http://127.0.0.1:4000')).toEqual([addressOf('linked')]);
});

test.each(['linked-test', 'part-paid-test'] as const)('the test page %s shows its test address', (name) => {
  expect(codesOf(name, 'https://pay.example')).toEqual([addressOf(name)]);
});

test('the code is dark on white with a quiet zone of four modules', () => {
  const { markup } = qrSvg('florin', 'Code');
  expect(markup).toContain('<path fill="#fff" d="M0 0h29v29H0z"/>');
  const [, dark = ''] = markup.split('fill="#000"');
  const corners = [...dark.matchAll(/M(\d+) (\d+)h/g)];
  expect(Math.min(...corners.flatMap(([, x = '', y = '']) => [+x, +y]))).toBe(4);
});

test('its accessible name is escaped', () => {
  expect(qrSvg('x', '"><script>').markup).toContain('aria-label="&quot;&gt;&lt;script&gt;"');
});
