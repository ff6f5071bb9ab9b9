import { expect, test } from 'vitest';
import type { KnownRoute } from '../src/kit/http/http.ts';
import { newId } from '../src/kit/ids.ts';
import { testClock } from './support/fixtures.ts';
import { startApp } from './support/running.ts';

// What an address may ask for without a key. The routes are those that the gateway registered, so that none can be
// forgotten. The clock stands: no bucket fills again.

const app = await startApp({ env: { RATE_LIMIT: '1' }, now: testClock().now });

async function statusOf({ method, url }: KnownRoute): Promise<number> {
  const path = url.replace(/:\w+/g, newId()).replace('*', 'nothing');
  const response = await fetch(app.baseUrl + path, { method, redirect: 'manual' });
  await response.body?.cancel();
  return response.status;
}

test('once an address has asked too often, it is refused by every route but those that cost nothing', async () => {
  const reader = { method: 'GET', url: '/reference/' };
  let asked = 0;
  while ((await statusOf(reader)) !== 429) asked += 1;
  expect(asked).toBe(200);
  const open: string[] = [];
  for (const route of app.routes) {
    const status = await statusOf(route);
    // What asks for a key first counts by the key.
    if (status !== 429 && status !== 401) open.push(`${route.method} ${route.url}`);
  }
  const free = ['/health', '/ready', '/', '/app', '/app/*', '/.well-known/security.txt'];
  expect(open.toSorted()).toEqual(free.flatMap((url) => [`GET ${url}`, `HEAD ${url}`]).toSorted());
});
