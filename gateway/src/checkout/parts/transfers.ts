import { type Html, html, safeUrl } from '../../kit/http/html.ts';
import type { CheckoutTransfer } from '../checkout-payment.ts';
import type { PageContext } from '../context.ts';
import { code, copyButton } from './copy.ts';
import { confirmationsText } from './progress.ts';

/** Every transfer that was seen for the payment: its amount, its confirmations and its transaction. */
export function transfersPart(context: PageContext): Html | null {
  const { t, view } = context;
  if (view.transfers.length === 0) return null;
  return html`<h2>${t('transfers')}</h2><ol class="transfers">${view.transfers.map((transfer, index) => transferItem(context, transfer, index))}</ol>`;
}

/** Links to the transfers in the block explorers of their networks; null when there are none. */
export function explorerLinks({ t, view }: PageContext): Html | null {
  const urls = view.transfers.map(({ explorerUrl, state }) =>
    state === 'gone' ? null : safeUrl(explorerUrl),
  );
  if (!urls.some((url) => url !== null)) return null;
  return html`<p class="explorers">${urls.map(
    (url, index) =>
      url &&
      html`<a class="button plain" id="explorer-${index}" href="${url.href}" target="_blank" rel="noreferrer">${t('showTransaction')}</a>`,
  )}</p>`;
}

function transferItem(context: PageContext, transfer: CheckoutTransfer, index: number): Html {
  const { t, format } = context;
  const { transaction, amount, currency, state } = transfer;
  const url = safeUrl(transfer.explorerUrl);
  return html`<li class="${state}"><span><bdi>${format.amount(amount, currency)}</bdi></span><span class="transfer-state">${transferState(context, transfer)}</span><span class="transaction">${code(transaction)}${copyButton(context, 'transaction', transaction, `transaction-${index}`)}</span>${url && html`<a class="explorer" href="${url.href}" target="_blank" rel="noreferrer">${t('showTransaction')}</a>`}</li>`;
}

function transferState(context: PageContext, transfer: CheckoutTransfer): Html {
  const { t, view } = context;
  if (transfer.state === 'gone') return t('transferGone');
  if (transfer.currency !== view.currency) return t('transferOtherCurrency');
  if (transfer.state === 'final') return t('transferFinal');
  return confirmationsText(context, { seen: transfer.confirmations, count: transfer.needed });
}
