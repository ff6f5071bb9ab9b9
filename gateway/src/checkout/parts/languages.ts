import { type Html, html } from '../../kit/http/html.ts';
import { LOCALES, type Locale, nameOf } from '../locale.ts';
import type { Translate } from '../messages/translate.ts';

/** The menu of languages. `hrefOf` is the address of the same page in another one. */
export function languageMenu(t: Translate, locale: Locale, hrefOf: (other: Locale) => string): Html {
  return html`<details class="languages" id="languages"><summary id="languages-summary"><span class="visually-hidden">${t('language')}: </span>${nameOf(locale)}</summary><ul>${LOCALES.map(
    (other) =>
      html`<li><a href="${hrefOf(other)}" lang="${other}" hreflang="${other}"${other === locale && html` aria-current="true"`}>${nameOf(other)}</a></li>`,
  )}</ul></details>`;
}
