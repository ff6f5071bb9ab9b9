import { readFile } from 'node:fs/promises';
import { join, posix } from 'node:path';
import { Marked, type Token, type Tokens } from 'marked';
import { escapeHtml, trusted } from '../../kit/http/html.ts';
import { highlighted } from './highlight.ts';
import { type DocPage, root } from './pages.ts';
import { pictureOf } from './pictures.ts';
import { sampleTabs } from './sample-tabs.ts';

export type Heading = { level: number; text: string; id: string };

/** A part of a page under one heading, for the search: `text` as the document has it. */
type Section = { heading: Heading; text: string };

export type Rendered = { markup: string; headings: Heading[]; sections: Section[] };

/** The anchor of a heading, as a repository's host makes it. */
export function anchorOf(text: string): string {
  return text
    .toLowerCase()
    .replace(/[^\p{L}\p{N}\s_-]/gu, '')
    .replaceAll(' ', '-');
}

/** Where a link of a document leads on the site; null where the site has no such page. */
function addressOf(href: string, page: DocPage, pages: readonly DocPage[]): string | null {
  if (/^(?:https?:|mailto:)/.test(href)) return href;
  const [file = '', anchor] = href.split('#');
  const hash = anchor === undefined ? '' : `#${anchor}`;
  if (file === '') return hash;
  const target = posix.join(posix.dirname(page.file), file);
  const found = pages.find((each) => each.file === target);
  return found ? found.address + hash : null;
}

/** The languages of the SDKs, by what stands at a piece of code. */
const languageNames: Readonly<Record<string, string>> = {
  ts: 'TypeScript',
  python: 'Python',
  php: 'PHP',
  go: 'Go',
};

/** Pieces of code in different languages, with nothing between them, become one token of the type `samples`. */
function joinSamples(tokens: readonly Token[]): Token[] {
  const joined: Token[] = [];
  let run: Token[] = [];
  const endRun = () => {
    joined.push(...(run.length > 1 ? [{ type: 'samples', raw: '', tokens: run }] : run));
    run = [];
  };
  for (const token of tokens) {
    if (token.type === 'space' && run.length > 0) continue;
    const isSample = token.type === 'code' && languageNames[token.lang ?? ''] !== undefined;
    if (!isSample || run.some((each) => 'lang' in each && each.lang === token.lang)) endRun();
    if (isSample) run.push(token);
    else joined.push(token);
  }
  endRun();
  return joined;
}

/** Reads a document and turns it into markup. HTML in it is left out: our documents have only comments. */
export async function renderPage(page: DocPage, pages: readonly DocPage[]): Promise<Rendered> {
  const source = await readFile(join(root, page.file), 'utf8');
  const headings: Heading[] = [];
  let tables = 0;
  let tabs = 0;
  const marked = new Marked({
    hooks: { processAllTokens: joinSamples },
    extensions: [
      {
        name: 'samples',
        renderer({ tokens = [] }) {
          tabs += 1;
          const samples = (tokens as Tokens.Code[]).map(({ lang = '', text }) => {
            const name = languageNames[lang] ?? lang;
            return { name, code: trusted(codeBlock(text, name)) };
          });
          return sampleTabs(`${tabs}`, samples).markup;
        },
      },
    ],
    renderer: {
      heading({ tokens, depth, text }: Tokens.Heading) {
        const base = anchorOf(text);
        const same = headings.filter(({ id }) => id === base || id.startsWith(`${base}-`)).length;
        const id = same === 0 ? base : `${base}-${same}`;
        headings.push({ level: depth, text: text.replaceAll('`', ''), id });
        const inner = this.parser.parseInline(tokens);
        return `<h${depth} id="${escapeHtml(id)}">${inner}</h${depth}>\n`;
      },
      html: () => '',
      code({ text, lang }: Tokens.Code) {
        return codeBlock(text, lang === undefined || lang === '' ? 'Text' : lang);
      },
      table({ header, rows }: Tokens.Table) {
        const cells = (tag: string, row: Tokens.TableCell[]) =>
          row
            .map(({ text, tokens }) => {
              const isHead = tag === 'th' && text !== '';
              const inner = this.parser.parseInline(tokens);
              return isHead ? `<th scope="col">${inner}</th>` : `<td>${inner}</td>`;
            })
            .join('');
        const head = header.some(({ text }) => text !== '')
          ? `<thead><tr>${cells('th', header)}</tr></thead>`
          : '';
        const body = rows.map((row) => `<tr>${cells('td', row)}</tr>`).join('\n');
        tables += 1;
        const name = `Table ${tables}: ${headings.at(-1)?.text ?? page.title}`;
        return wideTable(`${head}<tbody>${body}</tbody>`, name);
      },
      link({ href, tokens }: Tokens.Link) {
        const address = addressOf(href, page, pages);
        const inner = this.parser.parseInline(tokens);
        return address === null ? inner : `<a href="${escapeHtml(address)}">${inner}</a>`;
      },
      image: ({ href, text }: Tokens.Image) => pictureOf(posix.join(posix.dirname(page.file), href), text),
    },
  });
  const markup = await marked.parse(source);
  return { markup, headings, sections: sectionsOf(source, headings) };
}

/** The parts of a document below its headings. A line of code may begin like a heading, and is none. */
function sectionsOf(source: string, headings: readonly Heading[]): Section[] {
  const sections: Section[] = [];
  let isCode = false;
  for (const line of source.replaceAll(/<!--.*?-->/gs, '').split('\n')) {
    if (line.startsWith('```')) isCode = !isCode;
    const heading = headings[sections.length];
    if (heading && !isCode && /^#{1,6} /.test(line)) sections.push({ heading, text: line });
    else {
      const last = sections.at(-1);
      if (last) last.text += `\n${line}`;
    }
  }
  return sections;
}

/** Code that scrolls by itself where it is too wide. The page's script puts the button beside it that copies it. */
export function codeBlock(code: string, language: string): string {
  const name = escapeHtml(language);
  return `<div class="code"><pre tabindex="0" data-language="${name}"><code>${highlighted(code, language)}</code></pre></div>\n`;
}

/** A table that scrolls by itself where it is too wide. The end mark tells the style sheet that all its rows have come. */
export function wideTable(rows: string, name: string): string {
  const label = escapeHtml(name);
  return `<div class="wide" role="region" tabindex="0" aria-label="${label}"><table>${rows}</table><i></i></div>\n`;
}
