import { expect, test } from 'vitest';
import type { KnownRoute } from '../src/kit/http/http.ts';
import { newId } from '../src/kit/ids.ts';
import type { Answer, Api } from './support/api.ts';
import { openConsole } from './support/console.ts';
import { startApp } from './support/running.ts';

// Clients that send `Content-Type: application/json` with every call, also with those that have no body (contract.md#answers).
// The routes are those that the gateway registered, so that none can be forgotten.

const app = await startApp();
const people = await openConsole(app);

const empty = { raw: '', headers: { 'content-type': 'application/json' } };

test('a payment is cancelled and an event sent again by calls that name a type and have no body', async () => {
  const body = { amount: 20, currency: 'USDC', payment_type: 'deposit', payment_reference: 'OPEN' };
  await app.api('PUT', '/payment/create', { body });
  const cancelled = await app.api<{ payment_status: string }>('POST', '/payments/OPEN/cancel', empty);
  expect([cancelled.status, cancelled.body.data.payment_status]).toEqual([200, 'cancelled']);
  const { body: events } = await app.api<{ items: { event_id: string }[] }>('GET', '/events', {
    headers: empty.headers,
  });
  const [event] = events.data.items;
  expect((await app.api('POST', `/events/${event!.event_id}/resend`, empty)).status).toBe(200);
});

test('a missing field is refused by its own text, and the call with a key is the same as one without a type', async () => {
  const key = { 'idempotency-key': 'one' };
  const create = await app.api('PUT', '/payment/create', { ...empty, headers: { ...empty.headers, ...key } });
  expect([create.status, create.body.message]).toEqual([400, 'amount must be a positive number']);
  const simulate = await app.api('POST', '/test/payments/OPEN/simulate', empty);
  expect([simulate.status, simulate.body.message]).toEqual([400, 'outcome is invalid: is required']);
  const reset = (headers: Record<string, string>) =>
    app.api('POST', '/webhook-endpoints', { headers: { ...headers, ...key } });
  expect((await reset({ 'content-type': 'application/json' })).text.replace(/"request_id".*/, '')).toBe(
    (await reset({})).text.replace(/"request_id".*/, ''),
  );
});

/** Calls whose answer ends the session that the others need. */
const last = (url: string) => /sign-out|sessions|close|password/.test(url);

test('no call of the API or the dashboard finds fault with a body that is not there', async () => {
  const owner = await people.as('owner');
  const operator = await people.as('operator');
  let judged = 0;
  const ofConsole = new Map(app.consoleRoutes.map((route) => [`${route.method} ${route.url}`, route.scope]));
  const clientOf = ({ method, url }: KnownRoute): Api => {
    const scope = ofConsole.get(`${method} ${url}`);
    if (scope === undefined) return app.api;
    return scope === 'operator' ? operator : owner;
  };
  const addressOf = ({ method, url }: KnownRoute) =>
    (ofConsole.get(`${method} ${url}`) === 'operator' ? url : url.replace(':integration', app.integrationId))
      .replace(':merchant', people.merchantId)
      .replace(':mode', 'test')
      .replace(/:\w+/g, newId())
      .replace('*', 'nothing');
  const faultOf = async (route: KnownRoute): Promise<string[]> => {
    const request = route.method === 'GET' ? { headers: empty.headers } : empty;
    const { status, body }: Answer<unknown> = await clientOf(route)(route.method, addressOf(route), request);
    if (status !== 401 && status !== 403) judged += 1;
    const isAbout = ['body_not_json', 'content_type', 'bad_request'].includes(body?.error ?? '');
    // A form of a page has its own type.
    const isForm = /^\/(?:pay|wallet|link)/.test(route.url);
    return status >= 500 || (isAbout && !isForm) ? [`${route.method} ${route.url}: ${status}`] : [];
  };
  const routes = app.routes.filter(({ method }) => !/^(?:HEAD|OPTIONS)$/.test(method));
  const [early, late] = [routes.filter(({ url }) => !last(url)), routes.filter(({ url }) => last(url))];
  const wrong = await Promise.all(early.map(faultOf));
  for (const route of late) wrong.push(await faultOf(route));
  expect(wrong.flat()).toEqual([]);
  expect(judged).toBeGreaterThan(routes.length * 0.8);
});
