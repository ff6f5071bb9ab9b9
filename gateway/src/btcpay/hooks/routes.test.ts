import { createHmac } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import { type Door, makeInvoice, openShop, simulate } from '../../../test/btcpay/door.ts';
import { startApp } from '../../../test/support/running.ts';
import { type Received, startReceiver } from '../../../test/webhooks/fixtures.ts';

type Hook = {
  id: string;
  secret?: string;
  enabled: boolean;
  automaticRedelivery: boolean;
  url: string;
  authorizedEvents: { everything: boolean; specificEvents: string[] };
};
type Sent = Record<string, unknown> & { type: string; invoiceId: string; deliveryId: string };

/** A gateway of its own with one receiver: webhooks of other tests do not reach it. */
async function open(change: object = {}, answer?: Parameters<typeof startReceiver>[0]) {
  const app = await startApp();
  const shop = await openShop(app);
  const receiver = await startReceiver(answer);
  const { body } = await shop.own<Hook>('POST', '/webhooks', { body: { url: receiver.url, ...change } });
  return { app, shop, receiver, hook: body };
}

const read = ({ raw }: Received): Sent => JSON.parse(raw.toString());

const deliveries = async (shop: Door, { id }: Hook) =>
  (
    await shop.own<{ id: string; httpCode: number | null; status: string; errorMessage: string | null }[]>(
      'GET',
      `/webhooks/${id}/deliveries?count=50`,
    )
  ).body;

