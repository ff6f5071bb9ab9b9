import { describe, expect, test } from 'vitest';
import { errorTable } from '../../../scripts/error-table.ts';
import { startApp } from '../../test/support/running.ts';
import type { ErrorRow } from '../kit/errors.ts';
import { inlined } from './document/inline.ts';

type Schema = Record<string, unknown>;
type Parameter = { name: string; in: string; required?: boolean; schema: Schema };
type Content = { content: { 'application/json': { schema: Schema } } };
type Operation = {
  summary: string;
  tags: string[];
  security?: object[];
  parameters?: Parameter[];
  requestBody?: Content & { required?: boolean };
  responses: Record<string, Content & { description: string }>;
};
type Document = {
  openapi: string;
  info: { description: string };
  servers: { url: string }[];
  security: object[];
  components: { securitySchemes: Schema };
  paths: Record<string, Record<string, Operation>>;
};

const app = await startApp();
const answer = await app.api('GET', '/openapi.json', { key: null });
const text = answer.text;
const served = JSON.parse(text);
const document = inlined(served) as unknown as Document;

function operations(): { name: string; path: string; operation: Operation }[] {
  return Object.entries(document.paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({
      name: `${method.toUpperCase()} ${path}`,
      path,
      operation,
    })),
  );
}

const names = (wrong: { name: string }[]): string[] => wrong.map(({ name }) => name);

/** Every object and array of the document, the root included. */
function* nodes(value: unknown): Generator<Schema> {
  if (typeof value !== 'object' || value === null) return;
  yield value as Schema;
  for (const child of Object.values(value)) yield* nodes(child);
}

/** The calls of contract.md#payments and #calls and the further ones, and whether each has a body. */
const calls: Record<string, 'body' | 'no body'> = {
  'PUT /payment/create': 'body',
  'GET /payment/info/{payment_reference}': 'no body',
  'POST /payment/fund-user': 'body',
  'GET /payments': 'no body',
  'GET /payments/{payment_reference}': 'no body',
  'POST /payments/{payment_reference}/cancel': 'no body',
  'GET /balances': 'no body',
  'GET /balance-entries': 'no body',
  'GET /events': 'no body',
  'GET /events/{id}': 'no body',
  'POST /events/{id}/resend': 'no body',
  'GET /webhook-endpoints': 'no body',
  'POST /webhook-endpoints': 'body',
  'GET /webhook-endpoints/{id}': 'no body',
  'PATCH /webhook-endpoints/{id}': 'body',
  'DELETE /webhook-endpoints/{id}': 'no body',
  'POST /webhook-endpoints/{id}/roll-secret': 'body',
  'POST /webhook-endpoints/{id}/end-overlap': 'no body',
  'POST /webhook-endpoints/{id}/test': 'body',
  'GET /webhook-endpoints/{id}/deliveries': 'no body',
  'POST /webhook-endpoints/{id}/replay': 'body',
  'GET /webhook-endpoints/{id}/replay': 'no body',
  'POST /test/payments/{payment_reference}/simulate': 'body',
  'GET /test/payments/{payment_reference}/script': 'no body',
  'GET /test/scenarios': 'no body',
  'GET /test/webhook-endpoints/{id}/chaos': 'no body',
  'PUT /test/webhook-endpoints/{id}/chaos': 'body',
  'GET /test/clock': 'no body',
  'POST /test/clock/advance': 'body',
  'POST /test/clock/reset': 'no body',
};

describe('the document', () => {
  test('is OpenAPI 3.1 of this gateway, for anyone to read', () => {
    expect(document).toMatchObject({
      openapi: '3.1.0',
      servers: [{ url: expect.stringMatching(/^http:\/\/127\.0\.0\.1:\d+$/) }],
    });
    expect(document.components.securitySchemes).toEqual({ key: { type: 'http', scheme: 'bearer' } });
  });

  test.each(Object.entries(calls))('has %s, with %s', (name, body) => {
    const found = operations().find((each) => each.name === name);
    expect(found?.operation.requestBody !== undefined).toBe(body === 'body');
    expect(found?.operation).toMatchObject({ summary: expect.any(String), tags: [expect.any(String)] });
  });

  test('describes the answers and the refusals of every call', () => {
    const wrong = operations().filter(({ operation: { responses } }) =>
      ['200', '4XX', '5XX'].some((status) => {
        const schema = responses[status]?.content['application/json'].schema as { required?: string[] };
        return !['message', 'data'].every((field) => schema?.required?.includes(field));
      }),
    );
    expect(names(wrong)).toEqual([]);
  });

  test('asks for a key wherever one is needed', () => {
    expect(document.security).toEqual([{ key: [] }]);
    const open = operations().filter(({ operation }) => operation.security !== undefined);
    expect(names(open)).toEqual(['GET /payment/info/{payment_reference}']);
    expect(open[0]?.operation.security).toEqual([{}, { key: [] }]);
  });

  test('declares every parameter of every path, and no other', () => {
    const wrong = operations().filter(({ path, operation }) => {
      const inPath = [...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => name);
      const declared = (operation.parameters ?? []).filter((each) => each.in === 'path' && each.required);
      return declared.map((each) => each.name).join() !== inPath.join() || /:/.test(path);
    });
    expect(names(wrong)).toEqual([]);
  });

  test('has no reference to what it does not contain', () => {
    const references = [...nodes(served)].flatMap(({ $ref }) => (typeof $ref === 'string' ? [$ref] : []));
    const dangling = references.filter((reference) => {
      const parts = reference.replace(/^#\//, '').split('/');
      return parts.reduce<unknown>((at, part) => (at as Schema | undefined)?.[part], served) === undefined;
    });
    expect(dangling).toEqual([]);
  });

  test('has nothing of what routes and schemas say for the SDK alone', () => {
    expect([...nodes(served)].filter((node) => 'x-named' in node || 'sdk' in node)).toEqual([]);
  });

  test('has no undefined value, and requires only fields that it describes', () => {
    expect(text).not.toMatch(/\bundefined\b|\[object/);
    const wrong = [...nodes(document)].filter(
      ({ required, properties }) =>
        Array.isArray(required) &&
        required.some((name: string) => !Object.hasOwn(properties as object, name)),
    );
    expect(wrong).toEqual([]);
  });

  test('has every error once, with its code, status and message', () => {
    const lines = document.info.description.split('\n').filter((line) => /^\| \d{3} \|/.test(line));
    const words = ({ status, slug, code, message }: ErrorRow) => [
      `| ${status} |`,
      `\`${slug}\``,
      `${code}`,
      message,
    ];
    const wrong = errorTable.filter(
      (row) => lines.filter((line) => words(row).every((word) => line.includes(word))).length !== 1,
    );
    expect(wrong).toEqual([]);
    expect(lines).toHaveLength(errorTable.length);
    expect(new Set(errorTable.map(({ slug }) => slug)).size).toBe(errorTable.length);
    expect(new Set(errorTable.map(({ code }) => code)).size).toBe(errorTable.length);
  });

  test('describes the fields of create as they are read', () => {
    const { schema } = document.paths['/payment/create']!.put!.requestBody!.content['application/json'];
    expect(schema).toMatchObject({
      required: ['payment_type'],
      properties: { currency: { enum: ['PI', 'USDC', 'USDT', 'CSK'] }, fee_payer: { default: 'merchant' } },
    });
  });
});
