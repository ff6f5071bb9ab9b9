import { type Html, html, trusted } from '../../kit/http/html.ts';
import type { PageContext } from '../context.ts';
import { isClaimFault, maxTransaction } from '../notices.ts';
import { disclosure, field, postForm } from './form.ts';
import { contactLinks } from './links.ts';
import { noticeContact, noticeText } from './notice.ts';
import { timeText } from './time.ts';

/** A sign-in form that pays from the customer's Florin wallet. */
export function walletForm(context: PageContext): Html {
  const { t, view, amount } = context;
  return postForm(
    context,
    'wallet',
    html`${field('username', t('username').text, html`autocomplete="username" autocapitalize="none" spellcheck="false" maxlength="100"`)}
${field('password', t('password').text, html`type="password" autocomplete="current-password" maxlength="200"`)}
<button class="button primary" id="pay">${t('payNow', { amount: amount(view.amountDue) })}</button>`,
  );
}

/** A link to the page at the installation's address, where the form of the wallet is. */
export function elsewhereLink({ t, query, locale, installationPage }: PageContext): Html {
  return html`<a class="button primary" id="elsewhere" href="${installationPage}?${query}&lang=${locale}">${t('wholePage')}</a>`;
}

/** A link to the wallet pages, where a signed-in user pays by one press. */
export function inWalletLink({ t, walletUrl, query, locale }: PageContext): Html | null {
  if (!walletUrl) return null;
  return html`<p class="in-wallet"><a class="button plain" href="${walletUrl}/pay?${query}&lang=${locale}">${t('walletOpen')}</a></p>`;
}

/** The mark of a page that shows the fault of a claimed transaction beside its field, not at the top. */
export const claimFaultMark = 'id="transaction-fault"';

/** "I already paid": a form that claims a transaction. */
export function claimPart(context: PageContext): Html | null {
  const { t, claimed, notice } = context;
  if (!context.offers('claim')) return null;
  const fault = claimed !== undefined && isClaimFault(notice) ? notice : null;
  const written = html`value="${claimed ?? ''}" ${fault && html`aria-invalid="true" aria-describedby="transaction-fault" autofocus`}`;
  return disclosure(
    'claim',
    t('alreadyPaid'),
    html`<p>${t('claimLead')}</p>${postForm(
      context,
      'claim',
      html`${field('transaction', t('transactionHash').text, html`class="code" dir="ltr" autocomplete="off" autocapitalize="none" spellcheck="false" maxlength="${maxTransaction}" ${written}`, fault && html`<p class="fault" ${trusted(claimFaultMark)} role="alert">${noticeText(context, fault)}</p>${noticeContact(context, fault)}`)}
<button class="button plain" id="claim-button">${t('claimButton')}</button>`,
    )}`,
    fault !== null,
  );
}

/** The button that cancels is inside a disclosure, so that nobody presses it by accident. */
export function cancelPart(context: PageContext): Html | null {
  const { t } = context;
  if (!context.offers('cancel')) return null;
  return disclosure(
    'cancel',
    t('cancelSummary'),
    html`<p>${t('cancelLead')}</p>${postForm(
      context,
      'cancel',
      html`<button class="button plain" id="cancel-button">${t('cancelButton')}</button>`,
    )}`,
  );
}

/** A form that opens a dispute; null when the time for it is over (contract.md#states: 30 days). */
export function disputePart(context: PageContext): Html | null {
  const { t, view, now } = context;
  const contact = contactLinks(view.integration, view.reference);
  const isOpen = view.disputableUntil !== null && view.disputableUntil.getTime() > now.getTime();
  if (!context.offers('dispute') || !view.disputableUntil || !isOpen) return null;
  return disclosure(
    'dispute',
    t('disputeSummary'),
    html`<p>${t('disputeLead', { merchant: view.integration.name, time: timeText(context, view.disputableUntil) })}${contact && html` ${contact}`}</p>${postForm(
      context,
      'dispute',
      html`<div class="field"><label for="reason">${t('disputeReason')}</label><textarea id="reason" name="reason" required maxlength="1000" rows="4"></textarea></div>
<button class="button plain" id="dispute-button">${t('disputeButton')}</button>`,
    )}`,
  );
}
