import { type Html, html } from '../../../kit/http/html.ts';
import type { PageContext } from '../../context.ts';
import type { ClaimProof, OwedLine } from '../../owed.ts';
import { addressText } from '../copy.ts';

/**
 * What a customer may sign so that nobody has to confirm the address: the text, a field for its signature, and a button
 * for each browser wallet, which the page's script draws.
 */
export function proofPart(
  context: PageContext,
  { signers }: OwedLine,
  { statement, signature }: ClaimProof,
): Html {
  const { t, view } = context;
  const signing = JSON.stringify({ statement, signers, words: wordsOf(context) });
  return html`<section class="proof panel" id="proof" aria-labelledby="proof-title" data-signing="${signing}"><h2 id="proof-title">${t('owedProofTitle')}</h2>
<p class="hint">${t('owedProofLead', { merchant: view.integration.name })}</p>
<ul class="signers">${signers.map((address) => html`<li>${addressText(address)}</li>`)}</ul>
<pre class="code statement" id="proof-statement" dir="ltr" translate="no">${statement}</pre>
<div class="in-browser" id="proof-wallets"></div><div class="status-text" id="proof-status" role="status"></div>
<div class="field"><label for="signature">${t('owedProofSignature')}</label><textarea id="signature" name="signature" class="code" dir="ltr" rows="3" maxlength="8200" autocomplete="off" autocapitalize="none" spellcheck="false" aria-describedby="proof-hint">${signature}</textarea><p class="hint" id="proof-hint">${t('owedProofHint')} ${t('owedProofContract')}</p></div></section>`;
}

/** Values that are known only in the browser stay placeholders. */
function wordsOf({ t }: PageContext) {
  return {
    signWith: t('owedProofSign', { wallet: '{wallet}' }).text,
    unnamed: t('browserWalletUnnamed').text,
    other: t('owedProofOther', { account: '{account}' }).text,
    declined: t('owedProofDeclined').text,
    unanswered: t('browserWalletUnanswered').text,
    trouble: t('owedProofTrouble', { problem: '{problem}' }).text,
    signed: t('owedProofSigned').text,
  };
}
