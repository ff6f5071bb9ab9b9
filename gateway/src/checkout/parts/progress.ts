import { type Html, html } from '../../kit/html.ts';
import type { CheckoutPayment, CheckoutTransfer } from '../../payments/checkout-payment.ts';
import type { PageContext } from '../context.ts';
import type { Sentence } from '../messages/translate.ts';

/** How far the slowest transfer is that still counts. */
export function confirmationsOf(view: CheckoutPayment): { seen: number; count: number } {
  const slowest = slowestOf(view);
  if (slowest) return { seen: Math.min(slowest.confirmations, slowest.needed), count: slowest.needed };
  const needed = view.transfers.find((transfer) => transfer.state === 'final')?.needed ?? 1;
  return { seen: needed, count: needed };
}

/** Confirmations as a bar. */
export function progressPart({ seen, count }: { seen: number; count: number }, label: Sentence): Html {
  return html`<progress value="${seen}" max="${Math.max(count, 1)}" aria-label="${label.text}"></progress>`;
}

/** About how long the slowest transfer still takes, where its network has a pace. */
export function waitPart({ t, view, format }: PageContext): Html | null {
  const slowest = slowestOf(view);
  const evm = view.methods.find(({ method }) => method === slowest?.asset)?.evm;
  if (!slowest || !evm) return null;
  const time = format.duration(missing(slowest) * evm.blockSeconds);
  return html`<p class="hint">${t('confirmsIn', { time })}</p>`;
}

function slowestOf({ transfers, currency }: CheckoutPayment): CheckoutTransfer | undefined {
  return transfers
    .filter((transfer) => transfer.state === 'seen' && transfer.currency === currency)
    .reduce<CheckoutTransfer | undefined>(
      (slow, next) => (!slow || missing(next) > missing(slow) ? next : slow),
      undefined,
    );
}

function missing(transfer: CheckoutTransfer): number {
  return transfer.needed - transfer.confirmations;
}
