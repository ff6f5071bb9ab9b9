import { describe, expect, test } from 'vitest';
import { noHints } from '../../../test/support/fixtures.ts';
import { type EndpointView, openWebhookConsole } from '../../../test/webhooks/console.ts';
import { eventOf, type Receiver, startReceiver } from '../../../test/webhooks/fixtures.ts';
import { auditEntries } from '../../identity/audit/audit-log.ts';
import { transaction } from '../../kit/db/db.ts';
import { newId } from '../../kit/ids.ts';
import { recordEvents } from '../events/outbox.ts';

const { app, people, owner, at, add } = await openWebhookConsole();

async function logged(kind: string, id: string) {
  return await auditEntries(app.db, { subject: { kind, id } }, { before: null, limit: 10 });
}

describe('what was sent', () => {
  type Item = { id: string; status: string; event: { id: string; payment_reference: string } };
  type Detail = Item & {
    attempts: { status_code: number; request_headers: string; response_headers: string; response: string }[];
  };

  async function failing(): Promise<{ receiver: Receiver; endpoint: EndpointView; heal: () => void }> {
    let status = 410;
    const receiver = await startReceiver(
      (response) =>
        void response
          .writeHead(status, { 'x-why': 'closed', 'x-got': 'hush-hush' })
          .end('Not any more, hush-hush'),
    );
    const headers = [{ name: 'X-Token', value: 'hush-hush' }];
    const endpoint = await add({ url: receiver.url, headers });
    return {
      receiver,
      endpoint,
      heal: () => {
        status = 200;
      },
    };
  }

  const list = async (query: string): Promise<Item[]> =>
    (await owner<{ items: Item[] }>('GET', `${at}/deliveries?${query}`)).body.data.items;

  /** Sends a test event and waits until its outcome is recorded. */
  async function sendTest(endpoint: EndpointView, eventType = 'payment_completed'): Promise<Item> {
    const { status } = await owner('POST', `${at}/webhooks/${endpoint.id}/test`, {
      body: { event_type: eventType },
    });
    expect(status).toBe(200);
    return await settled(endpoint);
  }

  async function settled(endpoint: EndpointView): Promise<Item> {
    let found: Item | undefined;
    await expect
      .poll(async () => {
        [found] = await list(`endpoint=${endpoint.id}`);
        return found?.status;
      })
      .not.toBe('pending');
    return found!;
  }

  test('shows headers and bodies of each attempt, with the signatures and without secrets', async () => {
    const { receiver, endpoint, heal } = await failing();
    const { id, status, event } = await sendTest(endpoint, 'payment_refunded');
    expect(status).toBe('failed');
    expect(event.payment_reference).toMatch(/^TEST_/);
    expect(receiver.got[0]!.headers['x-token']).toBe('hush-hush');

    const address = `${at}/webhooks/${endpoint.id}/deliveries/${id}`;
    const { data } = (await owner<Detail>('GET', address)).body;
    expect(data.event).toMatchObject({ body: receiver.got[0]!.raw.toString(), type: 'payment_refunded' });
    const [attempt] = data.attempts;
    expect(attempt).toMatchObject({ status_code: 410, response: 'Not any more, (hidden)' });
    expect(attempt!.response_headers).toContain('x-why: closed');
    expect(attempt!.request_headers).toContain(`X-Signature: ${receiver.got[0]!.headers['x-signature']}`);
    expect(attempt!.request_headers).toContain('X-Token: (hidden)');
    expect(JSON.stringify(data)).not.toContain('hush-hush');

    heal();
    expect((await owner('POST', `${address}/resend`)).status).toBe(200);
    expect(await settled(endpoint)).toMatchObject({ id, status: 'delivered' });
    expect(receiver.got[1]!.raw.equals(receiver.got[0]!.raw)).toBe(true);
    const [entry] = await logged('delivery', id);
    expect(entry).toMatchObject({ action: 'sent a webhook again', after: { event_id: event.id } });
  });

  test('is sent again since a time, once the number that was agreed to is still the number', async () => {
    const { endpoint, heal } = await failing();
    await sendTest(endpoint);
    await sendTest(endpoint);
    const since = new Date(Date.now() - 3_600_000).toISOString();
    const address = `${at}/webhooks/${endpoint.id}/replay`;
    const preview = await owner('GET', `${address}/preview?since=${since}`);
    expect(preview.body.data).toMatchObject({ count: 2, failed: 2, missed: 0 });
    const replay = (body: object) => owner('POST', address, { body });
    expect((await replay({ since, expected: 3 })).body.error).toBe('replay_count_changed');
    expect(await list(`endpoint=${endpoint.id}&status=failed`)).toHaveLength(2);
    expect((await replay({ since })).status).toBe(400);
    expect((await replay({ since: 'yesterday', expected: 2 })).status).toBe(400);
    expect((await replay({ since, expected: 2, only: 'missed' })).body.error).toBe('replay_count_changed');
    heal();
    const replayed = await replay({ since, expected: 2 });
    expect(replayed.body.data).toMatchObject({ status: 'done', since, count: 2, total: 2 });
    expect((await owner('GET', address)).body.data).toEqual(replayed.body.data);
    await expect.poll(() => list(`endpoint=${endpoint.id}&status=delivered`)).toHaveLength(2);
  });

  test('is not sent to an endpoint that was turned off', async () => {
    const { endpoint } = await failing();
    const { id } = await sendTest(endpoint);
    await app.db.query(
      "UPDATE webhook_endpoints SET status = 'disabled', disabled_reason = 'Failed' WHERE id = $1",
      [endpoint.id],
    );
    const address = `${at}/webhooks/${endpoint.id}`;
    const resent = await owner('POST', `${address}/deliveries/${id}/resend`);
    expect(resent.body.error).toBe('endpoint_off');
    const since = new Date(0).toISOString();
    const replayed = await owner('POST', `${address}/replay`, { body: { since, expected: 1 } });
    expect(replayed.body.error).toBe('endpoint_off');
  });

  test("is found by the payment's reference, with events that no endpoint subscribed to", async () => {
    const receiver = await startReceiver();
    const endpoint = await add({ url: receiver.url, events: ['payment_failed'] });
    const { event } = await sendTest(endpoint);
    const reference = event.payment_reference;
    expect(await list(`reference=${reference}`)).toHaveLength(1);
    const events = await owner('GET', `${at}/events?reference=${reference}`);
    expect(events.body.data).toMatchObject({ items: [{ event_id: event.id, deliveries: 1 }] });
    const resent = await owner('POST', `${at}/events/${event.id}/resend`);
    expect(resent.body.data).toEqual({ event_id: event.id, count: 1 });
  });

  test('is sent again for several payments at once, each its newest event, and noted once', async () => {
    const receiver = await startReceiver();
    const endpoint = await add({ url: receiver.url });
    const events = [eventOf(app.integrationId), eventOf(app.integrationId)];
    await transaction(app.db, (tx) => recordEvents(tx, noHints, events));
    const delivered = () => list(`endpoint=${endpoint.id}&status=delivered`);
    await expect.poll(delivered).toHaveLength(2);
    const sent = await delivered();
    const references = [...new Set(sent.map(({ event }) => event.payment_reference))];
    const resent = await owner('POST', `${at}/events/resend`, {
      body: { references: [...references, 'NOTHING'] },
    });
    expect(resent.body.data).toMatchObject({ events: references.length });
    await expect.poll(delivered).toHaveLength(2 + references.length);
    const [entry] = await logged('integration', app.integrationId);
    expect(entry).toMatchObject({ action: 'sent the newest events of payments again' });
    expect((await owner('POST', `${at}/events/resend`, { body: { references: [] } })).status).toBe(400);
  });

  test.each([
    'deliveries?status=succeeded',
    'deliveries?endpoint=x',
    'deliveries?since=yesterday',
    'deliveries?limit=101',
    'deliveries?cursor=bm90IG9uZQ',
    'events',
  ])('answers 400 to %s', async (path) => {
    expect((await owner('GET', `${at}/${path}`)).status).toBe(400);
  });

  test('is held while the endpoint is paused, and sent when it is activated', async () => {
    const receiver = await startReceiver();
    const { id } = await add({ url: receiver.url });
    await owner('PATCH', `${at}/webhooks/${id}`, { body: { status: 'paused' } });
    const events = [eventOf(app.integrationId), eventOf(app.integrationId)];
    await transaction(app.db, (tx) => recordEvents(tx, noHints, events));
    const [other, first] = await list(`endpoint=${id}&status=held`);
    expect(await list(`endpoint=${id}`)).toEqual([other, first]);
    expect(await list(`endpoint=${id}&status=pending`)).toEqual([]);
    // Sent again by hand it waits for the activation like any other.
    expect((await owner('POST', `${at}/webhooks/${id}/deliveries/${first!.id}/resend`)).status).toBe(200);
    expect(await list(`endpoint=${id}&status=held`)).toEqual([other]);
    await owner('PATCH', `${at}/webhooks/${id}`, { body: { status: 'active' } });
    await expect.poll(() => list(`endpoint=${id}&status=delivered`)).toHaveLength(2);
    expect(await list(`endpoint=${id}&status=held`)).toEqual([]);
    expect(receiver.got).toHaveLength(2);
  });

  test('that does not exist is not found', async () => {
    const { id } = await add();
    for (const path of [`webhooks/${id}/deliveries/${newId()}`, 'webhooks/x/deliveries/y']) {
      expect((await owner('GET', `${at}/${path}`)).status).toBe(404);
      expect((await owner('POST', `${at}/${path}/resend`)).status).toBe(404);
    }
    expect((await owner('POST', `${at}/events/${newId()}/resend`)).status).toBe(404);
  });

  test('a test event is refused while the endpoint is paused', async () => {
    const { id } = await add();
    await owner('PATCH', `${at}/webhooks/${id}`, { body: { status: 'paused' } });
    const { status, body } = await owner('POST', `${at}/webhooks/${id}/test`, { body: {} });
    expect([status, body.error]).toEqual([409, 'endpoint_paused']);
  });

  test('test events are for test mode', async () => {
    const { status, body } = await owner('POST', `${people.live}/webhooks/${newId()}/test`, { body: {} });
    expect([status, body.error]).toEqual([403, 'test_mode_only']);
  });
});
