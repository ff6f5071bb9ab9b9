import { numberOf, unitsOfDecimal, unitsOfNumber } from '../money/money.ts';
import { piScale } from '../rails/pi/horizon/network.ts';
import type { PiTarget } from '../rails/rail.ts';
import type { CheckoutDestination, CheckoutPayment } from './checkout-payment.ts';

/** What the page passes to Pi's SDK: where to load it, and the amount in PI. */
export type PiOffer = { sdkUrl: string; sandbox: boolean; amount: number };

/** Whether a request comes from the Pi Browser, according to its User-Agent header. */
export function isPiBrowser(userAgent: string | undefined): boolean {
  return /\bPiBrowser\b/i.test(userAgent ?? '');
}

/**
 * How to pay this destination with Pi's SDK; null when that is not possible. The SDK takes the amount as a number, so
 * an amount that no JavaScript number represents exactly can only be paid by a transfer.
 */
export function piOfferOf(
  { pi, amount, memo }: CheckoutDestination,
  inPiBrowser: boolean | undefined,
): PiOffer | null {
  const sdkUrl = sdkUrlOf(pi, inPiBrowser);
  const number = exactNumber(amount);
  if (!pi || sdkUrl === null || number === null || memo === null) return null;
  return { sdkUrl, sandbox: pi.sandbox, amount: number };
}

/** The fields that decide whether a payment's page offers Pi's SDK, now or later. */
export type PiOffering = Pick<CheckoutPayment, 'method' | 'methods' | 'amountDue' | 'amountMissing'>;

/**
 * The only other origin whose script a payment's page may load; null on almost all pages. The policy of a page is sent
 * once, with the first load, while its content changes later. So the origin is allowed as soon as Pi's SDK could be
 * offered after a change: when a network is chosen, or when a transfer turns out not to count.
 */
export function sdkOriginOf(
  { methods, amountDue, amountMissing }: PiOffering,
  inPiBrowser: boolean,
): string | null {
  if (exactNumber(amountDue) === null && exactNumber(amountMissing) === null) return null;
  const [sdkUrl] = methods.map(({ pi }) => sdkUrlOf(pi, inPiBrowser)).filter((url) => url !== null);
  return sdkUrl === undefined ? null : new URL(sdkUrl).origin;
}

/** Outside the Pi Browser the SDK is loaded only in Pi's sandbox and on a demo network, where no real money moves. */
function sdkUrlOf(pi: PiTarget | undefined, inPiBrowser: boolean | undefined): string | null {
  if (!pi) return null;
  return inPiBrowser || pi.sandbox || pi.walletUrl !== null ? pi.sdkUrl : null;
}

function exactNumber(decimal: string): number | null {
  const units = unitsOfDecimal(decimal, piScale);
  if (units === null) return null;
  const number = numberOf(units, piScale);
  return unitsOfNumber(number, piScale) === units ? number : null;
}
