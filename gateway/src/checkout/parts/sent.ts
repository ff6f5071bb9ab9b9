import { type Html, html, safeUrl } from '../../kit/http/html.ts';
import type { EvmTarget } from '../../rails/rail.ts';
import type { CheckoutPayment, CheckoutTransfer } from '../checkout-payment.ts';
import type { PageContext } from '../context.ts';
import { code, copyButton } from './copy.ts';
import { disclosure } from './form.ts';

/** Before this time no transfer is shown as late, even on a fast network. */
const shortestSeconds = 60;

/** How long a network usually needs until a transfer is final. */
export function usualSeconds({ confirmations, blockSeconds }: EvmTarget): number {
  return confirmations * blockSeconds;
}

/** From when on, in milliseconds after it was sent, a transfer takes longer than usual. */
export function lateAfterMs(evm: EvmTarget | undefined): number {
  return Math.max(shortestSeconds, evm ? usualSeconds(evm) : 0) * 1000;
}

/** What was sent and is on its way: the hash, the time since, how long its network needs, and what to do if it takes longer. */
export function sentPart(context: PageContext): Html {
  const { t, view } = context;
  const onTheWay = view.transfers.filter(({ state }) => state === 'seen');
  const slowest = slowestOf(view);
  const evm = slowest && evmOf(view, slowest);
  const lateAt = slowest ? slowest.seenAt.getTime() + lateAfterMs(evm) : 0;
  const help = html`<p>${t('notThroughSeen')}</p>`;
  return html`<div class="panel sent">${onTheWay.map((transfer, index) => sentTransfer(context, transfer, index))}
${slowest && html`<p class="hint"><span data-since="${slowest.seenAt.getTime()}" data-template="${t('sentSince', { time: '{time}' }).text}">${sinceText(context, slowest)}</span>${evm && html` ${usualText(context, slowest, evm)}`}</p>`}</div>
${slowest && html`<div data-from="${lateAt}"${lateAt > context.now.getTime() && html` hidden`}>${disclosure('not-through', t('notThrough'), help)}</div>`}`;
}

function sentTransfer(
  { t }: PageContext,
  { transaction, explorerUrl }: CheckoutTransfer,
  index: number,
): Html {
  const url = safeUrl(explorerUrl);
  return html`<p class="transaction">${code(transaction)}${copyButton({ t }, 'transaction', transaction, `sent-${index}`)}</p>${url && html`<a class="explorer" id="explorer-${index}" href="${url.href}" target="_blank" rel="noreferrer">${t('showTransaction')}</a>`}`;
}

function sinceText({ t, now, format }: PageContext, { seenAt }: CheckoutTransfer) {
  return t('sentSince', { time: format.duration((now.getTime() - seenAt.getTime()) / 1000) });
}

function usualText({ t, view, format }: PageContext, { asset }: CheckoutTransfer, evm: EvmTarget) {
  const network = view.methods.find(({ method }) => method === asset)?.network ?? evm.chainName;
  return t('sentUsual', { network, time: format.duration(usualSeconds(evm)) });
}

/** The transfer that still needs most confirmations. */
export function slowestOf({ transfers, currency }: CheckoutPayment): CheckoutTransfer | undefined {
  return transfers
    .filter((transfer) => transfer.state === 'seen' && transfer.currency === currency)
    .reduce<CheckoutTransfer | undefined>(
      (slow, next) => (!slow || missing(next) > missing(slow) ? next : slow),
      undefined,
    );
}

function evmOf({ methods }: CheckoutPayment, { asset }: CheckoutTransfer): EvmTarget | undefined {
  return methods.find(({ method }) => method === asset)?.evm;
}

const missing = ({ needed, confirmations }: CheckoutTransfer): number => needed - confirmations;
