import type { FastifyRequest } from 'fastify';
import { brandStyle } from './brand/style.ts';
import type { CheckoutPayment, PaidShop } from './checkout-payment.ts';
import { ancestorsOf } from './frame.ts';
import { type PiOffering, sdkOriginOf } from './pi-offer.ts';

/** Pi shows every app in a frame. These are its pages: the Pi Browser, its sandbox, and PiNet. */
const piFrames = 'https://*.minepi.com https://*.pinet.com';

/** Where the page is shown, as its request says. */
export type Shown = { inPiBrowser: boolean; inFrame: boolean };

/**
 * Whether a page of another site shows this one in a frame. The browser says so in a header that no page can change; the
 * page's own script repeats it when it reads the page again.
 */
export function isFramed({ headers }: Pick<FastifyRequest, 'headers'>): boolean {
  const into = headers['sec-fetch-dest'];
  return into === 'iframe' || into === 'frame' || headers['x-framed'] !== undefined;
}

/** The payment as it is shown in a frame: without the wallet, so that nobody types a password there. */
export function inFrame(payment: CheckoutPayment): CheckoutPayment {
  return { ...payment, methods: payment.methods.filter(({ method }) => method !== 'wallet') };
}

/**
 * The content security policy of a payment's page; `null` is the 404 page. Pi's SDK may be loaded only on the page of
 * a payment that offers it, and only that page may be shown in a frame, and only by Pi.
 */
export function policyOf(
  payment: (PiOffering & Pick<CheckoutPayment, 'integration'>) | null,
  shown: Shown,
): string {
  if (!payment) return policy(none);
  const mayBeFramed =
    shown.inFrame && payment.method !== 'wallet' && payment.methods.some(({ pi }) => pi !== undefined);
  return policy({
    sdkOrigin: sdkOriginOf(payment, shown.inPiBrowser),
    ancestors: mayBeFramed ? piFrames : "'none'",
    shop: payment.integration,
  });
}

/** The policy of the page for frames: its shop may frame it, and it loads no script of others. */
export function framePolicy(payment: Pick<CheckoutPayment, 'mode' | 'integration'>): string {
  return policy({ ...none, ancestors: ancestorsOf(payment), shop: payment.integration });
}

/** The policy of the page of a payment link. */
export const linkPolicy = (shop: Pick<PaidShop, 'color'>): string => policy({ ...none, shop });

type Allowed = { sdkOrigin: string | null; ancestors: string; shop: Pick<PaidShop, 'color'> | null };

const none: Allowed = { sdkOrigin: null, ancestors: "'none'", shop: null };

function policy({ sdkOrigin, ancestors, shop }: Allowed): string {
  const style = brandStyle(shop?.color ?? null);
  const sources = sdkOrigin === null ? "'self'" : `'self' ${sdkOrigin}`;
  return [
    "default-src 'none'",
    `script-src ${sources}`,
    `style-src 'self'${style ? ` ${style.source}` : ''}`,
    "img-src 'self' data:",
    `connect-src ${sources}`,
    "form-action 'self'",
    "base-uri 'none'",
    `frame-ancestors ${ancestors}`,
  ].join('; ');
}

/** The headers of every answer of the hosted page, beside those that all answers have. */
export const pageHeaders = { 'content-security-policy': policy(none) } as const;

/** The policy of the page that checks a proof statement: its script asks the nodes that the reader names, and nothing else. */
export const proofPolicy = policy(none).replace("connect-src 'self'", 'connect-src https: http:');
