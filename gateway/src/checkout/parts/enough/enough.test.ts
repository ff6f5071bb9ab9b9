import { expect, test } from 'vitest';
import { NOW, PAYMENTS } from '../../../../test/browser/checkout-fixtures.ts';
import { namedAssets } from '../../../../test/browser/page-assets.ts';
import type { CheckoutPayment } from '../../checkout-payment.ts';
import { renderPage } from '../../views/render.ts';

const render = (payment: CheckoutPayment): string =>
  renderPage(payment, {
    ...{ locale: 'en', payPath: '/pay', origin: 'https://pay.example', now: NOW, assets: namedAssets },
  } as const);
const textOf = (page: string) => page.replaceAll(/<[^>]*>/g, '').replaceAll(/[\s\u00a0]+/g, ' ');

const short = PAYMENTS['part-paid-short'];
const fee = 'The missing 0.40 USDC looks like a withdrawal fee: exchanges often keep one.';
const leave = 'Acme Coffee Roasters also accepts the 25.10 USDC that came. Then nothing more is to be sent.';

test('a page that lacks little says why, and asks for the exact rest first', () => {
  const page = render(short);
  const words = textOf(page);
  for (const sentence of [fee, leave, 'Leave it at 25.10 USDC']) expect(words).toContain(sentence);
  expect(words).toContain('Still to send0.40 USDC');
  expect(page.indexOf('class="qr')).toBeGreaterThan(0);
  expect(page.indexOf('class="qr')).toBeLessThan(page.indexOf('/pay/enough'));
});

test('the form is there only where the shop accepts so little, and all that came is final', () => {
  const isFinal = (final: boolean) => ({ ...short, shortfall: { isTolerated: true, isFinal: final } });
  expect(render(isFinal(true))).toContain('id="enough-button"');
  for (const payment of [isFinal(false), PAYMENTS['part-paid-fee']]) {
    expect(textOf(render(payment))).toContain(fee);
    expect(render(payment)).not.toContain('id="enough-button"');
  }
});

test('where more is missing than a fee nothing is said of one', () => {
  expect(render(PAYMENTS['part-paid'])).not.toContain('class="short"');
  const twentieth = { ...short, ...PAYMENTS['part-paid-fee'], amountMissing: '1.275' };
  expect(render(twentieth)).toContain('class="short"');
  expect(render({ ...twentieth, amountMissing: '1.275001' })).not.toContain('class="short"');
});
