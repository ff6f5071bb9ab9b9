import type { ProofPath, SignedStatement } from '../../../../web/proof/statement.ts';
import { checkForm, ownBalances, sumsTable } from '../../checkout/proof/part.ts';
import { html } from '../../kit/http/html.ts';
import { linkTo, type PageContext, type View } from '../context.ts';

/** The newest proof statement, and where the user's balances are in it. `path`: null where they are not in it. */
export function proofView(
  context: PageContext,
  signed: SignedStatement | null,
  path: ProofPath | null,
): View {
  const { t, format, site, now } = context;
  const title = t('proofTitle');
  const head = html`<h1>${title}</h1><p class="lead">${t('proofLead')}</p>`;
  if (!signed) return { title, nav: 'account', main: html`${head}<p>${t('proofNone')}</p>` };
  const { id, made_at } = signed.statement;
  return {
    title,
    nav: 'account',
    main: html`${head}
<h2>${format.time(new Date(made_at), now)}</h2>${sumsTable(t, signed)}
${path && ownBalances(t, signed, path)}
${path && checkForm(t, signed, path)}
<ul class="links"><li><a href="../proof/${id}">${t('proofStatement')}</a></li>${path && html`<li><a href="${linkTo(context, 'proof.json')}" download>${t('proofDownload')}</a></li>`}</ul>
<script type="module" src="${site.files.proof.path}"></script>`,
  };
}
