import { type Html, html, safeUrl } from '../../../kit/http/html.ts';
import type { PageContext } from '../../context.ts';
import type { Sentence } from '../../messages/translate.ts';
import { type OwedLine, type RefundLine, refundWords } from '../../owed.ts';
import { worthText } from '../../priced.ts';
import { addressText, code, copyButton } from '../copy.ts';
import { facts } from '../details.ts';
import { postForm } from '../form.ts';

/** What is owed to the customer, each amount with a form that claims it, and the refunds that are under way or ended. */
export function owedPart(context: PageContext): Html | null {
  const { t, view } = context;
  if (!context.offers('refund')) return null;
  // A refund that waits for an address is shown among what is owed.
  const waiting = new Set(view.owed.map(({ refundId }) => refundId));
  const refunds = view.refunds.filter(({ id }) => !waiting.has(id));
  return html`${view.owed.length > 0 && html`<section class="owed panel" aria-labelledby="owed-title"><h2 id="owed-title">${t('owedTitle')}</h2>${view.owed.map((line, index) => owedLine(context, line, index))}</section>`}
${refunds.length > 0 && html`<section class="owed panel" aria-labelledby="refunds-title"><h2 id="refunds-title">${t('refundsTitle')}</h2><ol class="transfers">${refunds.map((refund, index) => refundItem(context, refund, index))}</ol></section>`}`;
}

function owedLine(context: PageContext, line: OwedLine, index: number): Html {
  const { t, format } = context;
  const { currency, network, belowMinimum } = line;
  return html`<div class="owed-line"><p><strong><bdi>${format.amount(line.amount, currency)}</bdi></strong>${worthPart(context, line)} · <bdi>${network}</bdi></p>
${belowMinimum === null ? html`<p class="hint">${t('owedLead', { network })}</p>${claimForm(context, line, { index })}` : html`<p class="hint">${t('owedBelowMinimum', { minimum: format.amount(belowMinimum, currency) })}</p>`}</div>`;
}

/** Behind an amount: what it is worth in the money of the payment's price. */
function worthPart(
  context: PageContext,
  { amount, currency }: Pick<OwedLine, 'amount' | 'currency'>,
): Html | null {
  const worth = worthText(context, amount, currency);
  return worth === null ? null : html` (${context.t('worthAbout', { amount: worth })})`;
}

/** The form that claims an amount: it is answered with what will be sent where. `values` fills it in. */
export function claimForm(
  context: PageContext,
  { refundId, asset, currency, network, hasMemo, otherAddress }: OwedLine,
  { index, values = { to: '', memo: '' } }: { index: number; values?: { to: string; memo: string } },
): Html {
  const { t, view } = context;
  return postForm(
    context,
    'refund',
    html`${lineInputs(refundId, asset)}
<div class="field"><label for="owed-to-${index}">${t('owedAddress', { network })}</label><input id="owed-to-${index}" name="to" value="${values.to}" required class="code" dir="ltr" autocomplete="off" autocapitalize="none" spellcheck="false" maxlength="200" aria-describedby="owed-hint-${index}"><p class="hint" id="owed-hint-${index}">${t('owedExchange', { currency, network })}${otherAddress === 'approved' && html` ${t('owedNeedsConfirmation', { merchant: view.integration.name })}`}${otherAddress === 'refused' && html` ${t('owedNeedsPayer')}`}</p></div>
${hasMemo && html`<div class="field"><label for="owed-memo-${index}">${t('owedMemo')}</label><input id="owed-memo-${index}" name="memo" value="${values.memo}" class="code" dir="ltr" autocomplete="off" autocapitalize="none" spellcheck="false" maxlength="64"></div>`}
<button class="button plain" id="owed-button-${index}">${t('owedButton')}</button>`,
    `owed-form-${index}`,
  );
}

/** Which amount a form is about. */
export function lineInputs(refundId: string | null, asset: string): Html {
  return html`${refundId !== null && html`<input type="hidden" name="refund" value="${refundId}">`}<input type="hidden" name="asset" value="${asset}">`;
}

/** Where an amount goes, in full. */
export function destinationFacts({ t }: PageContext, to: string, memo: string): Html {
  return facts([
    [t('address'), addressText(to)],
    ...(memo === '' ? [] : [[t('memo'), code(memo)] as [Sentence, Html]]),
  ]);
}

function refundItem(context: PageContext, refund: RefundLine, index: number): Html {
  const { t, format } = context;
  const { amount, currency, network, status, to, memo, transaction } = refund;
  const url = safeUrl(refund.explorerUrl);
  const tone = status === 'completed' ? 'final' : status === 'failed' || status === 'rejected' ? 'lost' : '';
  return html`<li class="${tone}"><span><bdi>${format.amount(amount, currency)}</bdi>${worthPart(context, refund)} · <bdi>${network}</bdi></span><span class="transfer-state">${t(refundWords[status])}</span>
${to !== null && html`<div class="refund-to">${destinationFacts(context, to, memo ?? '')}</div>`}
${transaction !== null && html`<span class="transaction">${code(transaction)}${copyButton(context, 'transaction', transaction, `refund-${index}`)}</span>`}${url && html`<a class="explorer" href="${url.href}" target="_blank" rel="noreferrer">${t('showTransaction')}</a>`}</li>`;
}
