import { describe, expect, test } from 'vitest';
import { type CreatedPayment, createApi } from '../../../test/support/api.ts';
import { openConsole } from '../../../test/support/console.ts';
import { startApp } from '../../../test/support/running.ts';
import type { Settings } from '../integrations/settings.ts';

const records = new Map<string, string[]>();
const app = await startApp({
  resolve: {
    async txt(name) {
      const found = records.get(name);
      if (!found) throw new Error('ENOTFOUND');
      return found.map((text) => [text]);
    },
  },
});
const console = await openConsole(app);
const owner = await console.as('owner');

const settings = async () => (await owner<Settings>('GET', console.integration)).body.data;
const patch = (body: object) => owner<Settings>('PATCH', console.integration, { body });
describe('a new integration', () => {
  test('takes test payments with the key that was shown once, and is in the list of its business', async () => {
    const answer = await owner<{ id: string; secret_key: string }>(
      'POST',
      `${console.merchant}/integrations`,
      {
        body: { name: 'Second shop' },
      },
    );
    const { id, secret_key } = answer.body.data;
    const body = { amount: 5, currency: 'PI', payment_type: 'deposit' };
    const api = createApi(app.baseUrl, secret_key);
    expect((await api('PUT', '/payment/create', { body })).status).toBe(200);
    const { body: list } = await owner<{ items: Settings[] }>('GET', `${console.merchant}/integrations`);
    expect(list.data.items.map(({ name }) => name)).toEqual(['Corner shop', 'Second shop']);
    expect(JSON.stringify(list)).not.toContain(secret_key);
    const stranger = await console.as('stranger');
    expect((await stranger('GET', `/console/integrations/${id}`)).status).toBe(404);
  });

  test('gets its live key when a person makes one, which is shown once', async () => {
    const { body } = await owner<{ id: string }>('POST', `${console.merchant}/integrations`, {
      body: { name: 'Third shop' },
    });
    const live = `/console/integrations/${body.data.id}/live`;
    const made = await owner<{ secret_key: string }>('POST', `${live}/keys/signing`);
    expect(made.body.data).toEqual({ secret_key: expect.stringMatching(/^sk_live_/) });
    expect((await owner('GET', `${live}/keys`)).text).not.toContain(made.body.data.secret_key);
  });

  test.each([[{}], [{ name: '' }], [{ name: ' ' }], [{ name: 'x'.repeat(101) }], [{ name: 'a\0b' }]])(
    'is not made with %j',
    async (body) => {
      expect((await owner('POST', `${console.merchant}/integrations`, { body })).status).toBe(400);
    },
  );
});

describe('the contact', () => {
  test('is an address and a page that customers see, kept in the audit log, and removed by an empty field', async () => {
    const contact = { contact_email: 'help@corner.example', contact_url: 'https://corner.example/help' };
    expect((await patch(contact)).body.data).toMatchObject(contact);
    const { body } = await owner<{ items: object[] }>('GET', `${console.merchant}/audit`);
    expect(body.data.items[0]).toMatchObject({
      action: 'changed settings',
      before: { contact_email: null, contact_url: null },
      after: contact,
    });
    expect((await patch({ contact_email: '', contact_url: null })).body.data).toMatchObject({
      contact_email: null,
      contact_url: null,
    });
  });

  test.each([
    ['contact_email', 'help'],
    ['contact_email', 'help@corner.example?bcc=a@b.example, c@d.example'],
    ['contact_email', '<b>help@corner.example</b>'],
    ['contact_email', `${'x'.repeat(250)}@corner.example`],
    ['contact_url', 'http://corner.example/help'],
    ['contact_url', 'javascript:alert(1)'],
    ['contact_url', 'corner.example'],
  ])('%s is not %s', async (field, value) => {
    const before = await settings();
    expect((await patch({ [field]: value })).status).toBe(400);
    expect(await settings()).toEqual(before);
  });

  test('is not changed by who may not manage integrations', async () => {
    const support = await console.as('support');
    const body = { contact_email: 'mine@corner.example' };
    expect((await support('PATCH', console.integration, { body })).status).toBe(403);
  });
});

