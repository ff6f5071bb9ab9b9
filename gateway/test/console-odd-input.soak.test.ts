import { expect, test } from 'vitest';
import { newId } from '../src/kit/ids.ts';
import { openConsole } from './support/console.ts';
import { startApp } from './support/running.ts';

// Whatever somebody sends is answered as their mistake and never as a fault of ours.

const ids = ['%00', newId(), '%F0%9F%98%80', '0000-01.csv'];
const queries = [
  '?cursor=%00&search=%00&q=%00&reference=%00&asset=%00&person=%00',
  '?search=%25_&q=%25_&format=csv',
  '?from=0001-01-01&to=9999-12-31&since=0001-01-01&until=9999-12-31',
  '?from=9999-12-31&to=0001-01-01T00:00:00%2B14:00&format=json',
  '?min_amount=999999999999999.9&max_amount=0&limit=100',
  '?q=a&q=b&limit=5&limit=6',
  ...[`999999999999999 ${newId()}`, `99999999999999 ${newId()}`, '999999999999999999', '2026-01'].map(
    (cursor) => `?cursor=${Buffer.from(cursor).toString('base64url')}`,
  ),
];
const nul = {
  ...{ name: '\0', reason: '\0', role: '\0', email: '\0', text: '\0', to: '\0', url: '\0', image: '\0' },
  ...{ code: '\0', token: '\0', password: '\0', current_password: '\0', new_password: '\0', domain: '\0' },
  ...{ response: { id: '\0' }, username: '\0', amount: '1', currency: 'pi', outcome: '\0', tone: '\0' },
};
const huge = { seconds: 1e308, overlap_days: 1e-300, overlap_seconds: 1e15, bps: 1e308, expected: 1e308 };
const bodies: unknown[] = [null, [], 'text', nul, { ...huge, name: { a: 1 }, since: '9999-12-31' }];

/** The ids that go with a body: in `npm run test:soak` each, else one, so that each call gets all ids and all bodies. */
const idsWith = (body: number) => (process.env.SOAK ? ids : [ids[body % ids.length]]);

test('no call of the dashboard fails for what is sent with it', async () => {
  const app = await startApp();
  const people = await openConsole(app);
  const [owner, operator] = [await people.as('owner'), await people.as('operator')];
  const faults: string[] = [];
  async function call(by: typeof owner, method: string, path: string, body?: unknown): Promise<void> {
    const { status } = await by(method as 'GET', path, body === undefined ? {} : { body: body as object });
    if (status >= 500) faults.push(`${method} ${path} ${JSON.stringify(body)}`);
  }
  for (const { method, url, scope } of app.consoleRoutes) {
    // These would end the sessions that this test calls with.
    if (/sessions/.test(url) || /^\/console\/account\/merchants\/:merchant$/.test(url)) continue;
    const by = scope === 'operator' ? operator : owner;
    const known = url
      .replace(/^\/console\/merchants\/:merchant/, people.merchant)
      .replace(/^\/console\/integrations\/:integration\/:mode/, people.test)
      .replace(/^\/console\/integrations\/:integration/, people.integration);
    const hasIds = known.includes(':');
    const withId = (id = '') => known.replace(/:\w+/g, id);
    if (method === 'GET') {
      for (const path of hasIds ? ids.map(withId) : queries.map((query) => known + query)) {
        await call(by, 'GET', path);
      }
      continue;
    }
    for (const [index, body] of bodies.entries()) {
      for (const path of hasIds ? idsWith(index).map(withId) : [known]) {
        await call(by, String(method), path, body);
      }
    }
  }
  const links = ['{"email":"\\u0000"}', '{"email":"owner@example.com","updateTo":5}', '"'].map(
    (claims) => `x.${Buffer.from(claims).toString('base64url')}.y`,
  );
  const open = ['sign-in', 'sign-up', 'sign-in/code', 'sign-in/recovery-code', 'sign-in/passkey'];
  for (const path of [...open, 'password/forgotten', 'password/reset', 'email/confirm', 'invitation']) {
    for (const body of [...bodies, ...links.map((token) => ({ token, new_password: 'long enough words' }))]) {
      await call(owner, 'POST', `/console/auth/${path}`, body);
    }
  }
  expect(faults).toEqual([]);
});
