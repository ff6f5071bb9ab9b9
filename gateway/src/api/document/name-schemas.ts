import type { OpenApi, Schema } from './document.ts';
import { namedTypes } from './names.ts';
import { type Parts, partsOf, schemaAt } from './parts.ts';

const refusal = { name: 'Refusal', doc: 'The body of every refused request.' };

/** What may be said of one place of a schema, beside its name. */
const ofThePlace = ({ description, default: value }: Schema) => ({
  ...(description !== undefined && { description }),
  ...(value !== undefined && { default: value }),
});

/** Two schemas with the same text are the same. */
function textOf({ description: _, default: __, ...schema }: Schema): string {
  return JSON.stringify(schema);
}

/** The parts of every call, such as `PUT /payment/create`. */
export function callsOf({ paths }: Pick<OpenApi, 'paths'>): Map<string, Parts> {
  const all = Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(
      ([method, operation]) => [`${method.toUpperCase()} ${path}`, partsOf(operation)] as const,
    ),
  );
  return new Map(all);
}

/** Moves every schema that has a name to `components`, and puts a reference in each of its places. */
export function nameSchemas(document: OpenApi): OpenApi {
  const calls = callsOf(document);
  const [anyCall] = Object.values(document.paths).flatMap((methods) => Object.values(methods));
  const names = new Map<string, { name: string; doc: string }>();
  for (const named of Object.values(namedTypes).flat()) names.set(textOf(schemaAt(calls, named.at)), named);
  const refused = anyCall?.responses['4XX']?.content['application/json'].schema;
  if (refused) names.set(textOf(refused), refusal);

  const schemas: Record<string, Schema> = {};
  const parts = (node: object): object =>
    Object.fromEntries(Object.entries(node).map(([key, value]) => [key, placed(value)]));
  const placed = (node: unknown): unknown => {
    if (Array.isArray(node)) return node.map(placed);
    if (typeof node !== 'object' || node === null) return node;
    const named = names.get(textOf(node));
    if (!named) return parts(node);
    const { description: _, default: __, ...schema } = node as Schema;
    schemas[named.name] ??= { ...parts(schema), description: named.doc };
    return { $ref: `#/components/schemas/${named.name}`, ...ofThePlace(node as Schema) };
  };
  const { paths, webhooks, ...rest } = document;
  const withNames = { paths: placed(paths), webhooks: placed(webhooks) } as Pick<
    OpenApi,
    'paths' | 'webhooks'
  >;
  const components = { ...document.components, schemas: { ...document.components.schemas, ...schemas } };
  return { ...rest, ...withNames, components };
}
