import { asPage, brokenBytes, cookieHeader } from './broken.ts';
import {
  bodyOf,
  bytesOf,
  type Calls,
  type Draft,
  type FuzzRequest,
  type Kind,
  pickCall,
  targetOf,
} from './make.ts';
import { oddBody, oddText, oddValue } from './odd.ts';
import type { Random } from './random.ts';
import type { World } from './world.ts';

/** Of a thousand requests so many are of each kind. */
const shares: readonly (readonly [Kind, number])[] = [
  ['api', 300],
  ['console', 190],
  ['raw', 110],
  ['json', 105],
  ['headers', 80],
  ['cookies', 80],
  ['files', 70],
  ['page', 60],
  ['sign-in', 5],
];

function kindOf(random: Random): Kind {
  let left = random.int(1000);
  for (const [kind, share] of shares) {
    left -= share;
    if (left < 0) return kind;
  }
  return 'api';
}

const json = 'content-type: application/json';
const types = [
  ...[
    'text/plain',
    'application/x-www-form-urlencoded',
    'multipart/form-data; boundary=x',
    'application/xml',
  ],
  ...[
    'application/json; charset=utf-16',
    'application/json;',
    'application/jsonx',
    'APPLICATION/JSON',
    '*/*',
    '',
    ';',
  ],
];

function typeOf(random: Random): string[] {
  if (random.chance(0.9)) return [json];
  return random.chance(0.2) ? [] : [`content-type: ${random.pick(types)}`];
}

function keyOf(random: Random, world: World): string[] {
  if (random.chance(0.9)) return [`authorization: Bearer ${random.pick(world.keys)}`];
  const wrong = [
    'Bearer',
    'Bearer x',
    `Bearer sk_test_${'a'.repeat(32)}`,
    'Basic YTpi',
    `Bearer ${'k'.repeat(5000)}`,
  ];
  return random.chance(0.5) ? [] : [`authorization: ${random.pick(wrong)}`];
}

function idempotencyOf(random: Random): string[] {
  if (random.chance(0.9)) return [];
  const keys = [`key-${random.int(50)}`, `"quoted-${random.int(50)}"`, 'x'.repeat(256), '"', ' ', 'é'];
  return [`idempotency-key: ${random.pick(keys)}`];
}

type Made = Draft & Pick<FuzzRequest, 'call' | 'person'>;
type Make = (random: Random, calls: Calls, world: World) => Made;

const api: Make = (random, calls, world) => {
  const call = pickCall(calls.api, random);
  const body = bodyOf(call, random, world, 0.06);
  const headers = [
    ...keyOf(random, world),
    ...(body === null ? [] : typeOf(random)),
    ...idempotencyOf(random),
  ];
  return { method: call.method, target: targetOf(call, random, world), headers, body, call, person: null };
};

const byPerson: Make = (random, calls, world) => {
  const call = pickCall(calls.console, random);
  const body = bodyOf(call, random, world, 0.1);
  const isOperators = call.path.startsWith('/console/operator');
  const person = random.chance(0.5) ? (isOperators ? 'operator' : 'owner') : random.pick(world.persons);
  const origin = random.chance(0.97) ? world.app.baseUrl : random.pick(['https://evil.example', 'null', '']);
  const headers = [
    ...[`cookie: ${world.cookieOf(person)}`, `origin: ${origin}`],
    ...(body === null ? [] : typeOf(random)),
    ...idempotencyOf(random),
  ];
  return { method: call.method, target: targetOf(call, random, world), headers, body, call, person };
};

