import { type Html, html } from '../../kit/http/html.ts';
import { documentStart } from '../../kit/pages/document-start.ts';
import { FAVICON } from '../../kit/pages/favicon.ts';
import type { PageFile } from '../../kit/pages/page-files.ts';
import type { CheckoutAssets } from '../assets.ts';
import { brandStyle } from '../brand/style.ts';
import type { Frame } from '../frame.ts';
import { icon } from '../icons.ts';
import type { Locale } from '../locale.ts';
import type { Translate } from '../messages/translate.ts';
import { languageChoice, languageLink } from '../parts/languages.ts';

export type Layout = {
  locale: Locale;
  t: Translate;
  assets: CheckoutAssets;
  /** The document's title: the state first. */
  title: string;
  testMode: boolean;
  /** The colour of the shop's brand; null or absent: the page's own. */
  color?: string | null;
  /** The column of the order; null on a page that is about none. */
  order: Html | null;
  /** What stands in the frame beside the order: the state, and the one action. */
  action: Html;
  /** What the script reads of the state, as attributes of `main`. */
  state: Html | null;
  /** The address of the page in another language; it has a query. */
  languageHref: (locale: Locale) => string;
  /** The list of languages is shown in place of the page. */
  asksLanguage: boolean;
  /** The addresses from which the script reads changes; null when there is no payment. */
  live: { state: string; events: string } | null;
  /** The page's script; null: it needs none. */
  script: PageFile | null;
  /** The frame that the page is in, and the address of the page on its own; null or absent: it is that page. */
  frame?: (Frame & { wholeHref: string }) | null;
};

/** The fragment of an address that a form leads to: where the payment is paid then, the script has its coin struck. */
export const newState = 'new';

/**
 * The whole document around a screen: one frame in every state, with the order and the action. Everything that changes with
 * the state is inside `main`.
 */
export function layout(page: Layout): string {
  const { locale, t, assets, asksLanguage, languageHref, frame } = page;
  const brand = brandStyle(page.color ?? null);
  const [live, script] = asksLanguage ? [null, null] : [page.live, page.script];
  const document = html`${documentStart(locale)}
<title>${asksLanguage ? t('language').text : page.title}</title>
<link rel="icon" href="${FAVICON}">
<link rel="stylesheet" href="${(frame ? assets.frameStyle : assets.style).path}">${brand && html`<style>${brand.css}</style>`}
${script && html`<script type="module" src="${script.path}"></script>`}
${frame && html`<script type="module" src="${assets.frame.path}"></script>`}
</head>
<body${live && html` data-state="${live.state}" data-events="${live.events}"`}${frame && frameMarks(frame)}>
${page.testMode && html`<header>${testBanner(t)}</header>`}
<main class="frame"${page.state}>
${frame?.isClosable && closeButton(t)}
${page.order}
<div class="pay">
${asksLanguage ? languageChoice(t, locale, languageHref) : page.action}
</div>
</main>
<footer>${languageLink(t, locale, languageHref)}${frame && html`<p class="whole"><a href="${frame.wholeHref}" target="_blank" rel="noopener noreferrer" id="whole">${t('wholePage')}</a></p>`}<span class="maker">Florin</span></footer>
${live && html`<div id="announcer" class="visually-hidden" role="status"></div>`}
</body>
</html>
`;
  return document.markup;
}

/** What the frame's script reads: to whom its messages go, and that the page is as high as its content. */
function frameMarks({ parent }: Frame): Html {
  return html` class="framed"${parent !== null && html` data-parent="${parent}"`}`;
}

/** The page around the frame closes it, which a script tells it. */
function closeButton(t: Translate): Html {
  return html`<button type="button" class="close needs-script" id="close" aria-label="${t('closeFrame').text}">${icon('cross')}</button>`;
}

function testBanner(t: Translate): Html {
  return html`<p class="test-banner"><strong>${t('testLabel')}</strong> <span>${t('testBanner')}</span></p>`;
}
