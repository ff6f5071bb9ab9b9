import { numberOf, unitsOfDecimal, unitsOfNumber } from '../money/money.ts';
import { piScale } from '../rails/pi/horizon/network.ts';
import type { PiTarget } from '../rails/rail.ts';
import type { CheckoutDestination, CheckoutPayment } from './checkout-payment.ts';

/** A payment that the page asks the Pi Browser for. */
export type PiOffer = { sdkUrl: string; sandbox: boolean; amount: number };

/** Whether a request comes from Pi's own browser, by what it calls itself. */
export function isPiBrowser(userAgent: string | undefined): boolean {
  return /\bPiBrowser\b/i.test(userAgent ?? '');
}

/**
 * How to pay this destination inside the Pi Browser; null where that is not possible. Pi's SDK takes the amount as
 * a number, so one that no number denotes exactly can only be sent by a transfer.
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

/** What decides whether a payment's page may come to offer paying with Pi. */
export type PiOffering = Pick<CheckoutPayment, 'methods' | 'amountDue' | 'amountMissing'>;

/**
 * The one origin besides our own whose script a payment's page may load; null on almost all pages. A page is not
 * loaded anew when its network is chosen, or when money turns out not to count: so it is what may yet be offered.
 */
export function sdkOriginOf(
  { methods, amountDue, amountMissing }: PiOffering,
  inPiBrowser: boolean,
): string | null {
  if (exactNumber(amountDue) === null && exactNumber(amountMissing) === null) return null;
  const [sdkUrl] = methods.map(({ pi }) => sdkUrlOf(pi, inPiBrowser)).filter((url) => url !== null);
  return sdkUrl === undefined ? null : new URL(sdkUrl).origin;
}

/** Other browsers load the SDK in Pi's sandbox and on a demo network, where no money is real. */
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
