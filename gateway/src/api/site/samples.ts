import { readFileSync } from 'node:fs';
import type { Example } from '../document/examples.ts';
import { literal, typescript } from './literals.ts';

/** Stands for the reader's key in every sample; the page's script puts a test key in its place. */
export const keyPlaceholder = 'sk_test_YOUR_KEY';

/** A request, as curl sends it. */
export type Request = {
  method: string;
  url: string;
  headers: Record<string, string>;
  body?: Record<string, unknown>;
};

/** The request of a call such as `PUT /payment/create`, with the values of its example. */
export function requestOf(call: string, example: Example, baseUrl: string): Request {
  const [method = '', template = ''] = call.split(' ');
  const path = template.replace(/\{(\w+)\}/g, (_, name: string) =>
    encodeURIComponent(example.path[name] ?? ''),
  );
  const search = example.query ? `?${new URLSearchParams(example.query)}` : '';
  return {
    method,
    url: baseUrl + path + search,
    headers: {
      Authorization: `Bearer ${keyPlaceholder}`,
      ...(method !== 'GET' && { 'Idempotency-Key': 'order-1001' }),
      ...(example.body && { 'Content-Type': 'application/json' }),
    },
    ...(example.body && { body: example.body }),
  };
}

/** Writes the call of the SDK, such as `payments.create({ ... }, { idempotencyKey: 'order-1001' })`, as its route states it. */
export function writtenCall(sdkCall: string, example: Example): string {
  const query = Object.entries(example.query ?? {}).map(([name, value]) => [
    name,
    /^\d+$/.test(value) ? BigInt(value) : value,
  ]);
  const values: Record<string, unknown> = {
    ...example.path,
    ...Object.fromEntries(query.map(([name, value]) => [`query.${name}`, value])),
    ...Object.fromEntries(Object.entries(example.body ?? {}).map(([name, value]) => [`body.${name}`, value])),
    ...(query.length > 0 && { query: Object.fromEntries(query) }),
    ...(example.body && { body: example.body }),
    key: { idempotencyKey: 'order-1001' },
  };
  const [name = '', args = ''] = sdkCall.split(/[()]/);
  const given = [...args.matchAll(/\{([\w.]+)\}/g)].map(([, place = '']) => values[place]);
  // What is left out at the end needs no place.
  while (given.length > 0 && given.at(-1) === undefined) given.pop();
  return `${name}(${given.map((value) => (value === undefined ? '{}' : literal(value, typescript))).join(', ')})`;
}

const quoted = (text: string): string => `'${text.replaceAll("'", "'\\''")}'`;

function inCurl({ method, url, headers, body }: Request): string {
  const lines = [
    `curl${method === 'GET' ? '' : ` -X ${method}`} ${quoted(url)}`,
    ...Object.entries(headers).map(([name, value]) => `-H ${quoted(`${name}: ${value}`)}`),
    ...(body ? [`-d ${quoted(JSON.stringify(body, null, 2))}`] : []),
  ];
  return lines.join(' \\\n  ');
}

/** The SDKs for other languages, by call; `node scripts/sdk-types.ts` writes them with the SDKs. */
let written: Record<string, Record<string, string>> | undefined;

function inOthers(call: string, { baseUrl }: Sampled): [name: string, code: string][] {
  written ??= JSON.parse(readFileSync(new URL('./sdk-samples.json', import.meta.url), 'utf8')) as NonNullable<
    typeof written
  >;
  return Object.entries(written[call] ?? {}).map(([name, code]) => [
    name,
    code.replaceAll('https://pay.example.com', baseUrl),
  ]);
}

/** Where samples send a call, and the call of the SDK that makes it. */
export type Sampled = { baseUrl: string; sdkCall: string };

const inTypescript = (
  example: Example,
  { baseUrl, sdkCall }: Sampled,
): string => `import { createClient } from '@florin/sdk';

const florin = createClient({ secretKey: '${keyPlaceholder}', baseUrl: '${baseUrl}' });
const data = await florin.${writtenCall(sdkCall, example)};`;

/** The call in each language, in the order of the tabs. */
export function samplesOf(call: string, example: Example, sampled: Sampled): [name: string, code: string][] {
  const request = requestOf(call, example, sampled.baseUrl);
  return [
    ['curl', inCurl(request)],
    ['TypeScript', inTypescript(example, sampled)],
    ...inOthers(call, sampled),
  ];
}
