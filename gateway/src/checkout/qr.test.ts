import { expect, test } from 'vitest';
import { NOW, PAYMENTS, type PaymentName } from '../../test/browser/checkout-fixtures.ts';
import { namedAssets } from '../../test/browser/page-assets.ts';
import { codesIn, modulesOf } from '../../test/browser/qr-codes.ts';
import { qrImage } from './qr.ts';
import { renderPage } from './views/render.ts';

const PAGE_ADDRESS =
  'https://pay.example/pay?reference=PAY_1K2M3N4P7QRSTVWXYZ0123456789&app=0198c2a4-1111-7aaa-8bbb-222233334444&token=b7Qm2xV9TzK4nR8sLw3YcA';

function codesOf(name: PaymentName, origin: string): string[] {
  const page = renderPage(PAYMENTS[name], {
    locale: 'en',
    payPath: '/pay',
    origin,
    now: NOW,
    assets: namedAssets,
  });
  return codesIn(page);
}

const addressOf = (name: PaymentName) => PAYMENTS[name].destinations[0]?.address;

/** The figures of the fixtures, written here independently. */
const TRANSFERS: Partial<Record<PaymentName, string>> = {
  linked:
    'ethereum:0x833589fCD6eDb6E08f4c7C32D4f71b54bdA02913@8453/transfer?address=0x71C7656EC7ab88b098defB751B7401B5f6d8976F&uint256=25500000',
  'part-paid':
    'ethereum:0x833589fCD6eDb6E08f4c7C32D4f71b54bdA02913@8453/transfer?address=0x71C7656EC7ab88b098defB751B7401B5f6d8976F&uint256=15250000',
  'linked-demo':
    'ethereum:0x8AC76a51cc950d9822D68b83fE1Ad97B32Cd580d@31337/transfer?address=0x71C7656EC7ab88b098defB751B7401B5f6d8976F&uint256=25500000000000000001',
};

test.each(['linked', 'part-paid', 'linked-demo'] as const)(
  'the live page %s has codes of its own address, then of the deposit address, then of the exact transfer',
  (name) => {
    expect(codesOf(name, 'https://pay.example')).toEqual([PAGE_ADDRESS, addressOf(name), TRANSFERS[name]]);
  },
);

test('a network that is not an EVM chain has no code of a transfer', () => {
  expect(codesOf('linked-memo', 'https://pay.example')).toEqual([PAGE_ADDRESS, addressOf('linked-memo')]);
});

test('a page that no phone can reach has no code of its own address', () => {
  expect(codesOf('linked', 'http://127.0.0.1:4000')).toEqual([addressOf('linked'), TRANSFERS.linked]);
});

test('after a part was paid without a choice, only the network that it came by is shown', () => {
  const ofPart = codesOf('part-paid', 'https://pay.example');
  expect(codesOf('part-paid-by-itself', 'https://pay.example')).toEqual(ofPart);
});

test.each(['linked-test', 'part-paid-test'] as const)('the test page %s shows its test address', (name) => {
  expect(codesOf(name, 'https://pay.example')).toEqual([addressOf(name)]);
});

test('a code is dark on white, with a quiet zone of four modules', () => {
  const { markup } = qrImage('florin', 'Code');
  const modules = modulesOf(/base64,([^"]+)"/.exec(markup)?.[1] ?? '');
  expect(modules).toHaveLength(29);
  expect(markup).toContain('width="29" height="29"');
  const dark = modules.flatMap((row, y) => row.flatMap((isDark, x) => (isDark ? [x, y] : [])));
  expect([Math.min(...dark), Math.max(...dark)]).toEqual([4, 24]);
});

test('its accessible name is escaped', () => {
  expect(qrImage('x', '"><script>').markup).toContain('alt="&quot;&gt;&lt;script&gt;"');
});
