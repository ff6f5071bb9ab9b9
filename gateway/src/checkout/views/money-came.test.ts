import { expect, test } from 'vitest';
import { NOW, PAYMENTS } from '../../../test/browser/checkout-fixtures.ts';
import { namedAssets } from '../../../test/browser/page-assets.ts';
import type { CheckoutPayment } from '../checkout-payment.ts';
import { renderPage } from './render.ts';

const options = { locale: 'en', payPath: '/pay', origin: 'https://pay.example', now: NOW } as const;
const textOf = (payment: CheckoutPayment) =>
  renderPage(payment, { ...options, assets: namedAssets })
    .replace(/<[^>]*>/g, ' ')
    .replaceAll(/\s+/g, ' ');

test.each(['expired', 'failed', 'cancelled'] as const)(
  'a payment that is %s names what came if that is too little to count, and nobody decides about it',
  (name) => {
    const text = textOf({ ...PAYMENTS[name], amountReceived: '0.02', isDust: true });
    expect(text).toContain('0.02 USDC has arrived, which is too little to count.');
    expect(text).not.toContain('decides');
  },
);
