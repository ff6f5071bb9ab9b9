import { type Html, html } from '../../kit/http/html.ts';
import type { CheckoutPayment, CheckoutTransfer } from '../checkout-payment.ts';
import type { PageContext } from '../context.ts';
import type { Sentence } from '../messages/translate.ts';
import { slowestOf } from './sent.ts';

export type Confirmations = { seen: number; count: number };

/** The confirmations of the transfer that still needs most of them; complete when all transfers are final. */
export function confirmationsOf(view: CheckoutPayment): Confirmations {
  const slowest = slowestOf(view);
  if (slowest) return { seen: Math.min(slowest.confirmations, slowest.needed), count: slowest.needed };
  const needed = view.transfers.find((transfer) => transfer.state === 'final')?.needed ?? 1;
  return { seen: needed, count: needed };
}

/** The confirmations in words. Where one confirmation is enough they are not counted. */
export function confirmationsText({ t }: PageContext, confirmations: Confirmations): Sentence {
  return isCounted(confirmations) ? t('transferSeen', confirmations) : t('transferConfirming');
}

/** Confirmations as a bar. */
export function progressPart(confirmations: Confirmations, label: Sentence): Html | null {
  const { seen, count } = confirmations;
  if (!isCounted(confirmations)) return null;
  return html`<progress value="${seen}" max="${count}" aria-label="${label.text}"></progress>`;
}

export function isCounted({ count }: Confirmations): boolean {
  return count > 1;
}

/** About how long the slowest transfer still takes; null where its network is not an EVM chain. */
export function waitPart({ t, view, format }: PageContext): Html | null {
  const slowest = slowestOf(view);
  const evm = view.methods.find(({ method }) => method === slowest?.asset)?.evm;
  if (!slowest || !evm) return null;
  const time = format.duration(missing(slowest) * evm.blockSeconds);
  return html`<p class="hint">${t('confirmsIn', { time })}</p>`;
}

function missing(transfer: CheckoutTransfer): number {
  return transfer.needed - transfer.confirmations;
}
