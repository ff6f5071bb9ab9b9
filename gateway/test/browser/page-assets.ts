import type { CheckoutAssets } from '../../src/checkout/assets.ts';

/** The page's files by their addresses alone, for tests that only read its markup. */
export const namedAssets = {
  style: { path: '/pay/page-1.css' },
  script: { path: '/pay/page-1.js' },
  wallet: { path: '/pay/wallet-1.js' },
  pi: { path: '/pay/pi-1.js' },
} as CheckoutAssets;
