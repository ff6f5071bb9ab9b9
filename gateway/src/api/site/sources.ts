import type { ErrorRow } from '../../kit/errors.ts';
import { html, trusted } from '../../kit/http/html.ts';
import { loadScripts, loadStyle } from '../../kit/pages/page-files.ts';
import type { ApiDescription } from '../document/document.ts';
import { inlined } from '../document/inline.ts';
import { foundPages } from './found-pages.ts';
import { layout, type MenuGroup, type SiteFiles, type SitePage } from './layout.ts';
import { llmsText } from './llms.ts';
import { renderPage } from './markdown.ts';
import { type DocGroup, type DocPage, docGroups } from './pages.ts';
import { readPicture } from './pictures.ts';
import { referenceMenu, referencePages } from './reference-pages.ts';
import { searchIndex } from './search/search-index.ts';

/** `text`: of a picture, its bytes, which are compressed already. */
type Source = { text: string | Buffer; type: string; isKept: boolean };

/** Reads what lies at an address such as `/docs/webhooks`; null where nothing does. */
export type Sources = { read(address: string): Promise<Source | null> };

const styles = [
  'tokens.css',
  ...['docs', 'search', 'contents', 'code', 'reference'].map((name) => `docs/${name}.css`),
];
const scripts = ['search', 'contents', 'page'].map((name) => `docs/${name}.ts`);
const finders = ['stem', 'spelling', 'shelf', 'ways', 'find'].map((name) => `docs/${name}.ts`);
const htmlType = 'text/html; charset=utf-8';

/** Gathers what the site is made of: the documents, the API's document, and the files that every page loads. */
export async function openSources(api: ApiDescription, errors: readonly ErrorRow[]): Promise<Sources> {
  const groups = docGroups();
  const pages = groups.flatMap((group) => group.pages);
  const reference = referencePages({ ...api, document: inlined(api.document) }, errors);
  const [style, [script, finder]] = await Promise.all([
    loadStyle('/docs', 'docs', styles),
    loadScripts('/docs', [
      { name: 'docs', files: scripts },
      { name: 'find', files: finders, isImported: true },
    ]),
  ]);
  if (!script || !finder) throw new Error('A script of the documentation is missing');
  const files: SiteFiles = {
    ...{ style: style.path, script: script.path },
    ...{ finder: finder.path, index: '/docs/index.json' },
  };
  const kept = new Map<string, Source>(
    [style, script, finder].map(({ path, body, contentType }) => [
      path,
      { text: `${body}`, type: contentType, isKept: true },
    ]),
  );
  const shown = (page: SitePage, menu: readonly MenuGroup[]): Source => ({
    text: layout(page, menu, files),
    type: htmlType,
    isKept: false,
  });

  return {
    async read(address) {
      const file = kept.get(address);
      if (file) return file;
      if (address === files.index) {
        const text = searchIndex(await foundPages(pages, reference));
        return { text, type: 'application/json; charset=utf-8', isKept: false };
      }
      if (address === '/docs/llms.txt') {
        const text = llmsText(groups, api.document.servers[0]?.url ?? '');
        return { text, type: 'text/plain; charset=utf-8', isKept: false };
      }
      const picture = await readPicture(address);
      if (picture) return { ...picture, isKept: false };
      if (address === '/docs/') return shown(firstPage(groups), groups);
      const ofReference = reference.find((each) => each.address === address);
      if (ofReference) return shown(ofReference, referenceMenu(api.document));
      const page = pages.find((each) => each.address === address);
      if (!page) return null;
      const { markup, headings } = await renderPage(page, pages);
      return shown({ ...page, main: trusted(markup), headings }, groups);
    },
  };
}

/** The first page: the quick start, and what every other page is for, by group. */
function firstPage(groups: readonly DocGroup[]): SitePage {
  // Each record of a decision is listed on a page of its own.
  const isListed = ({ address }: DocPage) => !address.startsWith('/docs/decisions/');
  const lists = groups.map(({ name, pages }) => {
    const items = pages
      .filter(isListed)
      .map(
        ({ title, address, purpose }) =>
          html`<li><a href="${address}">${title}</a><p class="for">${purpose}</p></li>`,
      );
    return html`<section><h2>${name}</h2><ul>${items}</ul></section>`;
  });
  const main = html`<h1>Florin docs</h1>
<p class="lead">Take payments in PI, USDC, USDT and CSK with a gateway of your own.</p>
<p class="starts"><a class="button" href="/docs/quick-start">Quick start</a> <a href="/reference/">API reference</a></p>
<div class="groups">${lists}</div>`;
  return { title: 'Docs', address: '/docs/', main, headings: [] };
}
