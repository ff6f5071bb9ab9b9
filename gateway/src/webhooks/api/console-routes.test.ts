import { describe, expect, test } from 'vitest';
import { password } from '../../../test/support/console.ts';
import { noHints } from '../../../test/support/fixtures.ts';
import { ageSessions } from '../../../test/support/identity-fixtures.ts';
import { type EndpointView, goodEndpoint, openWebhookConsole } from '../../../test/webhooks/console.ts';
import { eventOf, startReceiver } from '../../../test/webhooks/fixtures.ts';
import { auditEntries } from '../../identity/audit/audit-log.ts';
import { transaction } from '../../kit/db/db.ts';
import { recordEvents } from '../events/outbox.ts';

const { app, people, owner, at, add } = await openWebhookConsole();

async function listed(id: string): Promise<EndpointView | undefined> {
  const { body } = await owner<{ items: EndpointView[] }>('GET', `${at}/webhooks`);
  return body.data.items.find((endpoint) => endpoint.id === id);
}

async function logged(kind: string, id: string) {
  return await auditEntries(app.db, { subject: { kind, id } }, { before: null, limit: 10 });
}

describe('an endpoint in the dashboard', () => {
  test('is added with everything that a person sets, and shows its secret', async () => {
    const made = await add({
      description: 'The shop',
      headers: [{ name: 'Authorization', value: 'Basic open-sesame' }],
    });
    expect(made).toMatchObject({ ...goodEndpoint, description: 'The shop', status: 'active' });
    expect(made.secret).toMatch(/^whsec_/);
    const seen = await listed(made.id);
    expect(seen).toMatchObject({ headers: [{ name: 'Authorization' }], health: { queued: 0 } });
    expect(JSON.stringify(seen)).not.toMatch(/open-sesame|whsec_/);
    const [entry] = await logged('webhook endpoint', made.id);
    expect(entry).toMatchObject({
      action: 'added a webhook endpoint',
      actor: { kind: 'account', name: 'owner@example.com' },
      after: { mode: 'test', url: goodEndpoint.url, headers: ['Authorization'] },
    });
    expect(JSON.stringify(entry)).not.toMatch(/open-sesame|whsec_/);
  });

  test.each([
    [{ url: 'ftp://example.com/' }, 'url is invalid: must be an absolute http or https URL'],
    [{ url: 'http://10.0.0.1/' }, 'url is invalid: must lead to the public internet'],
    [{ url: undefined }, 'url is invalid: is required'],
    [{ events: [] }, 'events is invalid'],
    [{ events: ['payment_made'] }, 'events.0 is invalid'],
    [{ description: 'x'.repeat(201) }, 'description is invalid'],
    [{ headers: [{ name: 'Host', value: 'x' }] }, 'Host is set by Florin itself'],
    [{ headers: [{ name: 'X-Token' }] }, 'headers.0.value is invalid: is required'],
    [{ headers: [{ name: 'X-Token', value: 'a\r\nb' }] }, 'headers.0.value is invalid'],
    [{ headers: 'X-Token: a' }, 'headers is invalid'],
  ])('is refused for %j, and nothing is made', async (fault, message) => {
    const count = async () => (await owner<{ items: [] }>('GET', `${at}/webhooks`)).body.data.items.length;
    const before = await count();
    const { status, body } = await owner('POST', `${at}/webhooks`, { body: { ...goodEndpoint, ...fault } });
    expect(status).toBe(400);
    expect(body.message).toContain(message);
    expect(await count()).toBe(before);
  });

  test('is changed as a whole; a header without a value keeps the one it has', async () => {
    const { id } = await add({ description: 'Old', headers: [{ name: 'X-Token', value: 'kept' }] });
    const change = { ...goodEndpoint, url: 'http://127.0.0.1:61999/new', headers: [{ name: 'X-Token' }] };
    const { status, body } = await owner<EndpointView>('PUT', `${at}/webhooks/${id}`, { body: change });
    expect(status).toBe(200);
    expect(body.data).toMatchObject({ url: change.url, description: '', headers: [{ name: 'X-Token' }] });
    const [entry] = await logged('webhook endpoint', id);
    expect(entry).toMatchObject({ before: { description: 'Old' }, after: { url: change.url } });
  });

  test('loses the hidden values of its headers when it leads to another host, port or scheme', async () => {
    const headers = [
      { name: 'X-Token', value: 'of the old host' },
      { name: 'X-Tenant', value: 'corner shop' },
    ];
    for (const url of [
      'http://127.0.0.1:61998/hook',
      'https://127.0.0.1:61999/hook',
      'http://localhost:61999/hook',
    ]) {
      const { id } = await add({ headers });
      const given = [{ name: 'X-Token' }, { name: 'X-Tenant', value: 'another' }];
      const body = { ...goodEndpoint, url, headers: given };
      const answer = await owner<EndpointView>('PUT', `${at}/webhooks/${id}`, { body });
      expect(answer.status).toBe(200);
      expect(answer.body.data).toMatchObject({ url, headers: [{ name: 'X-Tenant' }] });
      expect(answer.body.message).toBe(
        'Endpoint changed, without the values of X-Token: the host is another',
      );
      const [entry] = await logged('webhook endpoint', id);
      expect(entry).toMatchObject({
        before: { headers: ['X-Token', 'X-Tenant'] },
        after: { headers: ['X-Tenant'] },
      });
    }
  });

  test('loses them by the API, too, and keeps them where only the path changes', async () => {
    const { id } = await add({ headers: [{ name: 'X-Token', value: 'kept' }] });
    const patch = (url: string) => app.api('PATCH', `/webhook-endpoints/${id}`, { body: { url } });
    expect((await patch('http://127.0.0.1:61999/other')).status).toBe(200);
    expect(await listed(id)).toMatchObject({ headers: [{ name: 'X-Token' }] });
    expect((await patch('http://127.0.0.1:61998/other')).status).toBe(200);
    expect(await listed(id)).toMatchObject({ headers: [] });
  });

  test('of live mode gets another address only from whoever just confirmed that it is them', async () => {
    const live = { ...goodEndpoint, url: 'https://shop.example.com/hook' };
    const path = `${people.live}/webhooks`;
    const made = await owner<{ id: string }>('POST', path, { body: live });
    expect(made.status).toBe(200);
    const change = (more: object) =>
      owner('PUT', `${path}/${made.body.data.id}`, { body: { ...live, ...more } });
    await ageSessions(app.db, people.accountId('owner'), 1500);
    const url = 'https://evil.example.com/hook';
    expect((await change({ url })).body.error).toBe('fresh_sign_in');
    expect((await owner('POST', path, { body: { ...live, url } })).body.error).toBe('fresh_sign_in');
    expect((await change({ description: 'The same address' })).status).toBe(200);
    expect((await owner('POST', `${at}/webhooks`, { body: goodEndpoint })).status).toBe(200);
    await owner('POST', '/console/account/confirm', { body: { password } });
    expect((await change({ url })).status).toBe(200);
    await owner('DELETE', `${path}/${made.body.data.id}`);
  });

  test('is paused and activated, and removed', async () => {
    const { id } = await add();
    const set = (status: string) => owner('PATCH', `${at}/webhooks/${id}`, { body: { status } });
    expect((await set('disabled')).status).toBe(400);
    await set('paused');
    expect(await listed(id)).toMatchObject({ status: 'paused' });
    await set('active');
    expect(await listed(id)).toMatchObject({ status: 'active' });
    expect((await owner('DELETE', `${at}/webhooks/${id}`)).status).toBe(200);
    expect(await listed(id)).toBeUndefined();
    expect((await owner('DELETE', `${at}/webhooks/${id}`)).status).toBe(404);
    const actions = (await logged('webhook endpoint', id)).map(({ action }) => action);
    expect(actions).toEqual([
      'removed a webhook endpoint',
      'changed a webhook endpoint',
      'changed a webhook endpoint',
      'added a webhook endpoint',
    ]);
  });

  test('shows its secret again, and rolls it with an overlap, to whoever just confirmed that it is them', async () => {
    const { id, secret } = await add();
    const shown = await owner<{ secret: string }>('POST', `${at}/webhooks/${id}/reveal`, { body: {} });
    expect(shown.body.data.secret).toBe(secret);
    const roll = (body: object) => owner<EndpointView>('POST', `${at}/webhooks/${id}/roll`, { body });
    expect((await roll({ overlap_seconds: 8 * 86_400 })).status).toBe(400);
    const rolled = await roll({ overlap_seconds: 3600 });
    expect(rolled.body.data.secret).not.toBe(secret);
    const until = Date.parse(rolled.body.data.old_secret_until!);
    expect(until - Date.now()).toBeGreaterThan(3_500_000);
    expect((await roll({ overlap_seconds: 0 })).body.data.old_secret_until).toBeNull();
    await roll({ overlap_seconds: 3600 });
    const end = () => owner<EndpointView>('POST', `${at}/webhooks/${id}/end-overlap`, { body: {} });
    for (const ended of [await end(), await end()]) {
      expect(ended.body.data).toMatchObject({ id, old_secret_until: null });
      expect(ended.body.data).not.toHaveProperty('secret');
    }
    expect((await logged('webhook endpoint', id)).map(({ action }) => action)).toEqual([
      'ended the overlap of a webhook secret',
      'rolled a webhook secret',
      'rolled a webhook secret',
      'rolled a webhook secret',
      'looked at a webhook secret',
      'added a webhook endpoint',
    ]);
  });

  test('of another mode is not found', async () => {
    const { id } = await add();
    expect((await owner('DELETE', `${people.live}/webhooks/${id}`)).status).toBe(404);
    expect((await owner('GET', `${people.live}/webhooks`)).body.data).toMatchObject({ items: [] });
  });
});

