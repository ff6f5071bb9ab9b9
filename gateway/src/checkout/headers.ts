import { type PiOffering, sdkOriginOf } from './pi-offer.ts';

/** Pi shows every app in a frame. These are its pages: the Pi Browser, its sandbox, and PiNet. */
const piFrames = 'https://*.minepi.com https://*.pinet.com';

/**
 * The content security policy of a payment's page; `null` is the 404 page. Pi's SDK may be loaded only on the page of
 * a payment that offers it. Only the Pi Browser and Pi's sandbox may show a page in a frame.
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

/** The headers of every answer of the hosted page, beside those that all answers have. */
export const pageHeaders = { 'content-security-policy': policy(null, "'none'") } as const;