describe('the head of receipts', () => {
  test('is an address and a tax number, kept in the audit log, and removed by empty fields', async () => {
    const head = { postal_address: '12 Roast Street\n10115 Berlin', tax_number: 'DE 123456789' };
    const sent = { ...head, postal_address: ' 12 Roast Street\r\n\r\n10115 Berlin ' };
    expect((await patch(sent)).body.data).toMatchObject(head);
    const { body } = await owner<{ items: object[] }>('GET', `${console.merchant}/audit`);
    expect(body.data.items[0]).toMatchObject({ action: 'changed settings', after: head });
    const none = { postal_address: null, tax_number: null };
    expect((await patch({ postal_address: '', tax_number: null })).body.data).toMatchObject(none);
  });

  test.each([
    ['postal_address', '1\n2\n3\n4\n5\n6\n7'],
    ['postal_address', 'x'.repeat(301)],
    ['tax_number', 'DE 123\nBcc: a@b.example'],
    ['tax_number', 'x'.repeat(61)],
  ])('%s is not %j', async (field, value) => {
    const before = await settings();
    expect((await patch({ [field]: value })).status).toBe(400);
    expect(await settings()).toEqual(before);
  });
});

describe('settings', () => {
  test('are changed together, and the audit log has the values before and after', async () => {
    const answer = await patch({ name: 'Corner', live_deadline_seconds: 900, fee_payer: 'customer' });
    expect(answer.body.data).toMatchObject({
      name: 'Corner',
      live_deadline_seconds: 900,
      fee_payer: 'customer',
    });
    const { body } = await owner<{ items: object[] }>('GET', `${console.merchant}/audit`);
    expect(body.data.items[0]).toMatchObject({
      action: 'changed settings',
      before: { name: 'Corner shop', live_deadline_seconds: 3600, fee_payer: 'merchant' },
      after: { name: 'Corner', live_deadline_seconds: 900, fee_payer: 'customer' },
    });
  });

  test('of what may be missing are none at first, have one form, and stand in the audit log', async () => {
    const none = { percent: 0, most: '5.00' };
    expect((await settings()).short_tolerance).toEqual(none);
    const after = { percent: 1.5, most: '2.00' };
    const { body } = await patch({ short_tolerance: { percent: 1.5, most: '2', other: 1 } });
    expect(body.data.short_tolerance).toEqual(after);
    const log = await owner<{ items: object[] }>('GET', `${console.merchant}/audit`);
    expect(log.body.data.items[0]).toMatchObject({
      ...{ before: { short_tolerance: none }, after: { short_tolerance: after } },
    });
    await patch({ short_tolerance: none });
  });

  test('that do not change write nothing to the audit log', async () => {
    const entries = async () =>
      (await owner<{ items: object[] }>('GET', `${console.merchant}/audit`)).body.data.items.length;
    const before = await entries();
    const { name, short_tolerance } = await settings();
    expect((await patch({ name, short_tolerance })).status).toBe(200);
    expect(await entries()).toBe(before);
  });

  test('of redirects apply to payments without their own, and stay with a payment', async () => {
    await patch({ success_url: 'https://shop.example/thanks', failure_url: 'http://localhost:3000/basket' });
    const create = async (body: object) => {
      const payment = { amount: 5, currency: 'PI', payment_type: 'deposit', ...body };
      const made = await app.api<CreatedPayment>('PUT', '/payment/create', { body: payment });
      return made.body.data.PaymentData.payment_reference;
    };
    const urls = async (reference: string) => {
      const { body } = await app.api<Record<string, string>>('GET', `/payments/${reference}`);
      return [body.data.success_url, body.data.failure_url];
    };
    const plain = await create({});
    const own = await create({ success_url: 'https://else.example/' });
    expect(await urls(own)).toEqual(['https://else.example/', 'http://localhost:3000/basket']);
    await patch({ success_url: null, failure_url: '' });
    expect(await settings()).toMatchObject({ success_url: null, failure_url: null });
    expect(await urls(plain)).toEqual(['https://shop.example/thanks', 'http://localhost:3000/basket']);
  });

  test.each<[object, string]>([
    [{ name: ' ' }, 'name'],
    [{ domain: '192.0.2.1' }, 'domain'],
    [{ domain: 'https://shop.example' }, 'domain'],
    [{ success_url: 'shop' }, 'success_url'],
    [{ success_url: 'http://shop.example/' }, 'success_url'],
    [{ failure_url: 'javascript:alert(1)' }, 'failure_url'],
    [{ live_deadline_seconds: 299 }, 'live_deadline_seconds'],
    [{ live_deadline_seconds: 86_401 }, 'live_deadline_seconds'],
    [{ live_deadline_seconds: '900' }, 'live_deadline_seconds'],
    [{ late_window_seconds: -1 }, 'late_window_seconds'],
    [{ short_tolerance: 5 }, 'short_tolerance'],
    [{ short_tolerance: { percent: 5 } }, 'short_tolerance'],
    [{ short_tolerance: { percent: 5.01, most: '5.00' } }, 'short_tolerance'],
    [{ short_tolerance: { percent: -1, most: '5.00' } }, 'short_tolerance'],
    [{ short_tolerance: { percent: 0.001, most: '5.00' } }, 'short_tolerance'],
    [{ short_tolerance: { percent: '1', most: '5.00' } }, 'short_tolerance'],
    [{ short_tolerance: { percent: 1, most: 5 } }, 'short_tolerance'],
    [{ short_tolerance: { percent: 1, most: '-5' } }, 'short_tolerance'],
    [{ short_tolerance: { percent: 1, most: '5.001' } }, 'short_tolerance'],
    [{ short_tolerance: { percent: 1, most: '9999999999.00' } }, 'short_tolerance'],
    [{ fee_payer: 'nobody' }, 'fee_payer'],
    [{ brand_color: 'red' }, 'brand_color'],
    [{ brand_color: '#abc' }, 'brand_color'],
    [{ brand_color: '#a1b2c3}body{' }, 'brand_color'],
    [{ page_sentence: 'x'.repeat(141) }, 'page_sentence'],
    [{ page_sentence: 'two\nlines' }, 'page_sentence'],
  ])('refuse %j and stay as they are', async (body, field) => {
    const before = await settings();
    const answer = await patch(body);
    expect(answer.status).toBe(400);
    expect(answer.body.message).toMatch(new RegExp(`^${field} is invalid: `));
    expect(await settings()).toEqual(before);
  });
});

