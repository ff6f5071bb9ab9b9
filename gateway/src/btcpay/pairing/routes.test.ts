import { describe, expect, test } from 'vitest';
import { openConsole } from '../../../test/support/console.ts';
import { startApp } from '../../../test/support/running.ts';

const app = await startApp({ seed: { approved: true } });
const people = await openConsole(app);
type Pairing = { redirect: string; fields: { name: string; value: string }[] };

const asked = {
  application: 'WooCommerce',
  redirect: 'https://shop.example/?btcpay-settings-callback',
  permissions: ['btcpay.store.canviewinvoices', 'btcpay.store.cancreateinvoice'],
};

describe('a shop that asks for a key', () => {
  test('leads its merchant to the page that asks them', async () => {
    const query = new URLSearchParams([
      ['permissions', 'btcpay.store.canviewinvoices'],
      ['permissions', 'btcpay.store.cancreateinvoice:some-store'],
      ['applicationName', 'WooCommerce'],
      ['redirect', asked.redirect],
      ['strict', 'true'],
    ]);
    const answer = await fetch(`${app.baseUrl}/api-keys/authorize?${query}`, { redirect: 'manual' });
    expect(answer.status).toBe(303);
    const url = new URL(answer.headers.get('location') ?? '', app.baseUrl);
    expect([url.pathname, Object.fromEntries(url.searchParams)]).toEqual([
      '/app/connect',
      {
        permissions: 'btcpay.store.canviewinvoices,btcpay.store.cancreateinvoice',
        application: 'WooCommerce',
        redirect: asked.redirect,
      },
    ]);
  });

  test('gets a key that may do what was granted, and no more', async () => {
    const owner = await people.as('owner');
    const made = await owner<Pairing>('POST', `${people.test}/pairings`, { body: asked });
    const fields = new Map(made.body.data.fields.map(({ name, value }) => [value, name]));
    const store = `${app.integrationId}-test`;
    expect(made.body.data.redirect).toBe(asked.redirect);
    expect(fields.get(`btcpay.store.canviewinvoices:${store}`)).toBe('permissions[]');
    expect(fields.get(store)).toBe('storeId');
    const key = [...fields].find(([, name]) => name === 'apiKey')?.[0] ?? '';
    const current = await fetch(`${app.baseUrl}/api/v1/api-keys/current`, {
      headers: { authorization: `token ${key}` },
    });
    const { label, permissions } = (await current.json()) as { label: string; permissions: string[] };
    expect(label).toBe('WooCommerce');
    expect(permissions.toSorted()).toEqual(
      ['cancreateinvoice', 'canviewinvoices', 'canviewstoresettings'].map(
        (name) => `btcpay.store.${name}:${store}`,
      ),
    );
  });

  test.each([
    ['another permission', { permissions: ['btcpay.store.canmodifystoresettings'] }, 'permissions'],
    ['nothing', { permissions: ['btcpay.store.canviewstoresettings'] }, 'permissions'],
    ['plain http', { redirect: 'http://shop.example/' }, 'redirect'],
    ['a script', { redirect: 'javascript:alert(1)' }, 'redirect'],
    ['an address with a password', { redirect: 'https://a:b@shop.example/' }, 'redirect'],
  ])('gets none for %s', async (_, change, field) => {
    const owner = await people.as('owner');
    const refused = await owner('POST', `${people.test}/pairings`, { body: { ...asked, ...change } });
    expect([refused.status, refused.body.message.split(/[ .[]/)[0]]).toEqual([400, field]);
  });

  test('on this machine gets a test key, and never a live one', async () => {
    const owner = await people.as('owner');
    const body = { ...asked, redirect: 'http://localhost:8080/back' };
    expect((await owner('POST', `${people.test}/pairings`, { body })).status).toBe(200);
    expect((await owner('POST', `${people.live}/pairings`, { body })).body.message).toContain('redirect');
  });

  test('gets none from those who may make no keys, and no right that they have not', async () => {
    const support = await people.as('support');
    expect((await support('POST', `${people.test}/pairings`, { body: asked })).status).toBe(403);
    const developer = await people.as('developer');
    const permissions = [...asked.permissions, 'btcpay.store.cancreatenonapprovedpullpayments'];
    const refused = await developer('POST', `${people.test}/pairings`, { body: { ...asked, permissions } });
    expect([refused.status, refused.body.error]).toEqual([403, 'role_may_not']);
  });
});

describe('the page that posts a key', () => {
  const policyAt = async (path: string) =>
    (await fetch(`${app.baseUrl}${path}`)).headers.get('content-security-policy') ?? '';

  test('may post to the one origin that it names, and every other page nowhere', async () => {
    expect(await policyAt('/app/connect/send?to=https://shop.example')).toContain(
      'form-action https://shop.example;',
    );
    for (const path of [
      '/app/connect?to=https://shop.example',
      '/app/connect/send',
      '/app/connect/send?to=http://shop.example',
      '/app/connect/send?to=https://shop.example/x',
      "/app/connect/send?to=https://shop.example;%20script-src%20'unsafe-inline'",
      '/app/connect/send?to=javascript:alert(1)',
    ])
      expect(await policyAt(path)).toContain("form-action 'self';");
  });
});
