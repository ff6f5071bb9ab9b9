import { type Html, html } from '../../kit/http/html.ts';

/** Words about what a script does, and those that are true without one. */
export function scripted(withScript: Html, without: Html): Html {
  return html`<span class="needs-script">${withScript}</span><noscript>${without}</noscript>`;
}
