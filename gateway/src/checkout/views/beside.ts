import type { Html } from '../../kit/http/html.ts';
import type { CheckoutDestination } from '../checkout-payment.ts';
import type { PageContext } from '../context.ts';
import { codePart } from '../parts/codes.ts';
import { simulatePart } from '../parts/simulate/simulate.ts';

/** What stands beside the destination on a desk: a code to scan, or the simulator in test mode. */
export function besideDestination(
  context: PageContext,
  destination: CheckoutDestination | undefined,
): Html | null {
  if (context.view.mode === 'test') return simulatePart(context, 'primary');
  return destination ? codePart(context, destination) : null;
}
