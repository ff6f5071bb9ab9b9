import { runInNewContext } from 'node:vm';
import { expect, test } from 'vitest';
import { readApi } from '../../../../scripts/openapi.ts';
import { createClient } from '../../../../sdk/typescript/src/index.ts';
import { exampleOf } from '../document/examples.ts';
import { literal, php, python, typescript } from './literals.ts';
import { requestOf, samplesOf, writtenCall } from './samples.ts';

const baseUrl = 'https://pay.example.com';
const { document, sdkCalls } = await readApi();
const calls = Object.entries(document.paths).flatMap(([path, methods]) =>
  Object.keys(methods).map((method) => `${method.toUpperCase()} ${path}`),
);

test.each(calls)('the sample of %s in TypeScript makes the request of that of curl', async (call) => {
  const example = exampleOf(call)!;
  const { method, url, body } = requestOf(call, example, baseUrl);
  const made: object[] = [];
  const florin = createClient({
    secretKey: 'sk_test_KEY',
    baseUrl,
    maxRetries: 0,
    fetch: async (input, init) => {
      made.push({
        method: init?.method,
        url: `${input}`,
        ...(init?.body && { body: JSON.parse(`${init.body}`) }),
      });
      return Response.json(example.answer);
    },
  });
  await runInNewContext(`florin.${writtenCall(sdkCalls[call] ?? '', example)}`, { florin });
  // Calls whose body is optional may be made with an empty one.
  expect(made).toEqual([{ method, url, ...(body && { body }) }]);
});

test.each(calls)('every language has a sample of %s with the address and the key', (call) => {
  const samples = samplesOf(call, exampleOf(call)!, {
    baseUrl: 'https://own.example',
    sdkCall: sdkCalls[call] ?? '',
  });
  expect(samples.map(([name]) => name)).toEqual(['curl', 'TypeScript', 'Python', 'PHP', 'Go']);
  for (const [name, code] of samples) {
    expect(code, name).toContain('sk_test_YOUR_KEY');
    expect(code, name).toContain('https://own.example');
    if (call === 'PUT /payment/create') expect(code, name).toContain('Letter paper');
  }
});

test('values are written as each language writes them', () => {
  const value = { name: "Ada's", list: [1, 2.5], none: null, yes: true, empty: {} };
  expect(literal(value, typescript)).toBe(
    "{\n  name: 'Ada\\'s',\n  list: [1, 2.5],\n  none: null,\n  yes: true,\n  empty: {},\n}",
  );
  expect(literal({ none: null, yes: true }, python)).toBe("{'none': None, 'yes': True}");
  expect(literal({ list: [1], empty: {} }, php)).toBe("['list' => [1], 'empty' => new stdClass()]");
});
