import { expect, test } from 'vitest';
import { openConsole } from '../../../test/support/console.ts';
import { startApp } from '../../../test/support/running.ts';
import { transaction } from '../../kit/db/db.ts';
import { newId } from '../../kit/ids.ts';
import { type Actor, recordChange } from '../audit/audit-log.ts';

type Entries = { items: { action: string; actor: { name: string } }[]; next_cursor: string | null };

const app = await startApp();
const people = await openConsole(app);
const owner = await people.as('owner');
await transaction(app.db, async (tx) => {
  const put = (day: number, name: string, action: string, integrationId: string | null = null) => {
    const actor: Actor = { kind: 'account', id: null, name, asOperator: false, address: null };
    const subject = { kind: 'key', id: newId() };
    const change = { action, subject, merchantId: people.merchantId, integrationId };
    return recordChange(tx, actor, change, new Date(Date.UTC(2026, 0, day, 12)));
  };
  await put(1, 'ada@example.com', 'made a key');
  await put(2, 'Grace@example.com', 'rolled a key', app.integrationId);
  await put(3, 'ada@example.com', 'deleted a key', app.integrationId);
  await put(4, 'ada%@example.com', 'renamed 100_% of it');
});

const read = (query: string) => owner<Entries>('GET', `${people.merchant}/audit${query}`);
const actions = async (query: string) => (await read(query)).body.data.items.map(({ action }) => action);

test('a log is searched by person, act, integration and time, and everything together', async () => {
  expect(await actions('?person=GRACE')).toEqual(['rolled a key']);
  expect(await actions('?person=ada%25')).toEqual(['renamed 100_% of it']);
  expect(await actions('?action=KEY')).toEqual(['deleted a key', 'rolled a key', 'made a key']);
  expect(await actions('?action=_')).toEqual(['renamed 100_% of it']);
  expect(await actions(`?integration=${app.integrationId}`)).toEqual(['deleted a key', 'rolled a key']);
  expect(await actions('?from=2026-01-02&to=2026-01-03T12:00:00Z')).toEqual(['rolled a key']);
  expect(await actions(`?person=ada&action=deleted&integration=${app.integrationId}`)).toEqual([
    'deleted a key',
  ]);
  expect(await actions('?action=nothing%20like%20it')).toEqual([]);
});

test('pages of a search follow each other without a gap', async () => {
  const first = (await read('?action=key&limit=2')).body.data;
  const rest = (await read(`?action=key&limit=2&cursor=${first.next_cursor}`)).body.data;
  expect([...first.items, ...rest.items].map(({ action }) => action)).toEqual([
    'deleted a key',
    'rolled a key',
    'made a key',
  ]);
  expect(rest.next_cursor).toBeNull();
});

test.each(['?from=yesterday', '?to=2026-13-01', '?integration=x', '?person=%00', '?cursor=x', '?limit=0'])(
  'a search for %s is refused',
  async (query) => {
    expect(await read(query)).toMatchObject({ status: 400, body: { error: 'field_invalid' } });
  },
);

test('only its owner sees the log of an account', async () => {
  const support = await people.as('support');
  await support('POST', '/console/account/name', { body: { name: 'Sam' } });
  const own = await support<Entries>('GET', '/console/account/activity');
  expect(own.body.data.items.map(({ action }) => action)).toEqual(['changed the name', 'signed in']);
  const others = await owner<Entries>('GET', '/console/account/activity');
  expect(others.body.data.items.map(({ action }) => action)).toEqual(['signed in']);
  expect(await actions('?action=changed')).toEqual([]);
});
