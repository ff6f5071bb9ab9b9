import { type Html, html } from '../../kit/http/html.ts';
import { LOCALES, type Locale, nameOf } from '../locale.ts';
import type { Translate } from '../messages/translate.ts';

type HrefOf = (other: Locale) => string;

/** The menu of languages. `hrefOf` is the address of the same page in another one. */
export function languageMenu(t: Translate, locale: Locale, hrefOf: HrefOf): Html {
  return html`<details class="languages" id="languages"><summary id="languages-summary">${currentLanguage(t, locale)}</summary>${languageList(locale, hrefOf)}</details>`;
}

/** Whether a request is for the list of languages. */
export function asksLanguage({ query }: { query: unknown }): boolean {
  return typeof query === 'object' && query !== null && 'languages' in query;
}

/** Leads to the list of languages. Fifty links on each page would be a tenth of its bytes. */
export function languageLink(t: Translate, locale: Locale, hrefOf: HrefOf): Html {
  return html`<p class="languages"><a href="${hrefOf(locale)}&amp;languages=" id="languages">${currentLanguage(t, locale)}</a></p>`;
}

/** The list of `languages=` in place of what the page is about. */
export function languageChoice(t: Translate, locale: Locale, hrefOf: HrefOf): Html {
  return html`<div class="languages"><h1>${t('language')}</h1>${languageList(locale, hrefOf)}</div>`;
}

function currentLanguage(t: Translate, locale: Locale): Html {
  return html`<span class="visually-hidden">${t('language')}: </span>${nameOf(locale)}`;
}

function languageList(locale: Locale, hrefOf: HrefOf): Html {
  return html`<ul>${LOCALES.map(
    (other) =>
      html`<li><a href="${hrefOf(other)}" lang="${other}" hreflang="${other}"${other === locale && html` aria-current="true"`}>${nameOf(other)}</a></li>`,
  )}</ul>`;
}
