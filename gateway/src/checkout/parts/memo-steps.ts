import { type Html, html } from '../../kit/http/html.ts';
import type { CheckoutDestination } from '../checkout-payment.ts';
import type { PageContext } from '../context.ts';
import { addressText, type Copyable, code, copyButton } from './copy.ts';
import { scripted } from './scripted.ts';

/** A destination that many payments share. The memo says which payment a transfer is for. */
export type MemoDestination = CheckoutDestination & { memo: string };

export function hasMemo(destination: CheckoutDestination): destination is MemoDestination {
  return destination.memo !== null;
}

type Step = { what: Copyable; title: Html; value: Html; copied: string };

/**
 * The steps of a transfer with a memo, in the order in which a wallet asks for the values. With `isGuided`, the first
 * copy button that was not pressed yet is the page's filled button.
 */
export function memoSteps(context: PageContext, destination: MemoDestination, isGuided: boolean): Html {
  const { t, view, format } = context;
  const { address, memo, amount, network } = destination;
  const steps: Step[] = [
    {
      what: 'address',
      title: html`${scripted(t('stepAddress'), t('address'))} <span class="network">${t('onlyOnNetwork', { network })}</span>`,
      value: addressText(address),
      copied: address,
    },
    { what: 'memo', title: scripted(t('stepMemo'), t('memo')), value: code(memo), copied: memo },
    {
      what: 'amount',
      title: t('stepAmount'),
      value: html`<bdi class="exact" dir="ltr" translate="no">${format.amount(amount, view.currency)}</bdi>`,
      copied: amount,
    },
  ];
  return html`<p class="warning memo-warning"><strong>${t('memoRequired')}</strong> ${t('memoWarning')}</p>
<ol class="steps${isGuided && ' guided'}">${steps.map(
    ({ what, title, value, copied }) =>
      html`<li class="step-${what}"><p class="step-title">${title}</p>${copyButton(context, what, copied, `${what}-0`)}<p class="step-value">${value}</p></li>`,
  )}</ol>`;
}