describe('a domain', () => {
  test('is looked up only a few times, because the server may belong to somebody else', async () => {
    const limited = await startApp({ env: { RATE_LIMIT: '1' }, resolve: { txt: async () => [] } });
    const people = await openConsole(limited);
    const member = await people.as('owner');
    await member('PATCH', people.integration, { body: { domain: 'shop.invalid' } });
    const tries = Array.from({ length: 12 }, () => member('POST', `${people.integration}/domain/verify`));
    const errors = (await Promise.all(tries)).map(({ body }) => body.error);
    expect(errors.filter((error) => error === 'rate_limited').length).toBeGreaterThan(1);
    expect(errors).toContain('domain_not_verified');
  });

  const verify = () => owner<Settings>('POST', `${console.integration}/domain/verify`);

  test('is verified when its record has the proof, and no longer after it was changed', async () => {
    expect((await verify()).status).toBe(400);
    const { body } = await patch({ domain: 'Shop.invalid' });
    expect(body.data).toMatchObject({ domain: 'shop.invalid', domain_verified_at: null });
    const refused = await verify();
    expect([refused.status, refused.body.error]).toEqual([409, 'domain_not_verified']);
    expect(refused.body.message).toContain('_florin.shop.invalid has no TXT record that we can see');
    records.set('_florin.shop.invalid', [body.data.domain_proof!]);
    expect((await verify()).body.data.domain_verified_at).not.toBeNull();
    const again = await patch({ domain: 'other.invalid' });
    expect(again.body.data.domain_verified_at).toBeNull();
    expect(again.body.data.domain_proof).not.toBe(body.data.domain_proof);
  });
});
