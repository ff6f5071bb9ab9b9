import type { Schema } from '../gateway/src/api/document/document.ts';
import type { Parts } from '../gateway/src/api/document/parts.ts';

/** The names of schemas, by their shape. */
export type Names = Map<string, string>;

/** Left out, because the README says it once for all amounts and times. */
const commonplaces = ['A plain decimal number as a string.', 'ISO 8601, UTC.'];

/** Schemas of the same shape have the same text, whatever else they say of lengths and formats. */
export function shapeOf(schema: Schema): string {
  return print(schema, new Map(), true).replaceAll(/\/\*\*.*?\*\//g, '');
}

/** The TypeScript of a schema; by its name where it has one, unless `isDefinition`. */
export function print(schema: Schema, names: Names, isDefinition = false): string {
  const name = isDefinition || names.size === 0 ? undefined : names.get(shapeOf(schema));
  if (name) return name;
  if (schema.const !== undefined) return literal(schema.const);
  if (schema.enum) return schema.enum.map(literal).join(' | ');
  if (schema.anyOf) return schema.anyOf.map((each) => print(each, names)).join(' | ');
  switch (schema.type) {
    case 'array':
      return `(${print(schema.items!, names)})[]`;
    case 'object':
      return printObject(schema, names);
    case 'integer':
      return 'number';
    case 'string':
    case 'number':
    case 'boolean':
    case 'null':
      return schema.type;
  }
  throw new Error(`No type is known for ${JSON.stringify(schema)}`);
}

function printObject(schema: Schema, names: Names): string {
  const { properties, required = [] } = schema;
  if (!properties) return 'Record<string, unknown>';
  if (Object.keys(properties).join() === 'items,next_cursor' && names.size > 0) {
    return `Page<${print(properties.items!.items!, names)}>`;
  }
  const fields = Object.entries(properties).map(([key, property]) => {
    const { description = '' } = property;
    const isTold = description !== '' && !commonplaces.includes(description);
    const doc = isTold ? `/** ${description.replaceAll('*/', '')} */\n` : '';
    const type = print(property, names);
    return `${doc}${key}${required.includes(key) ? `: ${type}` : `?: ${type} | undefined`};`;
  });
  return `{\n${fields.join('\n')}\n}`;
}

/** The TypeScript of a call. */
export function printParts({ path: places, query, body, answer }: Parts, names: Names): string {
  const parts: string[] = [];
  if (places.length > 0) parts.push(`path: [${places.map((place) => `${place}: string`).join(', ')}]`);
  if (query) parts.push(`query${query.required?.length ? '' : '?'}: ${print(query, names)}`);
  if (body) parts.push(`body: ${print(body, names)}`);
  return [...parts, `answer: ${print(answer, names)}`].join('; ');
}

function literal(value: string | number | boolean): string {
  return typeof value === 'string' ? `'${value}'` : `${value}`;
}
