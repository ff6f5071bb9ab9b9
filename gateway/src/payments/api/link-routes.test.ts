import { describe, expect, test } from 'vitest';
import { startApp } from '../../../test/support/running.ts';

const app = await startApp();

const good = { title: 'Membership', currency: 'USDC', amount: 20 };
type Link = { id: string; url: string; status: string };
const make = (body: object, headers: Record<string, string> = {}) =>
  app.api<Link>('POST', '/payment-links', { body, headers });

test('a link is made once for an Idempotency-Key, read, listed, stopped and resumed', async () => {
  const headers = { 'idempotency-key': 'one' };
  const made = await make(good, headers);
  expect(made.body).toMatchObject({
    message: 'Payment link created',
    data: {
      ...{ title: 'Membership', description: null, currency: 'USDC', amount: '20', one_use: false },
      ...{ min_amount: null, max_amount: null, success_url: null, expires_at: null },
      ...{ status: 'active', uses: 0, revenue: '0' },
    },
  });
  expect(made.body.data.url).toMatch(new RegExp(`^${app.baseUrl}/l/[0-9A-Z]{20}$`));
  const again = await make(good, headers);
  expect([again.text, again.headers.get('idempotent-replayed')]).toEqual([made.text, 'true']);

  const { id } = made.body.data;
  const read = await app.api<Link>('GET', `/payment-links/${id}`);
  expect(read.body.data).toEqual(made.body.data);
  const stop = await app.api<Link>('PATCH', `/payment-links/${id}`, { body: { active: false } });
  expect(stop.body).toMatchObject({ message: 'Payment link updated', data: { status: 'stopped' } });
  const resume = await app.api<Link>('PATCH', `/payment-links/${id}`, { body: { active: true } });
  expect(resume.body.data.status).toBe('active');

  await make({ ...good, title: 'Second' });
  const page = await app.api<{ items: Link[]; next_cursor: string }>('GET', '/payment-links?limit=1');
  expect(page.body.data.items).toMatchObject([{ title: 'Second' }]);
  const next = await app.api<{ items: Link[] }>(
    'GET',
    `/payment-links?limit=1&cursor=${page.body.data.next_cursor}`,
  );
  expect(next.body.data.items).toMatchObject([{ id }]);
});

describe('a wrong body is refused', () => {
  test.each<[object, string]>([
    [{ title: undefined }, 'title is invalid: is required'],
    [{ currency: undefined }, 'Currency is required'],
    [{ currency: 'EUR' }, 'Currency not supported'],
    [{ amount: 0 }, 'amount must be a positive number'],
    [{ amount: '1e3' }, 'amount must be a positive number'],
    [{ amount: '1.1234567' }, 'amount has too many decimals for USDC'],
    [{ amount: 0.5 }, 'amount is below the minimum of 1.00 USD for USDC'],
    [{ min_amount: 5 }, 'min_amount is invalid: must be absent where amount is fixed'],
    [
      { amount: undefined, min_amount: 5, max_amount: 4 },
      'max_amount is invalid: must not be below min_amount',
    ],
    [{ expires_at: '2020-01-01T00:00:00Z' }, 'expires_at is invalid: must be in the future'],
    [{ success_url: 'javascript:alert(1)' }, 'success_url is invalid: must be an absolute http or https URL'],
  ])('%j: %s', async (change, message) => {
    const { status, body } = await make({ ...good, ...change });
    expect([status, body.message]).toEqual([400, message]);
  });
});

test('another integration, another mode and a key without approval see and make no links of it', async () => {
  const { id } = (await make(good)).body.data;
  const live = await app.api('GET', `/payment-links/${id}`, { key: app.liveSecretKey });
  expect([live.status, live.body.message]).toEqual([404, 'Not found']);
  const made = await app.api('POST', '/payment-links', { key: app.liveSecretKey, body: good });
  expect([made.status, made.body.message]).toEqual([403, 'Integration is not yet approved']);
  expect((await app.api('GET', '/payment-links/none')).status).toBe(404);
});
