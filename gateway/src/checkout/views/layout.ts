import { directionOf, type Html, html } from '../../kit/http/html.ts';
import { FAVICON } from '../../kit/pages/favicon.ts';
import type { PageFile } from '../../kit/pages/page-files.ts';
import type { CheckoutAssets } from '../assets.ts';
import type { Locale } from '../locale.ts';
import type { Translate } from '../messages/translate.ts';
import { languageLink, languageMain } from '../parts/languages.ts';

export type Layout = {
  locale: Locale;
  t: Translate;
  assets: CheckoutAssets;
  /** The document's title: the state first. */
  title: string;
  testMode: boolean;
  header: Html | null;
  main: Html;
  /** The address of the page in another language; it has a query. */
  languageHref: (locale: Locale) => string;
  /** The list of languages is shown in place of the page. */
  asksLanguage: boolean;
  /** The addresses from which the script reads changes; null when there is no payment. */
  live: { state: string; events: string } | null;
  /** The page's script; null: it needs none. */
  script: PageFile | null;
};

/** The whole document around a screen. Everything that changes with the state is inside `main`. */
export function layout(page: Layout): string {
  const { locale, t, assets, asksLanguage, languageHref } = page;
  const [live, script] = asksLanguage ? [null, null] : [page.live, page.script];
  const document = html`<!doctype html>
<html lang="${locale}" dir="${directionOf(locale)}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta name="robots" content="noindex">
<meta name="referrer" content="same-origin">
<title>${asksLanguage ? t('language').text : page.title}</title>
<link rel="icon" href="${FAVICON}">
<link rel="stylesheet" href="${assets.style.path}">
${script && html`<script type="module" src="${script.path}"></script>`}
</head>
<body${live && html` data-state="${live.state}" data-events="${live.events}"`}>
<header>
${page.testMode && testBanner(t)}
${page.header}
</header>
${asksLanguage ? languageMain(t, locale, languageHref) : page.main}
<footer>${languageLink(t, locale, languageHref)}<span class="maker">Florin</span></footer>
${live && html`<div id="announcer" class="visually-hidden" role="status"></div>`}
</body>
</html>
`;
  return document.markup;
}

function testBanner(t: Translate): Html {
  return html`<p class="test-banner"><strong>${t('testLabel')}</strong> <span>${t('testBanner')}</span></p>`;
}
