import type { LinkPage } from '../../src/checkout/links/find-link.ts';
import type { Integration } from '../../src/identity/integration.ts';
import type { PriceCurrency } from '../../src/money/price-currencies.ts';
import type { LinkId } from '../../src/payments/links/link.ts';
import { NOW, PAYMENTS } from '../browser/checkout-fixtures.ts';

const shop = PAYMENTS['priced-open'].integration;

/** The page of a payment link of 49.90 EUR, with 2 % off for paying with a coin. */
export const linkInEuros: LinkPage = {
  link: {
    ...{ id: '0198c2a4-6666-7aaa-8bbb-222233334444' as LinkId, code: 'Kz4mQ7xTb2', mode: 'live' },
    ...{
      price: { amount: 4_990n, currency: 'EUR' as PriceCurrency },
      currency: null,
      choices: null,
      amount: null,
    },
    ...{ integrationId: shop.id as Integration['id'], title: 'Ethiopia Guji, four bags', description: null },
    ...{ minAmount: null, maxAmount: null, oneUse: false, successUrl: null },
    ...{ expiresAt: null, stoppedAt: null, createdAt: NOW },
  },
  creator: { mode: 'live', integration: { feePayer: 'merchant', priceAdjustment: -200 } as Integration },
  shop,
  state: { name: 'open' },
};
