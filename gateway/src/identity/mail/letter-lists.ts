import { type Html, html } from '../../kit/http/html.ts';

/** What stands below a line of a list: text, a hash or an address (`isCode`), or a link. */
type LetterNote = { text: string; isCode?: boolean; url?: string };

/** A list in a mail: names with their values, which may be empty. */
export type LetterList = {
  title: string | null;
  lines: readonly { name: string; value: string; isTotal?: boolean; notes: readonly LetterNote[] }[];
};

/** The list as text. */
export function listText({ title, lines }: LetterList): string {
  const rows = lines.flatMap(({ name, value, notes }) => [
    value === '' ? (notes.length > 0 ? `${name}:` : name) : `${name}: ${value}`,
    ...notes.map(({ text, url }) => `  ${url ?? text}`),
  ]);
  return [...(title === null ? [] : [title]), ...rows].join('\n');
}

/** The list as a table without lines; a mail has no style sheet. */
export function listHtml({ title, lines }: LetterList, direction: 'ltr' | 'rtl'): Html {
  const end = direction === 'rtl' ? 'left' : 'right';
  return html`${title !== null && html`<h2 style="margin:24px 0 4px;font-size:16px" dir="auto">${title}</h2>`}
<table role="presentation" style="width:100%;margin:0 0 16px;border-collapse:collapse;font-size:14px">
${lines.map(
  ({ name, value, isTotal, notes }) =>
    html`<tr style="vertical-align:top${isTotal && ';font-weight:600'}"><td style="padding:4px 0" dir="auto">${name}${notes.map(noteHtml)}</td>${value !== '' && html`<td align="${end}" style="padding:4px 0 4px 16px" dir="auto">${value}</td>`}</tr>\n`,
)}</table>
`;
}

function noteHtml({ text, isCode, url }: LetterNote): Html {
  if (url !== undefined) return html`<br><a href="${url}" style="color:#9A6B00">${text}</a>`;
  const font = isCode && ';font-family:ui-monospace,Menlo,Consolas,monospace;word-break:break-all';
  return html`<br><span style="color:#5C5850;font-weight:400${font}"${isCode && html` dir="ltr"`}>${text}</span>`;
}
