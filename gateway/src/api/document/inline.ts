import type { OpenApi } from './document.ts';

type Node = Record<string, unknown>;

/**
 * The document with each reference replaced by what it names, as readers of schemas need it. What stands beside a
 * reference is said of its place; the description of a named schema is said of the name, and is left out.
 */
export function inlined(document: OpenApi): OpenApi {
  const at = (reference: string): Node =>
    reference
      .slice(2)
      .split('/')
      .reduce<unknown>((node, part) => (node as Node)[part], document) as Node;
  const copy = (node: unknown): unknown => {
    if (Array.isArray(node)) return node.map(copy);
    if (typeof node !== 'object' || node === null) return node;
    const { $ref, ...rest } = node as Node;
    if (typeof $ref !== 'string')
      return Object.fromEntries(Object.entries(node).map(([k, v]) => [k, copy(v)]));
    const { description, ...named } = at($ref);
    const isSchema = $ref.startsWith('#/components/schemas/');
    return copy({ ...(isSchema ? named : { description, ...named }), ...rest });
  };
  const { components, ...rest } = document;
  return { ...(copy(rest) as Omit<OpenApi, 'components'>), components };
}
