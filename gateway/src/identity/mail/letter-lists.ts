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

/** The list as a table without lines; a mail has no style sheet, and its cells know no sides but left and right. */
export function listHtml({ title, lines }: LetterList, direction: 'ltr' | 'rtl'): Html {
  const [start, end] = direction === 'rtl' ? ['right', 'left'] : ['left', 'right'];
  const row = (line: LetterList['lines'][number]): Html => {
    const { name, value, isTotal, notes } = line;
    const weight = isTotal && ';font-weight:600';
    return html`<tr style="vertical-align:top${weight}"><td align="${start}" style="padding:4px 0 0"${value === '' && html` colspan="2"`}>${isolated(name)}</td>${value !== '' && html`<td align="${end}" style="padding:4px 0 0">${isolated(value)}</td>`}</tr>
${notes.map((note) => html`<tr><td align="${start}" colspan="2">${noteHtml(note)}</td></tr>\n`)}`;
  };
  return html`${title !== null && html`<h2 style="margin:24px 0 4px;font-size:16px">${isolated(title)}</h2>`}
<table role="presentation" style="width:100%;margin:0 0 16px;border-collapse:collapse;font-size:14px">
${lines.map(row)}</table>
`;
}

function noteHtml({ text, isCode, url }: LetterNote): Html {
  if (url !== undefined) return html`<a href="${url}" style="color:#9A6B00">${isolated(text)}</a>`;
  const font =
    isCode && ';font-family:ui-monospace,Menlo,Consolas,monospace;font-size:12px;word-break:break-all';
  return html`<span style="color:#5C5850${font}" dir="${isCode ? 'ltr' : 'auto'}">${text}</span>`;
}

/** A text in its own direction inside that of the mail. */
const isolated = (text: string): Html => html`<span dir="auto">${text}</span>`;
