import { existsSync, globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

/** The directory of the whole project. */
export const root = join(import.meta.dirname, '../../../..');

/** A document and its address on the site; `purpose` says in a sentence what it is for. */
export type DocPage = { file: string; address: string; title: string; purpose: string };

export type DocGroup = { name: string; pages: DocPage[] };

/** Documents by their group, in the order of the menu; one of `docs/` that is in no group is under "More". */
const groups: Record<string, string[]> = {
  'First steps': ['quick-start', 'test-mode', 'webhooks', 'keys', 'going-live', 'dashboard'],
  'Take payments': ['states', 'payment-links', 'prices', 'frame', 'woocommerce', 'btcpay', 'pi', 'languages'],
  'Money and people': ['payouts', 'books', 'notices', 'strays', 'wallets', 'wallet-backend'],
  'Write a program': [
    ...['api', 'errors', 'idempotency', 'contract', 'cli', 'agents', 'sdk'],
    ...['sdk-typescript', 'sdk-python', 'sdk-php', 'sdk-go', 'receivers', 'shop'],
  ],
  'Run a gateway': [
    ...[
      'install',
      'first-run',
      'install-compared',
      'kubernetes',
      'configuration',
      'operations',
      'upgrades',
      'backups',
      'doctor',
      'watching',
      'traces',
      'secrets',
      'security',
      'security-policy',
      'threat-model',
      'data',
      'releases',
    ],
    ...['rates', 'contracts', 'vault', 'sweeping', 'proof', 'performance', 'scale'],
  ],
  'How it is made': [
    ...[
      'glossary',
      'look',
      'architecture',
      'contributing',
      'dependencies',
      'experience',
      'fuzz',
      'asvs',
      'changelog',
    ],
  ],
};

/** Documents outside `docs/`, by the last part of their address. */
const others: Record<string, string> = {
  sdk: 'sdk/README.md',
  'sdk-typescript': 'sdk/typescript/README.md',
  'sdk-python': 'sdk/python/README.md',
  'sdk-php': 'sdk/php/README.md',
  'sdk-go': 'sdk/go/README.md',
  receivers: 'examples/receivers/README.md',
  shop: 'examples/shop/README.md',
  architecture: 'ARCHITECTURE.md',
  contributing: 'CONTRIBUTING.md',
  'security-policy': 'SECURITY.md',
  changelog: 'CHANGELOG.md',
};

function pageOf(file: string, name: string): DocPage {
  const text = readFileSync(join(root, file), 'utf8');
  const title = (/^# (.+)$/m.exec(text)?.[1] ?? name).replaceAll('`', '');
  return { file, address: `/docs/${name}`, title, purpose: firstSentenceOf(text) ?? title };
}

// Records of decisions begin with their month.
const isDate = /^\w+ \d{4}\. /;

/** The first sentence of a document's first paragraph, as plain text. */
function firstSentenceOf(document: string): string | undefined {
  const source = document.replaceAll(/<!--.*?-->/gs, '');
  const isProse = (part: string) => /^[\w`_*[]/.test(part.trim()) && !isDate.test(part);
  const plain = source
    .split(/\n{2,}/)
    .find(isProse)
    ?.replaceAll(/\[([^\]]*)\]\([^)]*\)/g, '$1')
    .replaceAll(/[*`]|\b_|_\b/g, '')
    .replaceAll(/\s+/g, ' ')
    .trim();
  return plain && (/^.+?\.(?= |$)/.exec(plain)?.[0] ?? plain.replace(/:$/, '.'));
}

/** The list of what was decided, and each record. */
function decisions(): DocPage[] {
  const records = globSync('[0-9]*.md', { cwd: join(root, 'docs/decisions') }).sort();
  return [
    pageOf('docs/decisions/README.md', 'decisions'),
    ...records.map((file) => pageOf(`docs/decisions/${file}`, `decisions/${file.replace(/\.md$/, '')}`)),
  ];
}

/** Every document of the installation, by group. */
export function docGroups(): DocGroup[] {
  const own = globSync('*.md', { cwd: join(root, 'docs') }).map((file) => file.replace(/\.md$/, ''));
  const files = new Map([
    ...own.map((name): [string, string] => [name, `docs/${name}.md`]),
    ...Object.entries(others).filter(([, file]) => existsSync(join(root, file))),
  ]);
  const pagesOf = (names: readonly string[]) =>
    names.flatMap((name) => {
      const file = files.get(name);
      return file === undefined ? [] : [pageOf(file, name)];
    });
  const grouped = Object.values(groups).flat();
  const more = own.filter((name) => !grouped.includes(name)).sort();
  return [
    ...Object.entries(groups).map(([name, chosen]) => ({ name, pages: pagesOf(chosen) })),
    ...(more.length > 0 ? [{ name: 'More', pages: pagesOf(more) }] : []),
    { name: 'Decisions', pages: decisions() },
  ];
}
