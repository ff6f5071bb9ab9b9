import type { Name } from '../../kit/http/answers.ts';
import type { ApiRoute, NamedSchema, OpenApi, Schema } from './document.ts';

/** What may be said of one place of a schema, beside its name. */
const ofThePlace = ({ description, default: value }: Schema) => ({
  ...(description !== undefined && { description }),
  ...(value !== undefined && { default: value }),
});

/** Two schemas with the same text are the same. */
function textOf({ description: _, default: __, ...schema }: Schema): string {
  return JSON.stringify(schema);
}

/** Copies of the routes whose schemas have no names, and what had one: parts before the whole, each name once. */
export function takeNames(routes: readonly ApiRoute[]): { plain: ApiRoute[]; types: NamedSchema[] } {
  const types = new Map<string, NamedSchema>();
  const note = ({ name, doc }: Name, schema: Schema, tag: string) => {
    const known = types.get(name);
    if (known && textOf(known.schema) !== textOf(schema)) throw new Error(`Two schemas are named ${name}`);
    if (!known) types.set(name, { name, doc, schema, tag });
  };
  const copy = (node: unknown, tag: string): unknown => {
    if (Array.isArray(node)) return node.map((each) => copy(each, tag));
    if (typeof node !== 'object' || node === null) return node;
    const { 'x-named': called, ...rest } = node as { 'x-named'?: Name };
    const plain = Object.fromEntries(Object.entries(rest).map(([key, value]) => [key, copy(value, tag)]));
    if (called) note(called, plain, tag);
    return plain;
  };
  const plain = routes.map(({ schema, ...route }) => {
    const [tag = ''] = schema.tags ?? [];
    return { ...route, schema: copy(schema, tag) as ApiRoute['schema'] };
  });
  return { plain, types: [...types.values()] };
}

/** Moves every schema that has a name to `components`, and puts a reference in each of its places. */
export function nameSchemas(document: OpenApi, types: readonly NamedSchema[]): OpenApi {
  const names = new Map<string, Name>(types.map((type) => [textOf(type.schema), type]));
  const schemas: Record<string, Schema> = {};
  const parts = (node: object): object =>
    Object.fromEntries(Object.entries(node).map(([key, value]) => [key, placed(value)]));
  const placed = (node: unknown): unknown => {
    if (Array.isArray(node)) return node.map(placed);
    if (typeof node !== 'object' || node === null) return node;
    const called = names.get(textOf(node));
    if (!called) return parts(node);
    const { description: _, default: __, ...schema } = node as Schema;
    schemas[called.name] ??= { ...parts(schema), description: called.doc };
    return { $ref: `#/components/schemas/${called.name}`, ...ofThePlace(node as Schema) };
  };
  const { paths, webhooks, ...rest } = document;
  const withNames = { paths: placed(paths), webhooks: placed(webhooks) } as Pick<
    OpenApi,
    'paths' | 'webhooks'
  >;
  const components = { ...document.components, schemas: { ...document.components.schemas, ...schemas } };
  return { ...rest, ...withNames, components };
}
