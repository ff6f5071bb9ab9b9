import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { type DocGroup, type DocPage, root } from './pages.ts';

/** Every page of the documentation with its first sentence, for programs that read it (llmstxt.org). */
export function llmsText(groups: readonly DocGroup[], baseUrl: string): string {
  const parts = groups.map(({ name, pages }) => {
    const lines = pages.map(
      (page) => `- [${page.title}](${baseUrl}${page.address}): ${firstSentenceOf(page)}`,
    );
    return `## ${name}\n\n${lines.join('\n')}\n`;
  });
  return `# Florin

> A self-hosted payment gateway for PI, USDC, USDT and CSK. Start with the quick start; the contract is the page that decides.

The calls of the API are in [the OpenAPI document](${baseUrl}/openapi.json), and for people in [the reference](${baseUrl}/reference/).

${parts.join('\n')}`;
}

// Records of decisions begin with their month.
const isDate = /^\w+ \d{4}\. /;

/** The first sentence of a page's first paragraph, as plain text. */
function firstSentenceOf({ file, title }: DocPage): string {
  const source = readFileSync(join(root, file), 'utf8').replaceAll(/<!--.*?-->/gs, '');
  const isProse = (part: string) => /^[\w`_*[]/.test(part.trim()) && !isDate.test(part);
  const paragraph = source.split(/\n{2,}/).find(isProse) ?? title;
  const plain = paragraph
    .replaceAll(/\[([^\]]*)\]\([^)]*\)/g, '$1')
    .replaceAll(/[*`]|\b_|_\b/g, '')
    .replaceAll(/\s+/g, ' ')
    .trim();
  return /^.+?[.:](?= |$)/.exec(plain)?.[0].replace(/:$/, '.') ?? plain;
}
