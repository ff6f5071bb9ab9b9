import { type Html, html } from '../../kit/http/html.ts';
import type { PageContext } from '../context.ts';

type Words = Pick<PageContext, 't'>;

/** What can be copied, each with the message of its button. */
const LABELS = {
  address: 'copyAddress',
  amount: 'copyAmount',
  memo: 'copyMemo',
  reference: 'copyReference',
  transaction: 'copyTransaction',
} as const;

export type Copyable = keyof typeof LABELS;

/** A small button that copies the value beside it. It is shown only where scripts run. */
export function copyButton(context: Words, what: Copyable, value: string, id: string = what): Html {
  const { t } = context;
  return html`<button type="button" class="copy needs-script" id="copy-${id}" data-copy="${value}" data-copied="${t('copied').text}" aria-label="${t(LABELS[what]).text}"><span>${t('copy')}</span></button>`;
}

/** A value for machines: written left to right, and not translated by the browser. */
export function code(value: string): Html {
  return html`<bdi class="code" dir="ltr" translate="no">${value}</bdi>`;
}

/** An address with its first and last characters in bold, because people compare those. */
export function addressText(address: string): Html {
  if (address.length < 20) return code(address);
  return html`<bdi class="code" dir="ltr" translate="no"><b>${address.slice(0, 6)}</b>${address.slice(6, -6)}<b>${address.slice(-6)}</b></bdi>`;
}
