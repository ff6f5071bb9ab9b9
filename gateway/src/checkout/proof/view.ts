import type { SignedStatement } from '../../../../web/proof/statement.ts';
import { type Html, html } from '../../kit/http/html.ts';
import type { PageFile } from '../../kit/pages/page-files.ts';
import type { CheckoutAssets } from '../assets.ts';
import { formatOf } from '../format.ts';
import { type Locale, messagesOf } from '../locale.ts';
import { translator } from '../messages/translate.ts';
import { layout } from '../views/layout.ts';
import { checkForm, sumsTable } from './part.ts';

type ProofPage = {
  locale: Locale;
  assets: CheckoutAssets;
  asksLanguage: boolean;
  now: Date;
};

/** The list of the newest statements, each with its sums, and the address that signs payment requests. */
export function renderProofs(
  page: ProofPage,
  statements: readonly SignedStatement[],
  requestSigner: string,
): string {
  const { locale, now } = page;
  const [t, format] = [translator(locale, messagesOf(locale)), formatOf(locale)];
  const item = (signed: SignedStatement): Html => {
    const { id, made_at } = signed.statement;
    return html`<li><h2>${format.time(new Date(made_at), now)}</h2>${sumsTable(t, signed)}
<p><a class="button plain" href="proof/${id}?lang=${locale}">${t('proofCheck')}</a></p></li>`;
  };
  const list = html`<ul class="proofs">${statements.map(item)}</ul>`;
  return documentOf(page, {
    script: null,
    main: html`<p class="lead">${t('proofLead')}</p>${statements.length === 0 ? html`<p>${t('proofNone')}</p>` : list}
<p><code><bdi>Florin payment request ${requestSigner}</bdi></code></p>`,
  });
}

/** One statement, which the browser checks. */
export function renderProof(page: ProofPage, signed: SignedStatement): string {
  const { locale, assets, now } = page;
  const [t, format] = [translator(locale, messagesOf(locale)), formatOf(locale)];
  const { id, made_at, key } = signed.statement;
  return documentOf(page, {
    script: assets.proof,
    main: html`<p class="lead">${t('proofLead')}</p><h2>${format.time(new Date(made_at), now)}</h2>${sumsTable(t, signed)}
<p><code><bdi>${key}</bdi></code></p>
${checkForm(t, signed, null)}
<p><a href="${id}.json" download>${t('proofStatement')}</a></p>`,
  });
}

type ProofDocument = { script: PageFile | null; main: Html };

function documentOf({ locale, assets, asksLanguage }: ProofPage, { script, main }: ProofDocument): string {
  const t = translator(locale, messagesOf(locale));
  return layout({
    ...{ locale, t, assets, script, asksLanguage },
    ...{ title: t('proofTitle').text, testMode: false, order: null, state: null, live: null },
    action: html`<h1 id="state">${t('proofTitle')}</h1>${main}`,
    languageHref: (other) => `?lang=${other}`,
  });
}
