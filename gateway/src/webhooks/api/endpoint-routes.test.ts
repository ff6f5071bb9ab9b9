import { describe, expect, test } from 'vitest';
import { createApi, createWorld } from '../../../test/webhooks/fixtures.ts';
import { newId } from '../../kit/ids.ts';

const world = await createWorld();
const merchant = await world.merchant();
const api = createApi(world, merchant.keys.test);

const hook = 'https://shop.example/hook';

describe('an endpoint', () => {
  test('is made active, with the three default events and a secret that is shown this once', async () => {
    const made = await api.call('POST', '/webhook-endpoints', { url: hook });
    expect(made).toMatchObject({
      status: 200,
      message: 'Webhook endpoint created',
      data: {
        url: hook,
        status: 'active',
        events: ['payment_completed', 'payment_failed', 'payment_abandoned'],
        secret: expect.stringMatching(/^whsec_[A-Za-z0-9+/]{43}=$/),
      },
    });
    const shown = await api.call('GET', `/webhook-endpoints/${made.data.id}`);
    const { secret, ...rest } = made.data;
    expect(shown.data).toEqual(rest);
    expect((await api.call('GET', '/webhook-endpoints')).data).toEqual({ items: [rest], next_cursor: null });
  });

  test.each([
    [{}, 'url is invalid: is required'],
    [{ url: 'ftp://example.com' }, 'url is invalid: must be an absolute http or https URL'],
    [
      { url: 'http://10.0.0.1/' },
      'url is invalid: must lead to the public internet. For a server on this computer run `npx florin listen --forward-to 10.0.0.1`',
    ],
    [{ url: 'https://a:b@example.com/' }, 'url is invalid: must not carry credentials'],
    [{ url: 'https://example.com/', events: ['payment_made'] }, /^events\.0 is invalid: must be one of/],
    [{ url: 'https://example.com/', events: [] }, /^events is invalid/],
  ])('is refused with 400 for %j', async (body, message) => {
    const refused = await api.call('POST', '/webhook-endpoints', body);
    expect(refused.status).toBe(400);
    expect(refused.message).toEqual(message instanceof RegExp ? expect.stringMatching(message) : message);
  });

  test('has a URI for its address, however that was written when it was made or changed, now or long ago', async () => {
    const other = await world.merchant();
    const own = createApi(world, other.keys.test);
    const made = await own.call('POST', '/webhook-endpoints', { url: 'https://shop.example/ü' });
    expect(made.data.url).toBe('https://shop.example/%C3%BC');
    const path = `/webhook-endpoints/${made.data.id}`;
    const changed = await own.call('PATCH', path, { url: 'https://shop.example/ö' });
    expect(changed.data.url).toBe('https://shop.example/%C3%B6');
    const { rows } = await world.db.query('SELECT url FROM webhook_endpoints WHERE id = $1', [made.data.id]);
    expect(rows).toEqual([{ url: 'https://shop.example/%C3%B6' }]);
    await world.db.query('UPDATE webhook_endpoints SET url = $2 WHERE id = $1', [
      made.data.id,
      'https://shop.example/ä',
    ]);
    const listed = await own.call('GET', '/webhook-endpoints');
    expect(listed.data.items).toMatchObject([{ url: 'https://shop.example/%C3%A4' }]);
  });

  test('is made once for an Idempotency-Key, and its secret is stored in no answer', async () => {
    const headers = { 'idempotency-key': newId() };
    const body = { url: 'https://example.com/once' };
    const first = await api.call('POST', '/webhook-endpoints', body, { headers });
    const second = await api.call('POST', '/webhook-endpoints', body, { headers });
    expect(second.headers['idempotent-replayed']).toBe('true');
    expect(second.data).toEqual(first.data);
    const { rows } = await world.db.query('SELECT response FROM idempotency_keys');
    expect(JSON.stringify(rows)).not.toContain('whsec_');
    const other = { url: 'https://example.com/twice' };
    expect((await api.call('POST', '/webhook-endpoints', other, { headers })).status).toBe(422);
  });

  test('can be moved, paused, made active again and removed', async () => {
    const { data } = await api.call('POST', '/webhook-endpoints', { url: 'https://example.com/a' });
    const path = `/webhook-endpoints/${data.id}`;
    const moved = await api.call('PATCH', path, { url: 'https://example.com/b', events: ['payment_failed'] });
    expect(moved.data).toMatchObject({ url: 'https://example.com/b', events: ['payment_failed'] });
    expect((await api.call('PATCH', path, { status: 'paused' })).data.status).toBe('paused');
    expect((await api.call('PATCH', path, { status: 'active' })).data.status).toBe('active');
    expect((await api.call('PATCH', path, { status: 'disabled' })).status).toBe(400);
    expect((await api.call('PATCH', path, { url: 'http://192.168.0.1/' })).status).toBe(400);
    expect(await api.call('DELETE', path)).toMatchObject({ status: 200, data: null });
    expect((await api.call('GET', path)).status).toBe(404);
    expect((await api.call('PATCH', path, { status: 'active' })).status).toBe(404);
  });

  test('gets a new secret when it is rolled', async () => {
    const { data } = await api.call('POST', '/webhook-endpoints', { url: 'https://example.com/roll' });
    const path = `/webhook-endpoints/${data.id}/roll-secret`;
    const rolled = await api.call('POST', path, { overlap_seconds: 0 });
    expect(rolled.data.secret).toMatch(/^whsec_/);
    expect(rolled.data.secret).not.toBe(data.secret);
    expect((await api.call('POST', path)).status).toBe(200);
    expect((await api.call('POST', path, { overlap_seconds: 604_801 })).status).toBe(400);
    const ended = await api.call('POST', `/webhook-endpoints/${data.id}/end-overlap`);
    expect(ended).toMatchObject({ status: 200, data: { id: data.id } });
    expect(ended.data).not.toHaveProperty('secret');
  });

  test('of another integration, of the other mode or of nobody is Not found', async () => {
    const { data } = await api.call('POST', '/webhook-endpoints', { url: 'https://example.com/mine' });
    const stranger = await world.merchant();
    const callers = [stranger.keys.test, merchant.keys.live];
    for (const id of [data.id, newId(), 'nonsense']) {
      for (const key of id === data.id ? callers : [merchant.keys.test]) {
        const path = `/webhook-endpoints/${id}`;
        const answers = await Promise.all([
          api.call('GET', path, undefined, { key }),
          api.call('PATCH', path, { status: 'paused' }, { key }),
          api.call('DELETE', path, undefined, { key }),
          api.call('POST', `${path}/roll-secret`, undefined, { key }),
          api.call('POST', `${path}/end-overlap`, undefined, { key }),
          api.call('GET', `${path}/deliveries`, undefined, { key }),
          api.call('POST', `${path}/replay`, undefined, { key }),
        ]);
        expect(answers.map(({ status, message }) => `${status} ${message}`)).toEqual(
          Array(7).fill('404 Not found'),
        );
      }
    }
  });

  test('may not be the seventeenth of an integration and mode', async () => {
    const crowded = await world.merchant();
    const make = () =>
      api.call('POST', '/webhook-endpoints', { url: 'https://example.com/' }, { key: crowded.keys.live });
    for (let count = 0; count < 16; count++) expect((await make()).status).toBe(200);
    expect(await make()).toMatchObject({ status: 409, error: 'endpoint_limit' });
  });

  test('must be https in live mode', async () => {
    const refused = await api.call(
      'POST',
      '/webhook-endpoints',
      { url: 'http://example.com/' },
      { key: merchant.keys.live },
    );
    expect(refused.message).toBe('url is invalid: must begin with https:// in live mode');
  });
});
