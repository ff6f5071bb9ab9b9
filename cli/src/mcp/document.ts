/** A JSON Schema, as far as tools read it. */
export type Schema = {
  type?: string;
  description?: string;
  format?: string;
  default?: unknown;
  properties?: Record<string, Schema>;
  required?: string[];
  items?: Schema;
  [keyword: string]: unknown;
};

type Parameter = {
  name: string;
  in: 'path' | 'query' | 'header';
  required?: boolean;
  description?: string;
  schema: Schema;
};

/** A call of the gateway's OpenAPI document. */
export type Operation = {
  operationId: string;
  summary: string;
  description?: string;
  'x-key-action'?: string;
  'x-moves-money'?: boolean;
  parameters?: (Parameter | { $ref: string })[];
  requestBody?: { content: { 'application/json': { schema: Schema } } };
};

/** The gateway's OpenAPI document, as far as tools are made from it. */
export type OpenApi = {
  info: { version: string };
  paths: Record<string, Record<string, Operation>>;
};

/** What the arguments of a call are, by where they go; no schema has a reference to another place. */
export type Parts = {
  path: Record<string, Schema>;
  query: Record<string, Schema>;
  body: Record<string, Schema>;
  required: string[];
};

// Formats of the gateway's own, which other readers of schemas do not know.
const ownFormats = ['line', 'text'];

/** The parts of a call's input. */
export function partsOf(document: OpenApi, { parameters = [], requestBody }: Operation): Parts {
  const own = parameters.flatMap((each) => ('$ref' in each ? [] : [each]));
  const schemaOf = ({ schema, description }: Parameter): Schema => ({
    ...inlined(document, schema),
    ...(description !== undefined && { description }),
  });
  const placed = (place: Parameter['in']) =>
    Object.fromEntries(own.filter((each) => each.in === place).map((each) => [each.name, schemaOf(each)]));
  const body = requestBody && inlined(document, requestBody.content['application/json'].schema);
  const required = own.filter((each) => each.required).map(({ name }) => name);
  return {
    path: placed('path'),
    query: placed('query'),
    body: body?.properties ?? {},
    required: [...required, ...(body?.required ?? [])],
  };
}

/** A schema with each reference replaced by what it names. */
function inlined(document: OpenApi, schema: Schema): Schema {
  const at = (reference: string): object =>
    reference
      .slice(2)
      .split('/')
      .reduce<object>((node, part) => (node as Record<string, object>)[part] ?? {}, document);
  const copy = (node: unknown): unknown => {
    if (Array.isArray(node)) return node.map(copy);
    if (typeof node !== 'object' || node === null) return node;
    const { $ref, ...rest } = node as Record<string, unknown>;
    if (typeof $ref === 'string') return copy({ ...at($ref), ...rest });
    const kept = Object.entries(rest).filter(
      ([key, value]) => key !== 'format' || !ownFormats.includes(value as string),
    );
    return Object.fromEntries(kept.map(([key, value]) => [key, copy(value)]));
  };
  return copy(schema) as Schema;
}
