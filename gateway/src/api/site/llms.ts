import type { DocGroup } from './pages.ts';

/** Every page of the documentation with what it is for, for programs that read it (llmstxt.org). */
export function llmsText(groups: readonly DocGroup[], baseUrl: string): string {
  const parts = groups.map(({ name, pages }) => {
    const lines = pages.map(
      ({ title, address, purpose }) => `- [${title}](${baseUrl}${address}): ${purpose}`,
    );
    return `## ${name}\n\n${lines.join('\n')}\n`;
  });
  return `# Florin

> A self-hosted payment gateway for PI, USDC, USDT and CSK. Start with the quick start; the contract is the page that decides.

The calls of the API are in [the OpenAPI document](${baseUrl}/openapi.json), and for people in [the reference](${baseUrl}/reference/).

${parts.join('\n')}`;
}