test('what an API key changes is in the audit log, under the end of the key', async () => {
  const made = await app.api<{ id: string }>('POST', '/webhook-endpoints', {
    body: { url: goodEndpoint.url },
    headers: { 'idempotency-key': 'once' },
  });
  await app.api('POST', '/webhook-endpoints', {
    body: { url: goodEndpoint.url },
    headers: { 'idempotency-key': 'once' },
  });
  const { id } = made.body.data;
  await app.api('PATCH', `/webhook-endpoints/${id}`, { body: { status: 'paused' } });
  await app.api('POST', `/webhook-endpoints/${id}/roll-secret`, { body: {} });
  await app.api('DELETE', `/webhook-endpoints/${id}`);
  const entries = await logged('webhook endpoint', id);
  expect(entries.map(({ action }) => action)).toEqual([
    'removed a webhook endpoint',
    'rolled a webhook secret',
    'changed a webhook endpoint',
    'added a webhook endpoint',
  ]);
  const name = `key …${app.secretKey.slice(-4)}`;
  for (const { actor } of entries) expect(actor).toMatchObject({ kind: 'key', name, as_operator: false });
  expect(JSON.stringify(entries)).not.toContain('whsec_');
});

describe("an endpoint's life in the dashboard", () => {
  test('shows what failed last, since when it misses events and how many, and its last replay', async () => {
    let status = 500;
    const receiver = await startReceiver((response) => void response.writeHead(status).end('no disk'));
    const { id } = await add({ url: receiver.url });
    expect(await listed(id)).toMatchObject({
      missing_since: null,
      missed_events: 0,
      last_failure: null,
      replay: null,
    });
    const emit = () => transaction(app.db, (tx) => recordEvents(tx, noHints, [eventOf(app.integrationId)]));
    await owner('POST', `${at}/webhooks/${id}/test`, { body: {} });
    await expect
      .poll(() => listed(id))
      .toMatchObject({ last_failure: { error: 'Answered 500', status_code: 500, response: 'no disk' } });

    const paused = await owner<EndpointView>('PATCH', `${at}/webhooks/${id}`, { body: { status: 'paused' } });
    expect(paused.body.data.missing_since).not.toBeNull();
    await emit();
    await emit();
    expect(await listed(id)).toMatchObject({ missed_events: 2 });
    status = 200;
    const preview = await owner('GET', `${at}/webhooks/${id}/replay/preview`);
    expect(preview.body.data).toMatchObject({ since: null, count: 2, failed: 0, missed: 2 });
    await owner('POST', `${at}/webhooks/${id}/replay`, { body: { expected: 2 } });
    await emit();
    expect(await listed(id)).toMatchObject({ missed_events: 1 });
    const active = await owner<EndpointView>('PATCH', `${at}/webhooks/${id}`, { body: { status: 'active' } });
    expect(active.body.data).toMatchObject({ missing_since: null, catching_up: false });
    await receiver.reached(4);
    expect(await listed(id)).toMatchObject({
      missing_since: null,
      missed_events: 0,
      replay: { status: 'done', count: 2 },
    });
  });
});
