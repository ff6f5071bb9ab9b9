import { describe, expect, test } from 'vitest';
import type { CreatedPayment } from '../../../../test/support/api.ts';
import { openConsole } from '../../../../test/support/console.ts';
import { startApp } from '../../../../test/support/running.ts';
import type { PageDomainAnswer } from '../answers/integrations.ts';

type Sent = PageDomainAnswer;

const domain = 'pay.shop.example';
const txt = new Map<string, string>();
const addresses = new Map<string, string>();
const found = (among: Map<string, string>, name: string): string[] => [among.get(name) ?? []].flat();
const app = await startApp({
  resolve: {
    txt: async (name) => [found(txt, name)],
    cname: async () => [],
    addresses: async (name) => found(addresses, name),
  },
});
const people = await openConsole(app);
const owner = await people.as('owner');
const path = `${people.integration}/page-domain`;

const none = { domain: null, verified_at: null, lost_at: null, records: [] };
const read = async () => (await owner<Sent>('GET', path)).body.data;
const put = (name: string | null, at = path) => owner<Sent>('PUT', at, { body: { domain: name } });
const verify = (at = path) => owner<Sent>('POST', `${at}/verify`, { body: {} });
const paymentUrl = async () => {
  const body = { amount: 5, currency: 'PI', payment_type: 'deposit' };
  return new URL((await app.api<CreatedPayment>('PUT', '/payment/create', { body })).body.data.PaymentURL);
};

/** Publishes what an integration was told to. */
function publish({ records }: Sent): void {
  for (const { type, name, value } of records) (type === 'TXT' ? txt : addresses).set(name, value);
}

test('an integration has none at first, and its page is at the installation’s address', async () => {
  expect(await read()).toEqual(none);
  expect((await paymentUrl()).origin).toBe(app.baseUrl);
});

test('it is told what to publish; until that is found, the page stays where it is', async () => {
  const { body } = await put('Pay.Shop.example.');
  expect(body.data).toEqual({
    domain,
    verified_at: null,
    lost_at: null,
    records: [
      { type: 'A', name: domain, value: '127.0.0.1' },
      {
        type: 'TXT',
        name: `_florin.${domain}`,
        value: expect.stringMatching(/^florin-verification=.{20,}$/),
      },
    ],
  });
  const refused = await verify();
  expect(refused.status).toBe(409);
  expect(refused.body).toMatchObject({
    error: 'page_domain_not_verified',
    message: `${domain} is not ready yet: the TXT record of _florin.${domain} says something else, and ${domain} leads nowhere yet`,
  });
  expect((await paymentUrl()).origin).toBe(app.baseUrl);
});

test('once it is found, payments, links and their answers have the domain, and old addresses go on', async () => {
  const old = await paymentUrl();
  publish(await read());
  const { body } = await verify();
  expect(body.data.verified_at).not.toBeNull();
  const { port } = new URL(app.baseUrl);
  const created = await paymentUrl();
  expect(created.href).toMatch(
    new RegExp(`^http://pay\\.shop\\.example:${port}/pay\\?reference=PAY_.*&app=.*&token=.*$`),
  );

  const { body: detail } = await app.api<{ PaymentURL: string }>(
    'GET',
    `/payments/${created.searchParams.get('reference')}`,
  );
  expect(detail.data.PaymentURL).toBe(created.href);
  const link = await app.api<{ url: string }>('POST', '/payment-links', {
    body: { title: 'Two coffees', amount: 5, currency: 'PI' },
  });
  expect(new URL(link.body.data.url).hostname).toBe(domain);
  expect((await fetch(old)).status).toBe(200);
  const { body: log } = await owner<{ items: object[] }>('GET', `${people.merchant}/audit`);
  expect(log.data.items.slice(1, 3)).toMatchObject([
    { action: 'verified the domain of the payment page', after: { page_domain: domain } },
    {
      action: 'changed the domain of the payment page',
      before: { page_domain: null },
      after: { page_domain: domain },
    },
  ]);
});

describe('a proxy', () => {
  const allowed = async (name: string) =>
    (await fetch(`${app.baseUrl}/certificates/allowed?domain=${encodeURIComponent(name)}`)).status;

  test('may get a certificate for a proved domain, and for no other name', async () => {
    expect(await allowed(domain)).toBe(200);
    for (const name of [
      '',
      'shop.example',
      `www.${domain}`,
      `${domain}.evil.example`,
      '127.0.0.1',
      `_florin.${domain}`,
    ])
      expect([name, await allowed(name)]).toEqual([name, 404]);
    expect((await fetch(`${app.baseUrl}/certificates/allowed`)).status).toBe(404);
  });
});

test('another integration that proves it too does not get it', async () => {
  const made = await owner<{ id: string }>('POST', `${people.merchant}/integrations`, {
    body: { name: 'Second' },
  });
  const other = `/console/integrations/${made.body.data.id}/page-domain`;
  const { body } = await put(domain, other);
  expect(body.data.records).not.toEqual((await read()).records);
  publish(body.data);
  expect((await verify(other)).body.error).toBe('page_domain_taken');
  expect((await read()).verified_at).not.toBeNull();
});

test('another domain, or none, has its page at the installation’s address again', async () => {
  expect((await put('pay.other.example')).body.data).toMatchObject({
    domain: 'pay.other.example',
    verified_at: null,
  });
  expect((await paymentUrl()).origin).toBe(app.baseUrl);
  expect((await put(null)).body.data).toEqual(none);
  expect((await verify()).body.message).toBe('domain is invalid: is not set yet');
});

test.each([
  '192.0.2.1',
  'https://pay.shop.example',
  'shop',
  'pay.shop.example/pay',
  'localhost',
  'a..example',
])('%s is no domain for it', async (name) => {
  expect((await put(name)).body.message).toMatch(/^domain is invalid: must be the name of a domain/);
});

test('the names of the installation are its own', async () => {
  const env = { PAY_URL: 'https://pay.florin.example/pay', ORIGINS: 'https://florin.lan.example' };
  const behind = await startApp({ env });
  const others = await openConsole(behind);
  const member = await others.as('owner');
  const at = `${others.integration}/page-domain`;
  const set = await member<Sent>('PUT', at, { body: { domain } });
  expect(set.body.data.records[0]).toEqual({ type: 'CNAME', name: domain, value: 'pay.florin.example' });
  for (const name of ['pay.florin.example', 'florin.lan.example']) {
    const answer = await member('PUT', at, { body: { domain: name } });
    expect(answer.body.message).toBe('domain is invalid: is an address of this installation');
  }
});

test('is set by who may manage integrations, and read by every member', async () => {
  const support = await people.as('support');
  expect((await support('PUT', path, { body: { domain } })).status).toBe(403);
  expect((await support('POST', `${path}/verify`, { body: {} })).status).toBe(403);
  expect((await support('GET', path)).status).toBe(200);
  const stranger = await people.as('stranger');
  expect((await stranger('GET', path)).status).toBe(404);
});
