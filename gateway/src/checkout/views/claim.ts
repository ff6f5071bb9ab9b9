import { type Html, html } from '../../kit/http/html.ts';
import type { PageContext } from '../context.ts';
import { icon } from '../icons.ts';
import type { ClaimDraft } from '../owed.ts';
import { postForm } from '../parts/form.ts';
import { noticeText } from '../parts/notice.ts';
import { claimForm, destinationFacts, lineInputs } from '../parts/owed/owed.ts';
import { proofPart } from '../parts/owed/proof.ts';
import { worthText } from '../priced.ts';

/** A claim of what is owed: all its fields again for the customer to confirm, or why it cannot be sent. */
export function claimAction(context: PageContext, claim: ClaimDraft): Html {
  const { t, format, hrefIn, locale } = context;
  const isRight = hasRightAddress(claim);
  const { amount, currency, network } = claim.line;
  const worth = worthText(context, amount, currency);
  const about = worth === null ? '' : ` (${t('worthAbout', { amount: worth }).text})`;
  const values = { amount: `${format.amount(amount, currency)}${about}`, network };
  return html`${claim.fault !== null && html`<p class="notice bad" role="alert">${noticeText(context, claim.fault)}</p>`}
<div class="status ${isRight ? 'wait' : 'bad'}">${icon(isRight ? 'send' : 'cross')}<h1 id="state">${claimTitle(context, claim)}</h1></div>
<p class="lead">${isRight ? t('owedCheckLead', values) : t('owedFaultLead', values)}</p>
${isRight ? confirmPart(context, claim) : claimForm(context, claim.line, { index: 0, values: claim })}
<p class="back"><a class="button plain" id="back" href="${hrefIn(locale)}">${t('owedBack')}</a></p>`;
}

/** The state of a claim as a sentence. */
export function claimTitle({ t }: PageContext, claim: ClaimDraft) {
  return hasRightAddress(claim) ? t('owedCheckTitle') : t('owedFaultTitle');
}

/** Whether only the confirmation is missing, or a right signature. */
const hasRightAddress = ({ fault, proof }: ClaimDraft): boolean =>
  fault === null ||
  (fault === 'claim_needs_payer' && proof !== null) ||
  fault === 'claim_signature_wrong' ||
  fault === 'claim_signature_unread';

function confirmPart(context: PageContext, claim: ClaimDraft): Html {
  const { line, to, memo, isSender, isContract, proof } = claim;
  const { t, view } = context;
  const waits = line.otherAddress === 'approved' && !isSender && !proof?.proved;
  return html`<div class="panel">${destinationFacts(context, to, memo)}</div>
${isSender && html`<p class="warning">${t('owedCheckSender')}</p>`}
${isContract === true && html`<p class="warning">${t('owedCheckContract')}</p>`}
${waits && html`<p class="hint">${t('owedCheckConfirmation', { merchant: view.integration.name })}</p>`}
${postForm(
  context,
  'refund',
  html`${lineInputs(line.refundId, line.asset)}<input type="hidden" name="to" value="${to}"><input type="hidden" name="memo" value="${memo}"><input type="hidden" name="confirm" value="yes">
${proof && proofPart(context, line, proof)}
<button class="button primary" id="owed-confirm">${t('owedConfirm')}</button>`,
)}`;
}
