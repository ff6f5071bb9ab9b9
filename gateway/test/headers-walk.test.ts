import { describe, expect, test } from 'vitest';
import { answerHeaders } from '../src/kit/http/answer-headers.ts';
import type { KnownRoute } from '../src/kit/http/http.ts';
import { newId } from '../src/kit/ids.ts';
import { freePorts } from './support/free-ports.ts';
import { startApp } from './support/running.ts';

// The headers of every route of the running gateway. The routes are those that it registered, so that none can be
// forgotten.

const app = await startApp();

const hrefs = (page: string): string[] =>
  [...page.matchAll(/(?:src|href)="(\/[^"]+\.(?:js|css|svg))"/g)].map(([, path]) => path as string);

/** Asks without a key and a session: what a refusal does not carry is not for everybody. */
async function answerOf(
  { method, url }: KnownRoute,
  base = app.baseUrl,
  sent: Record<string, string> = {},
): Promise<Headers> {
  const path = url.replace(/:\w+/g, newId()).replace('*', 'nothing');
  const stream = new AbortController();
  const terms = { method, redirect: 'manual', headers: sent, signal: stream.signal } as const;
  const { headers, body } = await fetch(base + path, terms);
  await body?.cancel();
  stream.abort();
  return headers;
}

/** Several tests look at the same answers: each route is asked once. */
const answers = new Map<KnownRoute, Promise<Headers>>();

function knownAnswerOf(route: KnownRoute): Promise<Headers> {
  const answer = answers.get(route) ?? answerOf(route);
  answers.set(route, answer);
  return answer;
}

async function wrongOf(routes: readonly KnownRoute[], fits: (headers: Headers) => boolean, base?: string) {
  const checked = routes.map(async (route) => {
    const headers = await (base === undefined ? knownAnswerOf(route) : answerOf(route, base));
    return { route, isFit: fits(headers) };
  });
  return (await Promise.all(checked)).filter(({ isFit }) => !isFit).map(({ route }) => route);
}

const isHashed = ({ url }: KnownRoute): boolean =>
  /^\/(?:pay|wallet)\/[\w-]+-[\w-]{16}\.(?:js|css)$/.test(url);

describe('every route', () => {
  test('of the API, the dashboard and the pages is looked at', () => {
    const names = app.routes.map(({ method, url }) => `${method} ${url}`);
    expect(names).toEqual(
      expect.arrayContaining([
        'PUT /payment/create',
        'GET /pay',
        'GET /docs/*',
        'GET /reference',
        'GET /app/*',
        'HEAD /health',
      ]),
    );
    expect(app.routes.length).toBeGreaterThan(app.consoleRoutes.length + 50);
  });

  test('says that nothing may be guessed, framed or told to other sites, and sends JSON as a file of ours', async () => {
    const { 'cache-control': _, 'content-security-policy': __, ...same } = answerHeaders(false);
    const wrong = await wrongOf(app.routes, (headers) => {
      const policy = headers.get('content-security-policy') ?? '';
      const isClosed = policy.startsWith("default-src 'none'") && policy.includes("frame-ancestors 'none'");
      const isJson = headers.get('content-type')?.startsWith('application/json') ?? false;
      const isFile = headers.get('content-disposition') === 'attachment; filename="api.json"';
      return (
        isClosed &&
        (isFile || !isJson) &&
        Object.entries(same).every(([name, value]) => headers.get(name) === value)
      );
    });
    expect(wrong).toEqual([]);
  });

  test('can be framed by nobody, whatever browser somebody says they have', async () => {
    const sent = { 'user-agent': 'PiBrowser', 'sec-fetch-dest': 'iframe' };
    const framed: KnownRoute[] = [];
    for (const route of app.routes) {
      const policy = (await answerOf(route, app.baseUrl, sent)).get('content-security-policy');
      if (!policy?.includes("frame-ancestors 'none'")) framed.push(route);
    }
    expect(framed).toEqual([]);
  });

  test('is stored nowhere, unless its address names its content', async () => {
    const isKept = (headers: Headers) => headers.get('cache-control')?.includes('immutable') === true;
    const isStored = (headers: Headers) => !/^no-(?:store|cache)$/.test(headers.get('cache-control') ?? '');
    const files = app.routes.filter(isHashed);
    expect(files.length).toBeGreaterThan(3);
    expect(await wrongOf(files, isKept)).toEqual([]);
    const others = app.routes.filter((route) => !isHashed(route));
    expect(await wrongOf(others, (headers) => !isStored(headers))).toEqual([]);
    // The scripts that shops load are asked for each time, and sent when they have changed.
    const isOfShops = ({ url }: KnownRoute) => ['/florin.js', '/modal/btcpay.js'].includes(url);
    const calls = others.filter((route) => !route.url.startsWith('/app/') && !isOfShops(route));
    expect(await wrongOf(calls, (headers) => headers.get('cache-control') === 'no-store')).toEqual([]);
  });

  test('asks for https only where people come by https', async () => {
    const strict = (headers: Headers) => headers.get('strict-transport-security');
    expect(await wrongOf(app.routes, (headers) => strict(headers) === null)).toEqual([]);
    const [port] = await freePorts(1);
    const behind = await startApp({ env: { PORT: `${port}`, BASE_URL: 'https://pay.example' } });
    const base = `http://127.0.0.1:${port}`;
    const isStrict = (headers: Headers) => strict(headers) === 'max-age=31536000; includeSubDomains';
    expect(await wrongOf(behind.routes, isStrict, base)).toEqual([]);
  });
});

test('an answer with content has the headers too', async () => {
  const reader = await app.api('GET', '/reference/', { key: null });
  const storage = new Map([
    ...['/openapi.json', '/balances', '/health'].map((path) => [path, /^no-store$/] as const),
    ...['/reference/', '/docs/quick-start'].map((path) => [path, /^no-cache$/] as const),
    ...hrefs(reader.text).map((path) => [path, /\bimmutable$/] as const),
  ]);
  expect(storage.size).toBe(7);
  for (const [path, expected] of storage) {
    const { status, headers } = await app.api('GET', path);
    expect([path, status, headers.get('x-content-type-options')]).toEqual([path, 200, 'nosniff']);
    expect([path, headers.get('cache-control')]).toEqual([path, expect.stringMatching(expected)]);
  }
});

test('an address that cannot be read, or that no route has, has the headers too', async () => {
  for (const path of [
    '/%zz',
    '/nothing',
    '/docs/nothing',
    '/reference/nothing',
    `/logo/${'x'.repeat(400)}/y`,
  ]) {
    const { status, headers, body } = await app.api('GET', path);
    expect(body).toMatchObject({ data: null, request_id: expect.any(String) });
    expect([path, Math.floor(status / 100)]).toEqual([path, 4]);
    expect(Object.fromEntries(headers)).toMatchObject(answerHeaders(false));
  }
});