const makers: Record<Exclude<Kind, 'raw'>, Make> = {
  api,
  console: byPerson,
  'sign-in': (random, calls, world) => {
    const call = pickCall(calls.auth, random);
    const fields = ['email', 'password', 'name', 'code', 'token', 'new_password', 'response'];
    const odd = fields.filter(() => random.chance(0.7)).map((name) => [name, oddValue(random)]);
    const body = random.chance(0.5)
      ? bodyOf(call, random, world, 0.1)
      : JSON.stringify(Object.fromEntries(odd));
    const headers = [...typeOf(random), `origin: ${world.app.baseUrl}`];
    return { method: call.method, target: call.path, headers, body, call, person: null };
  },
  page: (random, calls, world) => asPage(pickCall(calls.pages, random), random, world),
  cookies: (random, calls, world) => {
    const { call, target, method } = byPerson(
      random,
      { ...calls, console: calls.console.filter(isRead) },
      world,
    );
    const person = random.pick(world.persons);
    const headers = cookieHeader(world.cookieOf(person), random);
    return { method, target, headers, body: null, call, person: null };
  },
  headers: (random, calls, world) => {
    const made = (random.chance(0.7) ? api : byPerson)(random, calls, world);
    return { ...made, headers: [...made.headers, ...oddHeaders(random)], person: null };
  },
  files: (random, calls) => {
    const call = pickCall(calls.files, random);
    const names = [
      '',
      'nothing',
      'js/app.js',
      'index.html',
      '..%2f..%2fpackage.json',
      '%2e%2e/x',
      '%00',
      'a'.repeat(400),
    ];
    const path = call.path
      .replace('*', () => random.pick(names))
      .replace(/:\w+/g, encodeURIComponent(oddText(random).toWellFormed()));
    const isKnown = random.chance(0.8);
    const target = isKnown ? path : `/${encodeURIComponent(oddText(random).toWellFormed())}`;
    const method = random.chance(0.8)
      ? 'GET'
      : random.pick(['HEAD', 'OPTIONS', 'TRACE', 'PROPFIND', 'POST', 'DELETE']);
    return { method, target, headers: oddHeaders(random), body: null, call: null, person: null };
  },
  json: (random, calls, world) => {
    const call = pickCall(
      calls.api.filter(({ body }) => body !== null),
      random,
    );
    const headers = [`authorization: Bearer ${world.keys[0]}`, json];
    return {
      method: call.method,
      target: targetOf(call, random, world),
      headers,
      body: oddBody(random),
      call,
      person: null,
    };
  },
};

const isRead = ({ method }: { method: string }): boolean => method === 'GET';

function oddHeaders(random: Random): string[] {
  const names = [
    'accept',
    'accept-language',
    'accept-encoding',
    'range',
    'if-none-match',
    'if-modified-since',
    'origin',
  ];
  const more = [
    'sec-fetch-site',
    'sec-fetch-dest',
    'user-agent',
    'x-forwarded-for',
    'x-http-method-override',
    'referer',
  ];
  const values = [
    '*',
    'null',
    'bytes=0-0',
    'bytes=9-1',
    'bytes=-1,0-2',
    '"x"',
    'W/"',
    'gzip;q=0',
    'ar,*;q=0.1',
    '::1, 1.2.3.4',
    'PiBrowser',
    'iframe',
  ];
  return Array.from({ length: random.int(4) }, () => {
    const value = random.chance(0.7) ? random.pick(values) : printable(oddText(random));
    return `${random.pick([...names, ...more])}: ${value}`;
  });
}

/** What a header may hold; the rest is for the raw requests. */
const printable = (text: string): string =>
  Buffer.from(text.toWellFormed())
    .toString('latin1')
    .replace(/[^\t\x20-\x7e\x80-\xff]/g, '');

/** The request with this number. */
export function makeRequest(random: Random, calls: Calls, world: World): FuzzRequest {
  const kind = kindOf(random);
  if (kind === 'raw') {
    const { person: _, ...made } = (random.chance(0.6) ? api : byPerson)(random, calls, world);
    const bytes = brokenBytes(bytesOf(made), made, random);
    return { kind, method: 'GET', call: null, bytes, isRaw: true, person: null };
  }
  const made = makers[kind](random, calls, world);
  return {
    kind,
    method: made.method,
    call: made.call,
    bytes: bytesOf(made),
    isRaw: false,
    person: made.person,
  };
}
