import { fieldName, goType, isObject } from './go-types.ts';
import type { Api } from './model.ts';
import type { Field, Model } from './schemas.ts';
import { lines } from './words.ts';

/** The Go of a model, aligned as gofmt does. */
export function goModel(model: Model, api: Api): string {
  const { name } = model;
  const doc = commentOf(model.doc === '' ? `${name} is an object of the API.` : `${name}: ${model.doc}`, '');
  if ('values' in model) {
    const rows = model.values.map((value) => [`\t${name}${fieldName(value)}`, name, `= "${value}"`]);
    return `${doc}type ${name} string\n\n// The values of ${name}.\nconst (\n${aligned(rows)})\n`;
  }
  return `${doc}type ${name} struct {\n${fieldsText(model.fields, api)}}\n`;
}

const commentOf = (doc: string, indent: string): string =>
  lines(doc, `${indent}// `)
    .map((line) => `${line}\n`)
    .join('');

/** Rows are aligned with those next to them; a comment separates them. */
function fieldsText(fields: Field[], api: Api): string {
  let text = '';
  let rows: string[][] = [];
  for (const field of fields) {
    const comment = commentOf(docOf(field), '\t');
    if (comment !== '') {
      text += aligned(rows) + comment;
      rows = [];
    }
    rows.push(rowOf(field, api));
  }
  return text + aligned(rows);
}

function docOf({ doc, type }: Field): string {
  const inner = type.kind === 'nullable' ? type.of : type;
  return inner.kind === 'choice' ? `${doc} One of ${inner.values.join(', ')}.`.trim() : doc;
}

function rowOf(field: Field, api: Api): string[] {
  const { name, type, isRequired, zeroCounts } = field;
  const isPointer = !isRequired && (zeroCounts || isObject(type, api));
  // Unix seconds outlive an int of 32 bits.
  const written = name === 'timestamp' ? 'int64' : goType(type, api);
  const tag = `\`json:"${name}${isRequired ? '' : ',omitempty'}"\``;
  return [`\t${fieldName(name)}`, `${isPointer ? '*' : ''}${written}`, tag];
}

function aligned(rows: string[][]): string {
  const widths = [0, 1].map((column) => Math.max(0, ...rows.map((row) => row[column]?.length ?? 0)));
  return rows
    .map((row) => `${row.map((cell, column) => cell.padEnd(widths[column] ?? 0)).join(' ')}\n`)
    .join('');
}
