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

/** Confirmations as a bar with its words, and `more` after these; where one confirmation is enough the words alone. */
export function progressPart(
  context: PageContext,
  confirmations: Confirmations,
  more: Sentence | null = null,
): Html {
  const { seen, count } = confirmations;
  const words = confirmationsText(context, confirmations);
  const bar = html`<progress value="${seen}" max="${count}" aria-label="${words.text}"></progress>`;
  return html`${isCounted(confirmations) && bar}<p class="hint">${words}${more && html` · ${more}`}</p>`;
}

export function isCounted({ count }: Confirmations): boolean {
  return count > 1;
}

/** About how long the slowest transfer still takes; null where its network is not an EVM chain. */
export function waitText({ t, view, format }: PageContext): Sentence | null {
  const slowest = slowestOf(view);
  const evm = view.methods.find(({ method }) => method === slowest?.asset)?.evm;
  if (!slowest || !evm) return null;
  const time = format.duration(missing(slowest) * evm.blockSeconds);
  return t('confirmsIn', { time });
}

function missing(transfer: CheckoutTransfer): number {
  return transfer.needed - transfer.confirmations;
}
