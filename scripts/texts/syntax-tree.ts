import { readFileSync } from 'node:fs';
import { parseAst } from 'vite';

/** A node of the syntax tree of a script. */
export type Node = { type: string; [key: string]: unknown };

/** The tree of a file in TypeScript, with elements where its name ends in `x`. */
export function treeOf(file: string): Node {
  const lang = file.endsWith('x') ? 'tsx' : 'ts';
  return parseAst(readFileSync(file, 'utf8'), { lang }) as unknown as Node;
}

export const isNode = (value: unknown): value is Node =>
  typeof value === 'object' && value !== null && typeof (value as Node).type === 'string';

/** The nodes directly below another one. */
export function childrenOf(node: Node): Node[] {
  return Object.values(node).flat().filter(isNode);
}

/** The name of an identifier; an empty text for other nodes. */
export const nameOf = (node: unknown): string =>
  isNode(node) && typeof node.name === 'string' ? node.name : '';
