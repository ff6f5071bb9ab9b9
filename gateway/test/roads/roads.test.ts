import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { actions } from '../../src/identity/keys/guards.ts';
import { newId } from '../../src/kit/ids.ts';
import { purposeNames } from '../../src/payouts/payout/payout.ts';
import { createApi } from '../support/api.ts';
import { restrictedKey } from '../support/keys.ts';
import { startApp } from '../support/running.ts';
import { others } from './others.ts';
import type { RoadCall } from './road.ts';
import { roads } from './roads.ts';

// Every way by which money leaves or changes hands. The calls are those that the running gateway has: one that is new
// fails here until it stands in roads.ts.

const root = join(import.meta.dirname, '../../..');
const app = await startApp();

const calls: readonly RoadCall[] = roads.flatMap((road) => road.calls);
const reads = ['GET', 'HEAD', 'OPTIONS'];

test('every call that writes is of one road, or known to move no money', () => {
  const writing = app.routes
    .filter(({ method }) => !reads.includes(method))
    .map(({ method, url }) => `${method} ${url}`);
  const listed = [...calls.map(({ call }) => call), ...Object.values(others).flat()];
  expect(writing.toSorted()).toEqual(listed.toSorted());
});

test('every purpose of a payout has its road', () => {
  expect(roads.flatMap(({ purpose }) => purpose ?? []).toSorted()).toEqual([...purposeNames].toSorted());
});

test('the dashboard lets nobody go a road but whom the table names', () => {
  const declared = new Map(app.consoleRoutes.map((route) => [`${route.method} ${route.url}`, route]));
  for (const each of calls) {
    const route = declared.get(each.call);
    if ('may' in each)
      expect(route, each.call).toMatchObject({ may: each.may, fresh: each.fresh, isAct: false });
    else if ('operator' in each)
      expect(route, each.call).toMatchObject({
        scope: 'operator',
        fresh: true,
        isAct: each.operator === 'two persons',
      });
    else expect(route, each.call).toBeUndefined();
  }
});

test('a key goes a road only with the right that the table names', async () => {
  for (const each of calls) {
    if (!('key' in each)) continue;
    const without = actions.filter((action) => action !== each.key);
    const secret = await restrictedKey(app.db, app.integrationId, { actions: without });
    const [method = '', url = ''] = each.call.split(' ');
    // The BTCPay door takes a key behind another word, and a store names the key's integration.
    const isDoor = url.startsWith('/api/v1/');
    const path = url.replace(':storeId', `${app.integrationId}-test`).replace(/:\w+/g, newId());
    const { status, body } = await createApi(app.baseUrl, secret)(method, path, {
      body: {},
      ...(isDoor && { headers: { authorization: `token ${secret}` } }),
    });
    expect([each.call, status, body.message]).toEqual([each.call, 403, `This key may not ${each.key}`]);
  }
});

test('each answer of the table is held by a test that exists', () => {
  const texts = new Map<string, string>();
  for (const { name, approves, limit, factor } of roads) {
    for (const { test: named } of [approves, limit, factor]) {
      if (named === null) continue;
      const [file = '', title = ''] = named.split(' › ');
      if (!texts.has(file) && existsSync(join(root, file)))
        texts.set(file, readFileSync(join(root, file), 'utf8'));
      expect([name, named, texts.get(file)?.includes(title)]).toEqual([name, named, true]);
    }
  }
});
