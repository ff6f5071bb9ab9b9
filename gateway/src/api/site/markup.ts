import { type Html, html, trusted } from '../../kit/http/html.ts';
import { wideTable } from './markdown.ts';

/** Text whose `code` is in backticks. */
export function inline(text: string): Html {
  const parts = text
    .split('`')
    .map((part, index) => (index % 2 === 1 ? html`<code>${part}</code>` : html`${part}`));
  return html`${parts}`;
}

/** A table that scrolls by itself. */
export function table(heads: string[], rows: Html[][], name: string): Html {
  const head = heads.map((each) => html`<th scope="col">${each}</th>`);
  const body = rows.map((cells) => html`<tr>${cells.map((cell) => html`<td>${cell}</td>`)}</tr>\n`);
  return trusted(wideTable(html`<thead><tr>${head}</tr></thead><tbody>${body}</tbody>`.markup, name));
}
