import { describe, expect, test } from 'vitest';
import { atFileEnd } from '../../../test/suite/endings.ts';
import { createApi, createWorld, startReceiver } from '../../../test/webhooks/fixtures.ts';
import { newId } from '../../kit/ids.ts';

const world = await createWorld();
const merchant = await world.merchant();
const api = createApi(world, merchant.keys.test);
const receiver = await startReceiver(undefined, atFileEnd);

describe('the test button', () => {
  test('sends a made-up event to that endpoint alone, also when the event is sent again', async () => {
    const tester = await world.merchant();
    const wanted = await tester.endpoint(receiver.url.replace('/hook', '/wanted'), ['payment_refunded']);
    await tester.endpoint(receiver.url.replace('/hook', '/other'));
    const key = tester.keys.test;
    const sent = await api.call(
      'POST',
      `/webhook-endpoints/${wanted.id}/test`,
      { event_type: 'payment_failed' },
      { key },
    );
    expect(sent.status).toBe(200);
    expect(await world.runDue(tester)).toBe(1);
    const resent = await api.call('POST', `/events/${sent.data.event_id}/resend`, undefined, { key });
    expect(resent.data).toEqual({ event_id: sent.data.event_id, count: 1 });
    expect(await world.runDue(tester)).toBe(1);
    const got = receiver.got.slice(-2);
    expect(got.map(({ path }) => path)).toEqual(['/wanted', '/wanted']);
    expect(JSON.parse(got[0]!.raw.toString())).toMatchObject({
      event_type: 'payment_failed',
      payment_status: 'failed',
      payment_reference: expect.stringMatching(/^TEST_/),
    });
  });

  test.each([
    ['paused', 'The endpoint is paused: activate it first'],
    ['disabled', 'The endpoint is turned off: activate it first'],
  ])('sends nothing to an endpoint that is %s, and says what to do', async (status, message) => {
    const tester = await world.merchant();
    const { id } = await tester.endpoint(receiver.url);
    await world.db.query(
      "UPDATE webhook_endpoints SET status = $2, disabled_reason = CASE $2 WHEN 'disabled' THEN '' END WHERE id = $1",
      [id, status],
    );
    const options = { key: tester.keys.test };
    const refused = await api.call('POST', `/webhook-endpoints/${id}/test`, {}, options);
    expect(refused).toMatchObject({ status: 409, message });
    expect((await api.call('GET', '/events', undefined, options)).data.items).toEqual([]);
  });

  test('is for test mode', async () => {
    const refused = await api.call('POST', `/webhook-endpoints/${newId()}/test`, undefined, {
      key: merchant.keys.live,
    });
    expect(refused).toMatchObject({ status: 403, message: 'Only available in test mode' });
  });
});

describe('events', () => {
  test('are listed newest first, page by page, and by type', async () => {
    const owner = await world.merchant();
    const options = { key: owner.keys.test };
    const ids: string[] = [];
    for (const type of ['payment_completed', 'payment_linked', 'payment_completed'] as const) {
      ids.unshift(await owner.emit({ type }));
    }
    const first = (await api.call('GET', '/events?limit=2', undefined, options)).data;
    const second = (await api.call('GET', `/events?limit=2&cursor=${first.next_cursor}`, undefined, options))
      .data;
    const seen = [...first.items, ...second.items].map(({ event_id }) => event_id);
    expect(seen).toEqual(ids);
    expect(second.next_cursor).toBeNull();
    const linked = await api.call('GET', '/events?type=payment_linked', undefined, options);
    expect(linked.data.items.map(({ event_id }) => event_id)).toEqual([ids[1]]);
    expect((await api.call('GET', '/events?cursor=nonsense', undefined, options)).status).toBe(400);
    expect((await api.call('GET', '/events?limit=101', undefined, options)).status).toBe(400);
  });

  test('show the exact text that is sent', async () => {
    const eventId = await merchant.emit();
    const { data } = await api.call('GET', `/events/${eventId}`);
    expect(data).toMatchObject({ event_id: eventId, event_type: 'payment_completed', sequence: 1 });
    expect(JSON.parse(data.body)).toMatchObject({ event_id: eventId });
  });

  test('of others are Not found, and cannot be sent again', async () => {
    const eventId = await merchant.emit();
    const stranger = { key: (await world.merchant()).keys.test };
    expect((await api.call('GET', `/events/${eventId}`, undefined, stranger)).status).toBe(404);
    expect((await api.call('POST', `/events/${eventId}/resend`, undefined, stranger)).status).toBe(404);
    expect((await api.call('GET', '/events', undefined, stranger)).data.items).toEqual([]);
  });

  test('sent again reach endpoints that subscribe now or had them then, and send a retry that waits at once', async () => {
    let code = 500;
    const flaky = await startReceiver((response) => void response.writeHead(code).end());
    const owner = await world.merchant();
    const key = owner.keys.test;
    const had = await owner.endpoint(flaky.url);
    const eventId = await owner.emit();
    await world.runDue(owner);
    await api.call('PATCH', `/webhook-endpoints/${had.id}`, { events: ['payment_linked'] }, { key });
    await owner.endpoint(flaky.url);
    code = 200;
    const resent = await api.call('POST', `/events/${eventId}/resend`, undefined, { key });
    expect(resent.data.count).toBe(2);
    expect(await world.runDue(owner)).toBe(2);
    const page = await api.call('GET', `/webhook-endpoints/${had.id}/deliveries`, undefined, { key });
    expect(page.data.items).toHaveLength(1);
    expect(page.data.items[0]!.attempts).toHaveLength(2);
    await flaky.close();
  });
});

describe('deliveries', () => {
  test('are listed with every attempt, and the failed ones can be sent once more together', async () => {
    let code = 410;
    const gone = await startReceiver((response) => void response.writeHead(code).end('gone'));
    const owner = await world.merchant();
    const key = owner.keys.test;
    const { id } = await owner.endpoint(gone.url);
    const path = `/webhook-endpoints/${id}`;
    for (let count = 0; count < 3; count++) await owner.emit();
    await world.runDue(owner);
    const page = await api.call('GET', `${path}/deliveries?limit=2`, undefined, { key });
    expect(page.data.items[0]).toEqual({
      id: expect.any(String),
      event_id: expect.any(String),
      status: 'failed',
      attempts: [
        {
          at: expect.any(String),
          status_code: 410,
          duration_ms: expect.any(Number),
          error: 'Answered 410',
          response: 'gone',
        },
      ],
      next_attempt_at: null,
    });
    const rest = await api.call(
      'GET',
      `${path}/deliveries?limit=2&cursor=${page.data.next_cursor}`,
      undefined,
      {
        key,
      },
    );
    expect(rest.data).toMatchObject({ items: [{ status: 'failed' }], next_cursor: null });

    code = 200;
    const future = new Date(Date.now() + 60_000).toISOString();
    expect((await api.call('POST', `${path}/replay`, { since: future }, { key })).data).toMatchObject({
      count: 0,
    });
    const past = new Date(Date.now() - 60_000).toISOString();
    expect((await api.call('POST', `${path}/replay`, { since: past }, { key })).data).toMatchObject({
      status: 'done',
      count: 3,
      total: 3,
    });
    expect((await api.call('GET', `${path}/replay`, undefined, { key })).data).toMatchObject({ count: 3 });
    expect(await world.runDue(owner)).toBe(3);
    await gone.close();
  });
});
