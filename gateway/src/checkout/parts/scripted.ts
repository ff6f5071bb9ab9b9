import { type Html, html } from '../../kit/http/html.ts';

/** One text for browsers with script, and another for those without. */
export function scripted(withScript: Html, without: Html): Html {
  return html`<span class="with-script">${withScript}</span><noscript>${without}</noscript>`;
}