describe('a webhook of a shop', () => {
  test('is made, read, changed and removed; its secret is any text', async () => {
    const { shop, receiver, hook } = await open({ secret: 's', authorizedEvents: { everything: true } });
    expect(hook).toMatchObject({ secret: 's', enabled: true, automaticRedelivery: true, url: receiver.url });
    const { secret: _, ...rest } = hook;
    expect((await shop.own('GET', `/webhooks/${hook.id}`)).body).toEqual(rest);
    const specific = { everything: false, specificEvents: ['InvoiceSettled', 'PayoutCreated'] };
    const body = {
      url: receiver.url,
      enabled: false,
      automaticRedelivery: false,
      authorizedEvents: specific,
    };
    const changed = (await shop.own<Hook>('PUT', `/webhooks/${hook.id}`, { body })).body;
    expect(changed).toMatchObject({
      ...{ enabled: false, automaticRedelivery: false },
      authorizedEvents: { everything: false, specificEvents: ['InvoiceSettled'] },
    });
    expect((await shop.own('GET', '/webhooks')).body).toEqual([changed]);
    expect((await shop.own('DELETE', `/webhooks/${hook.id}`)).status).toBe(200);
    expect((await shop.own('GET', `/webhooks/${hook.id}`)).body.code).toBe('webhook-not-found');
  });

  test.each([
    [{ url: 'ftp://shop.example' }, 'url'],
    [{ url: '' }, 'url'],
    [{ secret: '' }, 'secret'],
    [{ secret: 'x'.repeat(256) }, 'secret'],
    [
      { authorizedEvents: { everything: false, specificEvents: ['Nothing'] } },
      'authorizedEvents.specificEvents',
    ],
  ])('is refused with what is wrong: %j', async (change, path) => {
    const app = await startApp();
    const shop = await openShop(app);
    const body = { url: 'http://127.0.0.1:9999/hook', ...change };
    const refused = await shop.own<{ path: string }[]>('POST', '/webhooks', { body });
    expect([refused.status, refused.body.map((fault) => fault.path)]).toEqual([422, [path]]);
  });

  test('tells the life of an invoice in order, signed by its own secret alone', async () => {
    const { app, shop, receiver, hook } = await open({ secret: 'a secret' });
    const { id } = await makeInvoice(shop, { metadata: { orderId: '7' } });
    await simulate(app, id, 'success');
    await receiver.reached(4);
    const [first] = receiver.got;
    const signed = createHmac('sha256', 'a secret')
      .update(first?.raw ?? '')
      .digest('hex');
    expect(first?.headers['btcpay-sig']).toBe(`sha256=${signed}`);
    const names = Object.keys(first?.headers ?? {});
    expect(names.filter((name) => name.startsWith('x-') || name.startsWith('webhook-'))).toEqual([]);
    const sent = receiver.got.map(read);
    expect(sent.map(({ type }) => type).toSorted()).toEqual(
      ['InvoiceCreated', 'InvoicePaymentSettled', 'InvoiceReceivedPayment', 'InvoiceSettled'].toSorted(),
    );
    for (const each of sent)
      expect(each).toMatchObject({
        ...{ invoiceId: id, storeId: shop.store, webhookId: hook.id, isRedelivery: false },
        metadata: { orderId: '7' },
      });
    const settled = sent.find(({ type }) => type === 'InvoiceSettled');
    expect(settled).toMatchObject({ manuallyMarked: false, overPaid: false });
    const payment = sent.find(({ type }) => type === 'InvoiceReceivedPayment');
    expect(payment).toMatchObject({ afterExpiration: false, payment: { value: '10', fee: '0' } });
  });

  test.each([
    ['failure', ['InvoiceInvalid']],
    ['expire', ['InvoiceExpired']],
    ['underpaid', ['InvoiceExpired', 'InvoiceExpiredPaidPartial']],
  ])('after %s it tells %j', async (outcome, wanted) => {
    const { app, shop, receiver } = await open({
      authorizedEvents: {
        everything: false,
        specificEvents: ['InvoiceInvalid', 'InvoiceExpired', 'InvoiceExpiredPaidPartial', 'InvoiceSettled'],
      },
    });
    const { id } = await makeInvoice(shop);
    await simulate(app, id, outcome);
    if (outcome === 'underpaid') await app.api('POST', '/test/clock/advance', { body: { seconds: 1_200 } });
    await receiver.reached(wanted.length);
    expect(
      receiver.got
        .map(read)
        .map(({ type }) => type)
        .toSorted(),
    ).toEqual(wanted);
  });

  test('is tried again with the same content: only the id and what it is differ', async () => {
    let answer = 500;
    const { app, shop, receiver, hook } = await open({}, (response) => {
      response.statusCode = answer;
      response.end();
    });
    await makeInvoice(shop);
    await receiver.reached(1);
    answer = 200;
    await app.api('POST', '/test/clock/advance', { body: { seconds: 120 } });
    await receiver.reached(2);
    const [first, second] = receiver.got.map(read);
    expect(second?.deliveryId).not.toBe(first?.deliveryId);
    expect(second).toEqual({ ...first, deliveryId: second?.deliveryId, isRedelivery: true });
    const list = await deliveries(shop, hook);
    expect(list.map(({ httpCode, status }) => [httpCode, status])).toEqual([
      [200, 'HttpSuccess'],
      [500, 'HttpError'],
    ]);
    const one = `/webhooks/${hook.id}/deliveries/${list[1]?.id}`;
    expect((await shop.own('GET', one)).body).toEqual(list[1]);
    expect((await shop.own('GET', `${one}/request`)).body).toEqual(first);
    const again = await shop.own<string>('POST', `${one}/redeliver`);
    await receiver.reached(3);
    expect(receiver.got.map(read)[2]).toEqual({ ...first, deliveryId: again.body, isRedelivery: true });
    const unknown = await shop.own('POST', `/webhooks/${hook.id}/deliveries/nothing/redeliver`);
    expect(unknown.status).toBe(404);
  });

  test('is not tried again where the shop does not want that', async () => {
    const { shop, receiver, hook } = await open({ automaticRedelivery: false }, (response) => {
      response.statusCode = 500;
      response.end();
    });
    await makeInvoice(shop);
    await receiver.reached(1);
    await expect.poll(async () => (await deliveries(shop, hook)).length, { timeout: 60_000 }).toBe(1);
  });

  test('stands beside other endpoints, of which each gets its own events alone', async () => {
    const { app, shop, receiver, hook } = await open();
    const florins = await startReceiver();
    await app.api('POST', '/webhook-endpoints', { body: { url: florins.url } });
    const { id } = await makeInvoice(shop);
    await simulate(app, id, 'success');
    await Promise.all([receiver.reached(4), florins.reached(1)]);
    expect(florins.got.map(({ raw }) => JSON.parse(raw.toString()).event_type)).toEqual([
      'payment_completed',
    ]);
    type Page<T> = { items: T[] };
    const { items } = (await app.api<Page<{ id: string; format: string }>>('GET', '/webhook-endpoints')).body
      .data;
    expect(items.map(({ format }) => format).toSorted()).toEqual(['florin', 'greenfield']);
    expect(items.find(({ format }) => format === 'greenfield')?.id).toBe(hook.id);
    expect((await shop.own<Hook[]>('GET', '/webhooks')).body.map((each) => each.id)).toEqual([hook.id]);
    const events = (await app.api<Page<{ event_type: string }>>('GET', '/events')).body.data.items;
    expect(events.filter(({ event_type: type }) => type.startsWith('Invoice'))).toEqual([]);
  });
});
