import { expect, test, vi } from 'vitest';
import { openConsole } from '../../../test/support/console.ts';
import { startApp } from '../../../test/support/running.ts';

type Line = { id: string; status: number; path: string; request_id: string; key: { hint: string } };
type Lines = { items: Line[]; next_cursor: string | null; dropped: number };

const list = async (query = '') => (await support<Lines>('GET', `${people.test}/requests${query}`)).body.data;

const app = await startApp();
const people = await openConsole(app);
const support = await people.as('support');
const body = { amount: 20, currency: 'USDC', payment_type: 'deposit', payment_reference: 'LOGGED-1' };
await app.api('PUT', '/payment/create', { body });
await app.api('PUT', '/payment/create', { body });
await app.api('GET', '/payments/UNKNOWN');
await app.api('GET', '/payment/info/LOGGED-1', { key: null });
// It is written within a second or so.
await vi.waitFor(async () => expect((await list()).items).toHaveLength(3), { timeout: 120_000 });

test('the log shows the requests of keys, newest first, and by filters', async () => {
  expect((await list()).items.map(({ status }) => status)).toEqual([404, 409, 200]);
  expect((await list('?status=4xx')).items).toHaveLength(2);
  expect((await list('?status=5xx')).items).toEqual([]);
  expect((await list('?q=LOGGED-1')).items).toHaveLength(2);
  expect((await list('?q=reference_exists')).items).toHaveLength(1);
  expect((await list('?method=GET&path=/payments')).items).toHaveLength(1);
  expect((await list('?limit=2')).next_cursor).not.toBeNull();
  expect((await list()).items[0]!.key.hint).toBe(app.secretKey.slice(-4));
  expect((await support<Lines>('GET', `${people.live}/requests`)).body.data.items).toEqual([]);
});

test('a request opens with its bodies', async () => {
  const [line] = (await list('?q=reference_exists')).items;
  const { body } = await support('GET', `${people.test}/requests/${line!.id}`);
  expect(body.data).toMatchObject({
    request_body: expect.stringContaining('"payment_reference":"LOGGED-1"'),
    response_body: expect.stringContaining('payment_reference already exists'),
    error: 'reference_exists',
  });
  expect((await support('GET', `${people.live}/requests/${line!.id}`)).status).toBe(404);
  expect((await support('GET', `${people.test}/requests/unknown`)).status).toBe(404);
});

test.each(['?status=9xx', '?method=get', '?key=1', '?from=now', '?limit=0', '?cursor=abc', '?q=%00'])(
  '%s is refused',
  async (query) => {
    const answer = await support('GET', `${people.test}/requests${query}`);
    expect([answer.status, answer.body.error]).toEqual([400, 'field_invalid']);
  },
);
