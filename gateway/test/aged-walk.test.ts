import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { scopes } from '../src/identity/console/console.ts';
import type { KnownRoute } from '../src/kit/http/http.ts';
import { newId } from '../src/kit/ids.ts';
import { openConsole } from './support/console.ts';
import { startApp } from './support/running.ts';
import { gateway, matches, root } from './support/sources.ts';

// What a standby may answer (contract.md#standby). The routes are those that the gateway registered, so that none can be
// forgotten.

const app = await startApp();
const people = await openConsole(app);

const documented = [
  ...readFileSync(join(root, 'docs/operations.md'), 'utf8').matchAll(/^\| `(\/console\/[^`]+)` /gm),
].map(([, url]) => url);

test('a standby answers the calls of the dashboard that docs/operations.md names, and no others', () => {
  const aged = app.consoleRoutes.filter(({ isAged }) => isAged);
  expect(aged.map(({ url }) => url).sort()).toEqual(documented.sort());
  expect(new Set(aged.map(({ method }) => method))).toEqual(new Set(['GET']));
});

test('it is read through the dashboard’s calls alone', () => {
  expect(matches(gateway, /\baged\.read\(/g)).toEqual([
    'gateway/src/identity/console/console.ts: aged.read(',
  ]);
});

test('the header As-Of is on these answers, and on no other of any route', async () => {
  const [owner, operator] = [await people.as('owner'), await people.as('operator')];
  const consoleUrls = new Set(app.consoleRoutes.map(({ url }) => url));

  async function isDated({ url }: KnownRoute): Promise<boolean> {
    const path = url
      .replace(scopes.integration, people.integration)
      .replace(scopes.merchant, people.merchant)
      .replace(':mode', 'test')
      .replace(/:\w+/g, newId())
      .replace('*', 'nothing');
    if (consoleUrls.has(url)) {
      const person = url.startsWith(scopes.operator) ? operator : owner;
      return (await person('GET', path)).headers.has('as-of');
    }
    const stream = new AbortController();
    const { headers, body } = await fetch(app.baseUrl + path, {
      headers: { authorization: `Bearer ${app.secretKey}` },
      redirect: 'manual',
      signal: stream.signal,
    });
    await body?.cancel();
    stream.abort();
    return headers.has('as-of');
  }

  const read = app.routes.filter(({ method }) => method === 'GET');
  expect(read.length).toBeGreaterThan(150);
  const dated: string[] = [];
  for (const route of read) if (await isDated(route)) dated.push(route.url);
  expect(dated.sort()).toEqual(documented.sort());
});
