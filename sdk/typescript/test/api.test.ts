import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import type { OpenApi } from '../../../gateway/src/api/document/document.ts';
import { inlined } from '../../../gateway/src/api/document/inline.ts';
import { readApi } from '../../../scripts/openapi.ts';
import { sdkTypes, typesOf } from '../../../scripts/sdk-types.ts';

const source = join(import.meta.dirname, '../src');
const generated = await sdkTypes();
const { document: named, types } = await readApi();
const document = inlined(named);
const namesIn = (text: string): string[] =>
  text.match(/(?<=')(?:GET|PUT|POST|PATCH|DELETE) \/[^']*(?=')/g) ?? [];

describe('the gateway’s OpenAPI document and the SDK', () => {
  // Every request, every answer, every field and every enum is in these files: they agree, or the text differs.
  test.each(generated)('agree on $path', ({ current, expected }) => {
    expect(current).toBe(expected);
  });

  test('have the same calls', () => {
    const described = namesIn(generated.find(({ path }) => path.endsWith('api-calls.ts'))!.expected);
    const files = globSync('*.ts', { cwd: source, exclude: ['api-*.ts', '*.test.ts'] });
    const made = files.flatMap((file) => namesIn(readFileSync(join(source, file), 'utf8')));
    expect(described.length).toBeGreaterThan(20);
    expect([...new Set(made)].toSorted()).toEqual(described.toSorted());
  });
});

describe('the types would not be the same', () => {
  type Fields = { properties: Record<string, { enum: string[] }>; required: string[] };
  const bodyOf = ({ paths }: OpenApi) =>
    paths['/payment/create']!.put!.requestBody!.content['application/json'].schema as Fields;
  const answerOf = ({ paths }: OpenApi) =>
    paths['/balances']!.get!.responses[200].content['application/json'].schema.properties!
      .data as unknown as {
      properties: { items: { items: Fields } };
    };

  const textOf = (given: OpenApi): string => JSON.stringify(typesOf({ document: given, types }));

  test.each<[string, (changed: OpenApi) => void]>([
    ['a currency more', (changed) => void bodyOf(changed).properties.currency!.enum.push('EURC')],
    ['a currency less', (changed) => void bodyOf(changed).properties.currency!.enum.pop()],
    ['a field of a request less', (changed) => void delete bodyOf(changed).properties.payment_note],
    ['a field that became required', (changed) => void bodyOf(changed).required.push('customer_email')],
    [
      'a field of an answer less',
      (changed) => void delete answerOf(changed).properties.items.items.properties.held,
    ],
    [
      'another type of a field',
      (changed) =>
        void Object.assign(answerOf(changed).properties.items.items.properties.held!, { type: 'number' }),
    ],
    ['a call less', (changed) => void delete changed.paths['/balances']!.get],
    ['a call more', (changed) => void Object.assign(changed.paths, { '/more': changed.paths['/balances'] })],
  ])('with %s', (_, change) => {
    const changed = structuredClone(document);
    change(changed);
    expect(textOf(changed)).not.toBe(textOf(document));
  });
});
