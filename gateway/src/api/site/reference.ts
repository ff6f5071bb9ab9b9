import { type Html, html, trusted } from '../../kit/http/html.ts';
import type { OpenApi, Operation, Parameter, Schema } from '../document/document.ts';
import { exampleOf } from '../document/examples.ts';
import { partsOf } from '../document/parts.ts';
import type { Heading } from './markdown.ts';
import { anchorOf, codeBlock } from './markdown.ts';
import { inline, table } from './markup.ts';
import { sampleTabs } from './sample-tabs.ts';
import { keyPlaceholder, type Sampled, samplesOf } from './samples.ts';

/** A call of the document, such as `PUT /payment/create`. */
export type CallEntry = { name: string; operation: Operation };

export function callsOfTag({ paths }: OpenApi, tag: string): CallEntry[] {
  return Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods)
      .filter(([, { tags }]) => tags.includes(tag))
      .map(([method, operation]) => ({ name: `${method.toUpperCase()} ${path}`, operation })),
  );
}

export const headingOf = ({ operation }: CallEntry): Heading => ({
  level: 2,
  text: operation.summary,
  id: operation.operationId,
});

/** Everything that the reference says of a call, whose document has no references. */
export function describeCall({ name, operation }: CallEntry, sampled: Sampled): Html {
  const [method = '', path = ''] = name.split(' ');
  const { body, answer } = partsOf(operation);
  const example = exampleOf(name);
  return html`<section class="operation" aria-labelledby="${operation.operationId}">
<h2 id="${operation.operationId}">${operation.summary}</h2>
<p class="call"><span class="method">${method}</span> <code>${path}</code></p>
<p>${inline(operation.description ?? '')}</p>
<div class="sides"><div>
${parametersTable(operation, name)}
${body && fieldsTable('Body', body, name)}
${fieldsTable('Data of the answer', answer, name)}
</div><div>
${example && samples(operation.operationId, samplesOf(name, example, sampled))}
${example && html`<p class="label">Answer</p>${trusted(codeBlock(JSON.stringify(example.answer, null, 2), 'json'))}`}
</div></div></section>`;
}

function parametersTable({ parameters = [] }: Operation, name: string): Html | null {
  if (parameters.length === 0) return null;
  const places = { path: 'in the path', query: 'in the query', header: 'a header' };
  const rows = parameters.map((each: Parameter) => [
    html`<code>${each.name}</code>`,
    html`${places[each.in]}${each.in === 'query' && each.required && ', required'}`,
    described(each.schema, each.description),
  ]);
  return html`<h3>Parameters</h3>${table(['name', 'place', 'meaning'], rows, `Parameters of ${name}`)}`;
}

function fieldsTable(title: string, schema: Schema, name: string): Html | null {
  const rows = fieldsOf(schema, '');
  if (rows.length === 0) return null;
  const id = anchorOf(`${name} ${title}`);
  const content = table(['field', 'type', 'meaning'], rows, `${title} of ${name}`);
  if (title === 'Body') return html`<h3 id="${id}">${title}</h3>${content}`;
  return html`<details><summary>${title}</summary>${content}</details>`;
}

/** The rows of an object's fields, those of objects in it below their own. */
function fieldsOf(schema: Schema, prefix: string): Html[][] {
  const inside = schema.anyOf?.find(({ type }) => type !== 'null') ?? schema;
  if (inside.type === 'array' && inside.items) return fieldsOf(inside.items, `${prefix}[]`);
  const { properties = {}, required = [] } = inside;
  return Object.entries(properties).flatMap(([name, field]) => {
    const path = prefix === '' ? name : `${prefix}.${name}`;
    const isRequired = required.includes(name);
    const row = [
      html`<code>${path}</code>`,
      html`${typeOf(field)}${!isRequired && ', optional'}`,
      described(field, field.description),
    ];
    return [row, ...fieldsOf(field, path)];
  });
}

/** The type in words: `text or null`, `list of objects`. */
function typeOf(schema: Schema): string {
  if (schema.anyOf) return [...new Set(schema.anyOf.map(typeOf))].join(' or ');
  if (schema.const !== undefined) return typeof schema.const === 'string' ? 'text' : `${schema.const}`;
  if (schema.type === 'array') return `list of ${schema.items ? typeOf(schema.items) : 'value'}s`;
  if (schema.format === 'uuid') return 'UUID';
  if (schema.format === 'date-time') return 'time';
  return schema.type === undefined || schema.type === 'string' ? 'text' : schema.type;
}

function choicesOf(schema: Schema): string[] {
  if (schema.enum) return schema.enum.map((each) => `${each}`);
  if (schema.const !== undefined) return [`${schema.const}`];
  return (schema.anyOf ?? (schema.items ? [schema.items] : [])).flatMap(choicesOf);
}

function described(schema: Schema, description: string | undefined): Html {
  const choices = choicesOf(schema);
  const list = choices.map((each, index) => html`${index > 0 && ', '}<code>${each}</code>`);
  const standard =
    schema.default === undefined ? null : html`Default: <code>${JSON.stringify(schema.default)}</code>.`;
  return html`${description && inline(`${description} `)}${choices.length > 1 && html`One of ${list}. `}${standard}`;
}

/** The samples of a call; the page's script puts the reader's key in the place of its mark. */
function samples(id: string, all: [name: string, code: string][]): Html {
  return sampleTabs(
    id,
    all.map(([name, code]) => {
      const mark = `<span class="key">${keyPlaceholder}</span>`;
      return { name, code: trusted(codeBlock(code, name).replaceAll(keyPlaceholder, mark)) };
    }),
  );
}
