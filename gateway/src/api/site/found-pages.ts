import { renderPage } from './markdown.ts';
import type { DocPage } from './pages.ts';
import type { ReferencePage } from './reference-pages.ts';
import type { FoundPage } from './search/search-index.ts';

/**
 * How much a hit counts on pages that few people look for, by the first word of their address: what a program wrote, what is for one kind of shop,
 * and how Florin is made.
 */
const worths: Readonly<Record<string, number>> = {
  changelog: 0.3,
  ...{ decisions: 0.5, asvs: 0.5, fuzz: 0.5, dependencies: 0.5 },
  ...{ contributing: 0.5, architecture: 0.5, look: 0.5 },
  ...{ reference: 0.5, experience: 0.6, cli: 0.65, sdk: 0.65, receivers: 0.65, shop: 0.65 },
  ...{ contract: 0.7, btcpay: 0.7, woocommerce: 0.8, threat: 0.7, performance: 0.7 },
};

/** Long lists that are searched by their headings alone: their words would be a seventh of the index. */
const brief = ['/docs/changelog', '/docs/asvs', '/docs/dependencies'];

function worthOf(address: string): number {
  const [, name = ''] = /^\/(?:docs\/)?(\w+)/.exec(address) ?? [];
  return worths[name] ?? 1;
}

/** All that the search finds: the parts of every document, and every call and event of the reference. */
export async function foundPages(
  documents: readonly DocPage[],
  reference: readonly ReferencePage[],
): Promise<FoundPage[]> {
  const ofDocuments = await Promise.all(
    documents.map(async (page) => {
      const { sections } = await renderPage(page, documents);
      const isBrief = brief.includes(page.address);
      const places = sections.map(({ heading, text }, at) => {
        const anchor = at === 0 ? '' : heading.id;
        return { anchor, heading: heading.text, text: isBrief ? heading.text : text };
      });
      return { ...page, worth: worthOf(page.address), places };
    }),
  );
  const ofReference = reference.map(({ address, title, purpose, parts }) => ({
    ...{ address, title: `${title} (reference)`, purpose, worth: worthOf(address) },
    places: [{ anchor: '', heading: title, text: purpose }, ...parts],
  }));
  return [...ofDocuments, ...ofReference];
}
