import { type Html, html } from '../../kit/html.ts';
import type { CheckoutPayment } from '../../payments/checkout-payment.ts';
import type { Sentence } from '../messages/translate.ts';

/** How far the slowest transfer is that still counts. */
export function confirmationsOf(view: CheckoutPayment): { seen: number; count: number } {
  const open = view.transfers.filter((transfer) => transfer.state === 'seen');
  const slowest = open.reduce<(typeof open)[number] | undefined>(
    (slow, next) => (!slow || missing(next) > missing(slow) ? next : slow),
    undefined,
  );
  if (slowest) return { seen: Math.min(slowest.confirmations, slowest.needed), count: slowest.needed };
  const needed = view.transfers.find((transfer) => transfer.state === 'final')?.needed ?? 1;
  return { seen: needed, count: needed };
}

/** Confirmations as a bar. */
export function progressPart({ seen, count }: { seen: number; count: number }, label: Sentence): Html {
  return html`<progress value="${seen}" max="${Math.max(count, 1)}" aria-label="${label.text}"></progress>`;
}

function missing(transfer: CheckoutPayment['transfers'][number]): number {
  return transfer.needed - transfer.confirmations;
}
