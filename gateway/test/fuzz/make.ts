import type { Person } from '../support/console.ts';
import type { Call } from './document.ts';
import { fromSchema, type Schema, valueFor } from './from-schema.ts';
import { oddBody, oddText } from './odd.ts';
import type { Random } from './random.ts';
import type { World } from './world.ts';

export const kinds = [
  'api',
  'console',
  'sign-in',
  'page',
  'cookies',
  'headers',
  'raw',
  'files',
  'json',
] as const;
export type Kind = (typeof kinds)[number];

/** A request as it is sent, and who sends it. */
export type FuzzRequest = {
  kind: Kind;
  method: string;
  /** Null: no route is meant. */
  call: Call | null;
  bytes: Buffer;
  /** On a connection of its own, which it ends. */
  isRaw: boolean;
  person: Person | null;
};

export type Draft = {
  method: string;
  target: string;
  headers: string[];
  body: string | null;
};

export type Calls = { api: Call[]; console: Call[]; auth: Call[]; pages: Call[]; files: Call[] };

/** What takes long, or starts work that does: it is called more rarely. */
const slow =
  /clock\/advance|\/checks$|replay$|payouts\/batch|sign-(?:in|up)$|password|\/confirm$|ledger-audits$|export\/payments|\/statements|recovery-codes|domain\/verify|wallet$|mails\/test|openapi/;
const slowShare = 0.04;

export function pickCall(calls: readonly Call[], random: Random): Call {
  for (;;) {
    const call = random.pick(calls);
    if (!slow.test(call.path) || random.chance(slowShare)) return call;
  }
}

/** The bytes of a request. */
export function bytesOf({ method, target, headers, body }: Draft): Buffer {
  const length = body === null ? [] : [`content-length: ${Buffer.byteLength(body)}`];
  const head = [`${method} ${target} HTTP/1.1`, 'host: 127.0.0.1', ...headers, ...length].join('\r\n');
  return Buffer.from(`${head}\r\n\r\n${body ?? ''}`);
}

/** The call's address, about what is known, what is not there, and what is no name at all. */
export function targetOf({ path, query }: Call, random: Random, { known, people, app }: World): string {
  const place = path
    .replace(
      /^\/console\/merchants\/:merchant/,
      random.chance(0.9) ? people.merchant : '/console/merchants/x',
    )
    .replace(/^\/console\/integrations\/:integration/, people.integration)
    .replace(/:mode\b/, () => random.pick(['test', 'test', 'test', 'live', 'prod']))
    .replace(/:\w+|\{\w+\}|\*$/g, (name) => {
      if (random.chance(0.15)) return encodedText(random);
      if (/integration/.test(name)) return app.integrationId;
      return /reference|payment/.test(name) ? known.references.pick(random) : known.ids.pick(random);
    });
  const fields = query.filter(() => random.chance(0.4)).map(({ name, schema }) => [name, schema] as const);
  if (query.length === 0 && random.chance(0.2)) fields.push([random.pick(queryNames), {}]);
  if (fields.length === 0) return place;
  const pairs = fields.map(([name, schema]) => {
    const value = random.chance(0.3)
      ? encodedText(random)
      : encodeURIComponent(asText(fromSchema(schema, random, 0.15, name)));
    return `${name}=${value}`;
  });
  if (random.chance(0.1)) pairs.push(pairs[0] as string);
  return `${place}?${pairs.join('&')}`;
}

const queryNames = [
  'cursor',
  'limit',
  'search',
  'q',
  'status',
  'from',
  'to',
  'since',
  'asset',
  'person',
  'format',
  'month',
];

function encodedText(random: Random): string {
  const text = oddText(random);
  // Some of it as it is, and never what would end the line.
  if (random.chance(0.1))
    return random.pick(['%00', '%zz', '%', '..', '%2e%2e%2f', '%F0%9F%98%80', '%ff', ';', '~']);
  return encodeURIComponent(text.toWellFormed());
}

function asText(value: unknown): string {
  const text = typeof value === 'string' ? value : `${JSON.stringify(value)}`;
  return text.toWellFormed();
}

/** A JSON body for the call: by its schema, or of the fields that it was heard to read. */
export function bodyOf(call: Call, random: Random, { known }: World, oddness: number): string | null {
  if (call.method === 'GET' || call.method === 'HEAD') return null;
  if (random.chance(0.08)) return oddBody(random);
  if (call.body) return JSON.stringify(fromSchema(call.body as Schema, random, oddness));
  const names = known.fields.get(call.path);
  const fields = [...(names ?? [])].filter(() => random.chance(0.85));
  if (!names || random.chance(0.2)) fields.push(random.pick(commonNames));
  return JSON.stringify(Object.fromEntries(fields.map((name) => [name, valueFor(name, random)])));
}

/** Fields that calls of the dashboard read; which of them read which is learned from their refusals. */
const commonNames = [
  ...[
    'name',
    'reason',
    'email',
    'role',
    'url',
    'events',
    'amount',
    'price',
    'price_amount',
    'asset',
    'to',
    'memo',
    'outcome',
    'seconds',
    'text',
  ],
  ...[
    'code',
    'token',
    'password',
    'current_password',
    'new_password',
    'username',
    'currency',
    'image',
    'domain',
    'bps',
  ],
  ...[
    'actions',
    'addresses',
    'overlap_days',
    'tone',
    'until',
    'status',
    'expected',
    'limit',
    'label',
    'response',
    'since',
  ],
];

/** The field that a refusal is about. */
export function fieldOf(message: string): string | null {
  return /^([a-z][a-z_]{1,30})(?:[.[]\S*)? (?:is|must|has|are)\b/.exec(message)?.[1] ?? null;
}
