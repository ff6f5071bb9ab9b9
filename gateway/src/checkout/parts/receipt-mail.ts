import { type Html, html } from '../../kit/http/html.ts';
import type { PageContext } from '../context.ts';
import { disclosure, field, postForm } from './form.ts';

/** To which address the receipt was mailed, and a form that mails it again; null when the gateway mails none. */
export function receiptMailPart(context: PageContext): Html | null {
  const { t, view } = context;
  if (!context.offers('receipt') || !view.receipt) return null;
  const { sentTo } = view.receipt;
  return disclosure(
    'receipt-mail',
    t('receiptByMail'),
    html`${sentTo !== null && html`<p>${t('receiptMailedTo', { email: sentTo })}</p>`}${postForm(
      context,
      'receipt',
      html`${field('email', t('receiptEmail').text, html`type="email" dir="ltr" autocomplete="email" maxlength="254"`)}
<button class="button plain" id="receipt-button">${sentTo === null ? t('receiptSend') : t('receiptSendAgain')}</button>`,
    )}`,
  );
}
