import { type Html, html } from '../../kit/http/html.ts';
import { type CheckoutDestination, isSimulated } from '../checkout-payment.ts';
import type { PageContext } from '../context.ts';
import { codePart } from '../parts/codes.ts';
import { simulatePart } from '../parts/simulate/simulate.ts';

/** What stands beside the destination on a desk: a code to scan; in test mode the simulator, on test networks both. */
export function besideDestination(
  context: PageContext,
  destination: CheckoutDestination | undefined,
): Html | null {
  if (isSimulated(context.view, destination)) return simulatePart(context, 'primary');
  return destination ? html`${codePart(context, destination)}${simulatePart(context, 'plain')}` : null;
}
