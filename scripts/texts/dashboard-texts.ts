import { readdirSync } from 'node:fs';
import { join, relative } from 'node:path';
import type { Plural } from '../../gateway/src/checkout/messages/translate.ts';
import { childrenOf, isNode, type Node, nameOf, treeOf } from './syntax-tree.ts';

type Found = { texts: Record<string, string | Plural>; faults: string[] };

const root = join(import.meta.dirname, '../../web/dashboard/src');
const calls = ['t', 'rich', 'counted'];
// Elements that hold code, which is the same in every language.
const codeElements = ['code', 'kbd', 'pre'];
const textAttributes = [
  'title',
  'label',
  'description',
  'help',
  'hint',
  'action',
  'caption',
  'what',
  'alt',
  'aria-label',
  'codeLabel',
];

/** All English texts of the dashboard's sources, and the faults: texts without `t`. */
export function dashboardTexts(): Found {
  const names = readdirSync(root, { recursive: true, encoding: 'utf8' });
  return textsOf(names.filter((name) => /\.tsx?$/.test(name)).map((name) => join(root, name)));
}

/** The same of these files alone. */
export function textsOf(files: readonly string[]): Found {
  const found: Found = { texts: {}, faults: [] };
  for (const file of files) {
    const name = relative(root, file);
    if (/\.test\.|^texts\//.test(name)) continue;
    visit(treeOf(file), name, found);
  }
  return found;
}

function visit(node: Node, file: string, found: Found): void {
  if (node.type === 'CallExpression') readCall(node, file, found);
  if (node.type === 'JSXText' && /\p{L}{2}/u.test(`${node.value}`)) {
    found.faults.push(`${file}: "${`${node.value}`.trim()}" is not in t()`);
  }
  if (node.type === 'JSXAttribute' && textAttributes.includes(nameOf(node.name)))
    readAttribute(node, file, found);
  if (node.type === 'JSXElement' && codeElements.includes(nameOf((node.openingElement as Node).name))) return;
  for (const child of childrenOf(node)) visit(child, file, found);
}

function readCall(node: Node, file: string, { texts, faults }: Found): void {
  const call = nameOf(node.callee);
  if (!calls.includes(call)) return;
  const [first, one, other] = (node.arguments as Node[]).map(literalOf);
  const text = call === 'counted' ? other : first;
  if (text === undefined) {
    faults.push(`${file}: the text of ${call}() is not written there`);
    return;
  }
  const entry = call === 'counted' ? { one: one ?? '', other: text } : text;
  if (texts[text] !== undefined && typeof texts[text] !== typeof entry) {
    faults.push(`${file}: "${text}" is in counted() and in ${call}()`);
  }
  texts[text] = entry;
}

function readAttribute(node: Node, file: string, { faults }: Found): void {
  const text = isNode(node.value) ? literalOf(node.value) : undefined;
  if (text !== undefined && /\p{Ll}{2}/u.test(text) && !/^\S+[-_]\S+$/.test(text))
    faults.push(`${file}: "${text}" is not in t()`);
}

const literalOf = (node: Node): string | undefined =>
  node.type === 'Literal' && typeof node.value === 'string' ? node.value : undefined;
