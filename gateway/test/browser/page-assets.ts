import type { CheckoutAssets } from '../../src/checkout/assets.ts';
import type { PageOptions } from '../../src/checkout/context.ts';
import { NOW } from './checkout-fixtures.ts';

/** The paths of the page's files without their content, for tests that only read the page's markup. */
export const namedAssets = {
  style: { path: '/pay/page-1.css' },
  frameStyle: { path: '/pay/frame-1.css' },
  script: { path: '/pay/page-1.js' },
  wallet: { path: '/pay/wallet-1.js' },
  transfer: { path: '/pay/transfer-1.js' },
  sign: { path: '/pay/sign-1.js' },
  pi: { path: '/pay/pi-1.js' },
  frame: { path: '/pay/frame-1.js' },
  receiptStyle: { path: '/pay/receipt-1.css' },
  receiptScript: { path: '/pay/receipt-1.js' },
} as CheckoutAssets;

/** How such tests have a page rendered. */
export const pageOptions: PageOptions = {
  locale: 'en',
  payPath: '/pay',
  origin: 'https://pay.example',
  now: NOW,
  assets: namedAssets,
};
