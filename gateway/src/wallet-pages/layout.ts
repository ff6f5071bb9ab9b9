import { pageHeaders } from '../checkout/headers.ts';
import { languageMenu } from '../checkout/parts/languages.ts';
import { type Html, html } from '../kit/http/html.ts';
import { documentStart } from '../kit/pages/document-start.ts';
import { FAVICON } from '../kit/pages/favicon.ts';
import { linkTo, type NavPage, type PageContext, type View } from './context.ts';
import type { Notes } from './notices.ts';
import { noticePart, postForm } from './parts.ts';

/** The headers of every page: as the hosted page's, and a page may be installed. */
export const walletHeaders = {
  'content-security-policy': `${pageHeaders['content-security-policy']}; manifest-src 'self'; worker-src 'self'`,
} as const;

/** The whole document of a page. */
export function layout(context: PageContext, { title, main, nav }: View, notes: Notes): string {
  const { locale, say, t, site, mode, session } = context;
  const document = html`${documentStart(locale)}
<meta name="theme-color" content="#fbfaf7" media="(prefers-color-scheme: light)">
<meta name="theme-color" content="#141310" media="(prefers-color-scheme: dark)">
<title>${title.text} · ${say('walletName').text}</title>
<link rel="icon" href="${FAVICON}">
<link rel="apple-touch-icon" href="${site.path}/icon.png">
<link rel="manifest" href="${site.path}/manifest.webmanifest">
<link rel="stylesheet" href="${site.files.style.path}">
<script type="module" src="${site.files.script.path}"></script>
</head>
<body data-wallet="${site.path}" ${session && html`class="own"`}>
<header>
${mode === 'test' && html`<p class="test-banner"><strong>${t('testLabel')}</strong> <span>${t('testBanner')}</span></p>`}
<div class="merchant"><span class="coin" aria-hidden="true">F</span><span>${say('walletName')}</span>${session && signOut(context)}</div>
${session && navigation(context, nav)}
</header>
<main>
${noticePart(context, notes)}
${main}
</main>
<footer>${languageMenu(t, locale, (other) => hereIn(context, other))}<span class="maker">Florin</span></footer>
<div id="announcer" class="visually-hidden" role="status"></div>
</body>
</html>
`;
  return document.markup;
}

function signOut(context: PageContext): Html {
  const button = html`<button class="quiet">${context.say('signOut')}</button>`;
  return html`<div class="sign-out">${postForm(context, 'sign-out', button)}</div>`;
}

function navigation(context: PageContext, current: NavPage | undefined): Html {
  const { say } = context;
  const item = (page: NavPage, path: string, label: Html) =>
    html`<li><a href="${linkTo(context, path)}" ${page === current && html`aria-current="page"`}>${label}</a></li>`;
  return html`<nav class="tabs" aria-label="${say('navLabel').text}"><ul>
${item('home', '', say('navHome'))}${item('history', 'history', say('navHistory'))}${item('account', 'account', say('navAccount'))}
</ul></nav>`;
}

function hereIn({ site, here, page }: PageContext, locale: string): string {
  const query = new URLSearchParams(here);
  query.set('lang', locale);
  return `${site.path}/${page}?${query}`;
}
