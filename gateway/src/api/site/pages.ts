import { existsSync, globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

/** The directory of the whole project. */
export const root = join(import.meta.dirname, '../../../..');

/** A document and its address on the site. */
export type DocPage = { file: string; address: string; title: string };

export type DocGroup = { name: string; pages: DocPage[] };

/** Documents by their group, in the order of the menu; one of `docs/` that is in no group is under "More". */
const groups: Record<string, string[]> = {
  'First steps': [
    'quick-start',
    'api',
    'webhooks',
    'test-mode',
    'states',
    'errors',
    'contract',
    'idempotency',
    'cli',
    'agents',
    'glossary',
  ],
  'Money and users': [
    'payment-links',
    'frame',
    'btcpay',
    'woocommerce',
    'payouts',
    'strays',
    'pi',
    'wallets',
    'wallet-backend',
    'dashboard',
    'books',
    'notices',
    'languages',
  ],
  'Run a gateway': [
    ...['configuration', 'operations', 'secrets', 'security', 'threat-model', 'data', 'asvs', 'releases'],
    ...['rates', 'contracts', 'vault', 'sweeping', 'performance', 'experience'],
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
  const title = /^# (.+)$/m.exec(text)?.[1] ?? name;
  return { file, address: `/docs/${name}`, title: title.replaceAll('`', '') };
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
  const names = globSync('*.md', { cwd: join(root, 'docs') }).map((file) => file.replace(/\.md$/, ''));
  const grouped = Object.values(groups).flat();
  const more = names.filter((name) => !grouped.includes(name)).sort();
  const ofDocs = (chosen: string[]) =>
    chosen.filter((name) => names.includes(name)).map((name) => pageOf(`docs/${name}.md`, name));
  const ofOthers = Object.entries(others)
    .filter(([, file]) => existsSync(join(root, file)))
    .map(([name, file]) => pageOf(file, name));
  return [
    ...Object.entries(groups).map(([name, chosen]) => ({ name, pages: ofDocs(chosen) })),
    { name: 'More', pages: [...ofOthers, ...ofDocs(more)] },
    { name: 'Decisions', pages: decisions() },
  ];
}
