import type { ErrorRow } from '../../kit/errors.ts';
import { html, trusted } from '../../kit/http/html.ts';
import { loadScript, loadStyle } from '../../kit/pages/page-files.ts';
import type { ApiDescription } from '../document/document.ts';
import { inlined } from '../document/inline.ts';
import { layout, type MenuGroup, type SiteFiles, type SitePage } from './layout.ts';
import { llmsText } from './llms.ts';
import { renderPage } from './markdown.ts';
import { type DocGroup, docGroups } from './pages.ts';
import { referenceMenu, referencePages } from './reference-pages.ts';
import { type Place, searchIndex } from './search-index.ts';

type Source = { text: string; type: string; isKept: boolean };

/** Reads what lies at an address such as `/docs/webhooks`; null where nothing does. */
export type Sources = { read(address: string): Promise<Source | null> };

const htmlType = 'text/html; charset=utf-8';

/** Gathers what the site is made of: the documents, the API's document, and the files that every page loads. */
export async function openSources(api: ApiDescription, errors: readonly ErrorRow[]): Promise<Sources> {
  const groups = docGroups();
  const pages = groups.flatMap((group) => group.pages);
  const reference = referencePages({ ...api, document: inlined(api.document) }, errors);
  const [style, script] = await Promise.all([
    loadStyle('/docs', 'docs', ['tokens.css', 'docs/docs.css', 'docs/search.css', 'docs/reference.css']),
    loadScript('/docs', { name: 'docs', files: ['docs/search.ts', 'docs/page.ts'] }),
  ]);
  const files: SiteFiles = { style: style.path, script: script.path, index: '/docs/index.json' };
  const kept = new Map<string, Source>([
    [files.style, { text: `${style.body}`, type: style.contentType, isKept: true }],
    [files.script, { text: `${script.body}`, type: script.contentType, isKept: true }],
  ]);
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
        const text = await indexOf(groups, reference);
        return { text, type: 'application/json; charset=utf-8', isKept: false };
      }
      if (address === '/docs/llms.txt') {
        const text = llmsText(groups, api.document.servers[0]?.url ?? '');
        return { text, type: 'text/plain; charset=utf-8', isKept: false };
      }
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

/** The first page: the quick start, and every other page by its group. */
function firstPage(groups: readonly DocGroup[]): SitePage {
  const lists = groups.map(
    ({ name, pages }) =>
      html`<section><h2>${name}</h2><ul>${pages.map(({ title, address }) => html`<li><a href="${address}">${title}</a></li>`)}</ul></section>`,
  );
  const main = html`<h1>Florin docs</h1>
<p class="lead">Take payments in PI, USDC, USDT and CSK with a gateway of your own.</p>
<p class="starts"><a class="button" href="/docs/quick-start">Quick start</a> <a href="/reference/">API reference</a></p>
<p>The quick start leads from an empty machine to a paid order in your own code. The reference has every call of the API.</p>
<div class="groups">${lists}</div>`;
  return { title: 'Docs', address: '/docs/', main, headings: [] };
}

async function indexOf(groups: readonly DocGroup[], reference: readonly SitePage[]): Promise<string> {
  const pages = groups.flatMap((group) => group.pages);
  const places: Place[] = [];
  for (const page of pages) {
    const { sections } = await renderPage(page, pages);
    for (const { heading, words } of sections) {
      const address = heading.level === 1 ? page.address : `${page.address}#${heading.id}`;
      places.push({ address, page: page.title, heading: heading.text, text: words });
    }
  }
  for (const { address, title, headings } of reference) {
    places.push({ address, page: 'Reference', heading: title, text: '' });
    for (const { id, text } of headings) {
      places.push({ address: `${address}#${id}`, page: `Reference: ${title}`, heading: text, text: id });
    }
  }
  return searchIndex(places);
}
