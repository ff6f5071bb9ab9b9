import { fieldName, isObject } from './go-types.ts';
import type { Api } from './model.ts';
import type { Field, Type } from './schemas.ts';

/** A value of a type in Go, outside of the SDK's package; what it has inside stands `depth` tabs in. */
export function goValue(type: Type, value: unknown, api: Api, depth: number): string {
  switch (type.kind) {
    case 'list':
    case 'oneOrList': {
      const name = type.kind === 'list' ? `[]${nameOf(type.of)}` : `florin.OneOrMore[${nameOf(type.of)}]`;
      const all = Array.isArray(value) ? value : [value];
      const items = all.map((each) =>
        goValue(type.of, each, api, depth + 1).replace(/^florin\.\w+(?=\{)/, ''),
      );
      const line = `${name}{${items.join(', ')}}`;
      if (!line.includes('\n') && line.length < 80) return line;
      return `${name}{\n${items.map((item) => `${tabs(depth + 1)}${item},\n`).join('')}${tabs(depth)}}`;
    }
    case 'model':
      return modelValue(type.name, value, api, depth);
    case 'integer':
    case 'boolean':
      return `${value}`;
    default:
      return JSON.stringify(`${value}`);
  }
}

const tabs = (depth: number): string => '\t'.repeat(depth);
const nameOf = (type: Type): string => (type.kind === 'model' ? `florin.${type.name}` : 'string');

function modelValue(name: string, value: unknown, api: Api, depth: number): string {
  const model = api.models.find((each) => each.name === name);
  if (!model || !('fields' in model)) return `florin.${name}${fieldName(`${value}`)}`;
  const given = value as Record<string, unknown>;
  const rows = model.fields
    .filter((field) => given[field.name] !== undefined)
    .map((field) => [`${fieldName(field.name)}:`, fieldValue(field, given[field.name], api, depth + 1)]);
  if (rows.length === 0) return `florin.${name}{}`;
  const line = `florin.${name}{${rows.map((row) => row.join(' ')).join(', ')}}`;
  if (!line.includes('\n') && line.length < 60) return line;
  // As gofmt does: next to each other, values of one line begin at one place.
  const widths = rows.map((_, index) => {
    const run = [...rows.entries()].filter(([other]) => isNextTo(rows, index, other));
    return Math.max(...run.map(([, [key = '']]) => key.length));
  });
  const written = rows.map(([key = '', text = ''], index) => {
    const padded = text.includes('\n') ? key : key.padEnd(widths[index] ?? 0);
    return `${tabs(depth + 1)}${padded} ${text},\n`;
  });
  return `florin.${name}{\n${written.join('')}${tabs(depth)}}`;
}

/** Whether only values of one line are between two rows, and in them. */
function isNextTo(rows: string[][], one: number, other: number): boolean {
  const between = rows.slice(Math.min(one, other), Math.max(one, other) + 1);
  return between.every(([, text = '']) => !text.includes('\n'));
}

function fieldValue(field: Field, value: unknown, api: Api, depth: number): string {
  const { type } = field;
  const inner = type.kind === 'nullable' ? type.of : type;
  const written = goValue(inner, value, api, depth);
  if (isObject(inner, api) && !field.isRequired) return `&${written}`;
  return type.kind === 'nullable' || field.zeroCounts ? `florin.Ptr(${written})` : written;
}
