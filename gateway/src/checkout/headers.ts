import { type PiOffering, sdkOriginOf } from './pi-offer.ts';

/** Pi shows every app in a frame of its own pages: those of the Pi Browser, of its sandbox, and of PiNet. */
const piFrames = 'https://*.minepi.com https://*.pinet.com';

/**
 * The content security policy of a payment's page, or of the page that says there is none. Pi's SDK may be loaded
 * only where the payment offers it; only Pi's browser and its sandbox may frame a page.
 */
export function policyOf(payment: PiOffering | null, inPiBrowser: boolean): string {
  const sdkOrigin = payment && sdkOriginOf(payment, inPiBrowser);
  const inSandbox = payment?.methods.some(({ pi }) => pi?.sandbox) ?? false;
  return policy(sdkOrigin, inPiBrowser || inSandbox ? piFrames : "'none'");
}

function policy(sdkOrigin: string | null, ancestors: string): string {
  const sources = sdkOrigin === null ? "'self'" : `'self' ${sdkOrigin}`;
  return [
    "default-src 'none'",
    `script-src ${sources}`,
    "style-src 'self'",
    "img-src 'self' data:",
    `connect-src ${sources}`,
    "form-action 'self'",
    "base-uri 'none'",
    `frame-ancestors ${ancestors}`,
  ].join('; ');
}

/** The headers of every answer of the hosted page. */
export const pageHeaders = {
  'content-security-policy': policy(null, "'none'"),
  'x-content-type-options': 'nosniff',
  // The address holds the payment's token, which no other site may learn. `no-referrer` would also hide the
  // origin of the page's own forms.
  'referrer-policy': 'same-origin',
  'cache-control': 'no-store',
} as const;
