import { readFileSync } from 'node:fs';
import { join } from 'node:path';

const page = readFileSync(join(import.meta.dirname, '../docs/watching.md'), 'utf8');

const part = (heading: string): string =>
  page.split(/^## /m).find((text) => text.startsWith(`${heading}\n`)) ?? '';

/** The metrics of the gateway that docs/watching.md has, without Node's own. */
export const documentedMetrics: readonly string[] = [...part('Metrics').matchAll(/^\| `(florin_\w+)`/gm)].map(
  ([, name = '']) => name,
);

/** The alerts that docs/watching.md says what to do about. */
export const documentedAlerts: readonly string[] = [...part('Alerts').matchAll(/^### (\w+)$/gm)].map(
  ([, name = '']) => name,
);

// Of Node, Prometheus itself, node-exporter and blackbox-exporter.
const others = /^(?:nodejs_\w+|process_\w+|up|node_\w+|probe_\w+)$/;

/** The names in an expression of Prometheus that are no documented metric. */
export function unknownMetrics(expression: string): string[] {
  const bare = expression
    .replaceAll(/"[^"]*"/g, '')
    .replaceAll(/\{[^}]*\}/g, '')
    .replaceAll(/\b(?:by|on|without|ignoring|group_left|group_right) *\([^)]*\)/g, '')
    .replaceAll(/\[[^\]]*\]/g, '');
  const names = [...bare.matchAll(/[a-zA-Z_]\w*(?!\w| *\()/g)].map(([name]) =>
    name.replace(/_(?:bucket|sum|count)$/, ''),
  );
  const words = new Set(['and', 'or', 'unless', 'offset', 'by', 'e9', 'm', 'd']);
  return names.filter((name) => !words.has(name) && !others.test(name) && !documentedMetrics.includes(name));
}
