import { existsSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import type { Plugin } from 'vite';
import { textsOf } from './dashboard-texts.ts';
import { childrenOf, isNode, type Node, treeOf } from './syntax-tree.ts';

const textFile = /[\\/]src[\\/]texts[\\/][\w-]+\.json$/;

/** For a page with few scripts: its build contains only the texts of the scripts of `entry`, in each language. */
export function ownTexts(entry: string): Plugin {
  const own = new Set(Object.keys(textsOf(scriptsOf(entry)).texts));
  return {
    name: 'own-texts',
    enforce: 'pre',
    transform: (code, id) => (textFile.test(id) ? JSON.stringify(chosen(JSON.parse(code), own)) : null),
  };
}

/** The texts with these keys. */
export function chosen(texts: Record<string, unknown>, keys: ReadonlySet<string>): Record<string, unknown> {
  return Object.fromEntries(Object.entries(texts).filter(([key]) => keys.has(key)));
}

/** The file of a script, and all our files that it imports, at once or later. */
export function scriptsOf(entry: string): string[] {
  const found = new Set<string>();
  const visit = (file: string): void => {
    if (found.has(file) || !/\.tsx?$/.test(file) || !existsSync(file)) return;
    found.add(file);
    for (const name of importsOf(treeOf(file))) if (name.startsWith('.')) visit(resolve(dirname(file), name));
  };
  visit(resolve(entry));
  return [...found];
}

const importing = ['ImportDeclaration', 'ImportExpression', 'ExportNamedDeclaration', 'ExportAllDeclaration'];

function importsOf(node: Node): string[] {
  const own =
    importing.includes(node.type) && node.importKind !== 'type' && isNode(node.source)
      ? [`${node.source.value}`]
      : [];
  return [...own, ...childrenOf(node).flatMap(importsOf)];
}
