import { beforeAll, describe, expect, test } from 'vitest';
import { queueMail } from '../src/identity/mail.ts';
import { transaction } from '../src/kit/db.ts';
import { newId } from '../src/kit/ids.ts';
import type { Api } from './api.ts';
import { type OpenConsole, openConsole } from './console.ts';
import { type RunningApp, startApp } from './running.ts';

const root = '/console/operator';

/** What these tests look at in answers, whichever they are. */
type Item = {
  id: string;
  name: string;
  reference: string;
  currency: string;
  default_asset: string;
  amount_due: string;
  asset: string;
  sum: string;
  state: string;
  is_alive: boolean;
  pid: number;
  loops: { name: string }[];
};
type Data = Item & {
  items: Item[];
  next_cursor: string | null;
  examples: object[];
  fee: object;
  text: string;
  minimum_usd: string;
  suspension: { reason: string };
  announcement: object | null;
  has_server: boolean;
  PaymentData: { payment_reference: string };
};

let app: RunningApp;
let people: OpenConsole;
let operator: Api;

beforeAll(async () => {
  app = await startApp({ seed: { name: 'Nib & Folio', approved: true } });
  people = await openConsole(app);
  operator = await people.as('operator');
});

async function get(path: string) {
  const { status, body } = await operator<Data>('GET', `${root}${path}`);
  expect({ path, status }).toEqual({ path, status: 200 });
  return body.data;
}

async function lastChange(): Promise<object> {
  return (await get('/audit?limit=1')).items[0]!;
}

const create = (fields: object, key = app.secretKey) =>
  app.api<Data>('PUT', '/payment/create', {
    key,
    body: { amount: 10, currency: 'USDC', payment_type: 'deposit', ...fields },
  });

describe('merchants', () => {
  test("are found by their name and by a member's address", async () => {
    for (const search of ['corner', 'OWNER@example']) {
      const { items } = await get(`/merchants?search=${search}`);
      expect(items).toMatchObject([
        { name: 'Corner shops', integrations: 1, approved: 1, members: 1, owner_email: 'owner@example.com' },
      ]);
    }
    expect((await get('/merchants?search=%25')).items).toEqual([]);
    expect((await get('/integrations?search=folio')).items).toMatchObject([{ id: app.integrationId }]);
  });

  test('are listed page by page', async () => {
    await people.as('stranger');
    const first = await get('/merchants?limit=1');
    const second = await get(`/merchants?limit=1&cursor=${first.next_cursor}`);
    expect([...first.items, ...second.items].map(({ name }) => name).sort()).toEqual([
      'Corner shops',
      'Elsewhere',
    ]);
    expect(second.next_cursor).toBeNull();
    expect((await operator<Data>('GET', `${root}/merchants?cursor=nonsense`)).status).toBe(400);
  });

  test('that are suspended take no live payment from the next request on, until they are let go on', async () => {
    const at = `${root}/merchants/${people.merchantId}`;
    expect((await create({}, app.liveSecretKey)).status).toBe(200);
    expect((await operator<Data>('POST', `${at}/suspend`, { body: {} })).status).toBe(400);
    const suspended = await operator<Data>('POST', `${at}/suspend`, { body: { reason: 'Stolen goods' } });
    expect(suspended.body.data).toEqual({ integrations: 1 });
    expect((await create({}, app.liveSecretKey)).body.message).toBe('Integration is not yet approved');
    expect((await create({})).status).toBe(200);
    expect((await get(`/merchants/${people.merchantId}`)).suspension.reason).toBe('Stolen goods');
    expect((await operator<Data>('POST', `${at}/suspend`, { body: { reason: 'Again' } })).status).toBe(409);
    expect(await lastChange()).toMatchObject({
      action: 'suspended the business',
      after: { reason: 'Stolen goods', integrations: 1 },
    });
    expect((await operator<Data>('POST', `${at}/resume`, { body: {} })).body.data).toEqual({
      integrations: 1,
    });
    expect((await create({}, app.liveSecretKey)).status).toBe(200);
    expect((await operator<Data>('POST', `${at}/resume`, { body: {} })).status).toBe(409);
  });
});

describe('a fee', () => {
  const at = () => `${root}/integrations/${app.integrationId}/fee`;

  test('is tried out before it is changed', async () => {
    expect((await get('/fee-examples?bps=150&fixed=0.3&floor=1&cap=10')).examples).toEqual([
      { amount: '10', fee: '1', merchant_receives: '9' },
      { amount: '100', fee: '1.8', merchant_receives: '98.2' },
      { amount: '1000', fee: '10', merchant_receives: '990' },
    ]);
    expect((await get('/fee-examples?bps=0&fixed=25')).examples[0]).toEqual({
      amount: '10',
      fee: '10',
      merchant_receives: '0',
    });
  });

  test('that is changed holds for new payments alone', async () => {
    const fees = async () => {
      const { rows } = await app.db.query<{ fee: bigint }>(
        'SELECT fee FROM payments ORDER BY id DESC LIMIT 2',
      );
      return rows.map(({ fee }) => fee);
    };
    await create({});
    const changed = await operator<Data>('PUT', at(), { body: { bps: 250, fixed: '0.1' } });
    expect(changed.body.data.fee).toEqual({ bps: 250, fixed: '0.1', floor: '0', cap: null });
    await create({});
    expect(await fees()).toEqual([350_000n, 100_000n]);
    expect(await lastChange()).toMatchObject({
      action: 'changed the fee',
      before: { bps: 100 },
      after: { bps: 250, fixed: '0.1' },
    });
  });

  test.each([
    [{ bps: 10_001 }, 'bps'],
    [{ bps: -1 }, 'bps'],
    [{ bps: 1.5 }, 'bps'],
    [{ bps: 100, fixed: '-1' }, 'fixed'],
    [{ bps: 100, fixed: '0.0000001' }, 'fixed'],
    [{ bps: 100, floor: 1 }, 'floor'],
    [{ bps: 100, floor: '5', cap: '4.99' }, 'cap'],
    [{}, 'bps'],
  ])('%j is refused and changes nothing', async (body, field) => {
    const before = (await get('/integrations')).items;
    const { status, body: answer } = await operator<Data>('PUT', at(), { body });
    expect(status).toBe(400);
    expect(answer.message).toContain(`${field} is invalid`);
    expect((await get('/integrations')).items).toEqual(before);
  });
});

describe('the terms of a currency', () => {
  const put = (currency: string, body: object) =>
    operator<Data>('PUT', `${root}/currencies/${currency}`, { body });
  const terms = { offered: true, minimum_usd: '5.00', default_asset: 'usdt-erc20', hidden_assets: [] };

  test('take effect at the next request, here and in another process', async () => {
    const other = await startApp({ database: app, integration: app });
    const createThere = () =>
      other.api<Data>('PUT', '/payment/create', {
        body: { amount: 4, currency: 'USDT', payment_type: 'deposit' },
      });
    expect((await createThere()).status).toBe(400);
    expect((await put('USDT', { ...terms, minimum_usd: '3.5' })).body.data.minimum_usd).toBe('3.50');
    expect((await create({ currency: 'USDT', amount: 4 })).status).toBe(200);
    const deadline = performance.now() + 1_500;
    let there = await createThere();
    while (there.status !== 200 && performance.now() < deadline) there = await createThere();
    expect(there.status).toBe(200);
    expect(await lastChange()).toMatchObject({
      action: 'changed the terms of a currency',
      before: { minimum_usd: '5.00' },
      after: { minimum_usd: '3.50' },
    });
  });

  test('leave at least one currency', async () => {
    const { items } = await get('/currencies');
    const off = (currency: string) => {
      const { default_asset } = items.find((each) => each.currency === currency)!;
      return put(currency, { offered: false, minimum_usd: '1', default_asset, hidden_assets: [] });
    };
    const outcomes = await Promise.all(['PI', 'USDC', 'USDT', 'CSK'].map(off));
    expect(outcomes.map(({ status }) => status).sort()).toEqual([200, 200, 200, 409]);
    expect((await create({ currency: 'PI' })).body.message).toBe('Currency not supported');
    for (const { currency, default_asset } of items) {
      await put(currency, { offered: true, minimum_usd: '1', default_asset, hidden_assets: [] });
    }
    expect((await create({ currency: 'PI' })).status).toBe(200);
  });

  test.each([
    [{ minimum_usd: '1.234' }, 'minimum_usd'],
    [{ minimum_usd: '-1' }, 'minimum_usd'],
    [{ minimum_usd: '1000000.01' }, 'minimum_usd'],
    [{ minimum_usd: 5 }, 'minimum_usd'],
    [{ default_asset: 'pi' }, 'default_asset'],
    [{ hidden_assets: ['usdt-erc20'] }, 'hidden_assets'],
    [{ hidden_assets: ['pi'] }, 'hidden_assets'],
    [{ hidden_assets: 'all' }, 'hidden_assets'],
    [{ offered: 'yes' }, 'offered'],
  ])('are not changed to %j', async (fault, field) => {
    const { status, body } = await put('USDT', { ...terms, ...fault });
    expect(status).toBe(400);
    expect(body.message).toContain(`${field} is invalid`);
  });

  test('of an unknown currency are not found', async () => {
    expect((await put('EUR', terms)).status).toBe(404);
  });
});

describe('suspense', () => {
  test('shows what came for no settled payment, and what it was likely meant for', async () => {
    expect((await get('/suspense')).items).toEqual([]);
    const pay = async (outcome: string, fields: object = {}) => {
      const { body } = await create(fields);
      const reference = body.data.PaymentData.payment_reference;
      await app.api('POST', `/test/payments/${reference}/simulate`, { body: { outcome } });
      return reference as string;
    };
    await pay('success');
    const odd = await pay('wrong_token', { currency: 'PI', amount: 12.5 });
    const half = await pay('underpaid', { amount: 20 });
    const { items } = await get('/suspense');
    expect(items.map(({ reference }) => reference)).toEqual([half, odd]);
    expect(items).toMatchObject([
      { amount: '10', asset: 'usdc-erc20', is_of_currency: true, integration_name: 'Nib & Folio' },
      { is_of_currency: false },
    ]);
    const meant = (await create({ amount: 10.05 })).body.data.PaymentData.payment_reference;
    await create({ amount: 30 });
    const matches = (await get(`/suspense/${items[0]!.id}/matches`)).items;
    expect(matches.map(({ reference }) => reference)).toContain(meant);
    expect(matches.map(({ amount_due }) => amount_due)).not.toContain('30');
  });

  test('is a part of totals that come to zero', async () => {
    const { items } = await get('/totals');
    expect(items.length).toBeGreaterThan(0);
    for (const { sum } of items) expect(sum).toBe('0');
    expect(items.find(({ asset }) => asset === 'usdc-erc20')).toMatchObject({
      mode: 'test',
      currency: 'USDC',
      suspense: '22.5',
    });
    expect((await get('/receivables')).items).toEqual([]);
    expect((await get(`/integrations/${app.integrationId}/balances`)).items.length).toBeGreaterThan(0);
  });
});

describe('an audit of the ledger', () => {
  test('is started, followed and kept', async () => {
    const started = await operator<Data>('POST', `${root}/ledger-audits`, { body: {} });
    const find = async () =>
      (await get('/ledger-audits')).items.find((run) => run.id === started.body.data.id)!;
    let run = await find();
    while (run.state === 'running') run = await find();
    expect(run).toMatchObject({ state: 'clean', asked_by: 'operator@example.com', report: { findings: [] } });
    expect(await lastChange()).toMatchObject({ action: 'started an audit of the ledger' });
  });
});

describe('the health of the installation', () => {
  test('tells of every process and its loops', async () => {
    const { items } = await get('/processes');
    const here = items.filter((each) => each.is_alive);
    expect(here.length).toBeGreaterThan(0);
    expect(here[0]!.pid).toBe(process.pid);
    expect(here[0]!.loops.map(({ name }) => name)).toContain('payments');
  });

  test('tells of rails and rates', async () => {
    expect((await get('/rails')).items).toEqual([
      { rail: 'simulated', chain: null, last_block: null, lag_seconds: 0, endpoint: null, status: 'up' },
    ]);
    expect(await get('/rates')).toMatchObject({
      kind: 'configuration',
      sources: [],
      rates: expect.any(Array),
    });
  });

  test('lists failed deliveries, and sends one again', async () => {
    const made = await app.api<Data>('POST', '/webhook-endpoints', {
      body: { url: 'http://127.0.0.1:9/hook', events: ['payment_completed'] },
    });
    const [eventId, id, endpoint] = [newId(), newId(), made.body.data.id];
    await app.db.query(
      `INSERT INTO events (id, integration_id, mode, type, payment_id, payment_reference, sequence, body)
       VALUES ($1, $2, 'test', 'payment_completed', $1, 'order-9', 1, '{}')`,
      [eventId, app.integrationId],
    );
    await app.db.query(
      `INSERT INTO deliveries (endpoint_id, id, event_id, integration_id, mode, status, next_attempt_at, attempts)
       VALUES ($1, $2, $3, $4, 'test', 'failed', NULL, 11)`,
      [endpoint, id, eventId, app.integrationId],
    );
    expect((await get('/failed-deliveries')).items).toMatchObject([
      {
        id,
        payment_reference: 'order-9',
        attempts: 11,
        integration_name: 'Nib & Folio',
        last_attempt_at: null,
      },
    ]);
    expect(await get('/webhook-queue')).toMatchObject({ failed: 1 });
    const resend = () => operator<Data>('POST', `${root}/failed-deliveries/${id}/resend`, { body: {} });
    expect((await resend()).status).toBe(200);
    expect((await get('/failed-deliveries')).items).toEqual([]);
    expect((await resend()).status).toBe(404);
  });
});

describe('an announcement', () => {
  const at = `${root}/announcements`;
  const shown = async () =>
    (await (await people.as('owner'))<Data>('GET', '/console/account')).body.data.announcement;

  test('is made, changed, followed by another, and ended', async () => {
    const first = await operator<Data>('POST', at, {
      body: { text: 'Maintenance at noon', tone: 'waiting' },
    });
    expect(await shown()).toMatchObject({ text: 'Maintenance at noon', tone: 'waiting' });
    const { id } = first.body.data;
    await operator<Data>('PATCH', `${at}/${id}`, { body: { text: 'Maintenance at one', tone: 'waiting' } });
    expect(await shown()).toMatchObject({ text: 'Maintenance at one' });
    const second = await operator<Data>('POST', at, { body: { text: 'All done', tone: 'quiet' } });
    expect(await shown()).toMatchObject({ text: 'All done' });
    expect(
      (await operator<Data>('PATCH', `${at}/${id}`, { body: { text: 'x', tone: 'quiet' } })).status,
    ).toBe(404);
    expect((await operator<Data>('POST', `${at}/${second.body.data.id}/end`, { body: {} })).status).toBe(200);
    expect(await shown()).toBeNull();
    expect((await get('/announcements')).items).toHaveLength(2);
  });

  test.each([
    [{ text: '', tone: 'quiet' }],
    [{ text: 'x'.repeat(301), tone: 'quiet' }],
    [{ text: 'a\0b', tone: 'quiet' }],
    [{ text: 'Fine', tone: 'loud' }],
  ])('is refused as %j', async (body) => {
    expect((await operator<Data>('POST', at, { body })).status).toBe(400);
    expect(await shown()).toBeNull();
  });
});

describe('the outbox', () => {
  test('shows the words of a mail one by one, and notes who looked', async () => {
    await queueMail(app.db, { to: 'ada@example.com', subject: 'A link', text: 'https://example.com/secret' });
    const { items, has_server } = await get('/mails?state=waiting');
    expect(has_server).toBe(false);
    expect(items[0]).toMatchObject({ recipient: 'ada@example.com', state: 'waiting', has_text: true });
    expect(JSON.stringify(items)).not.toContain('secret');
    const opened = await operator<Data>('POST', `${root}/mails/${items[0]!.id}/open`, { body: {} });
    expect(opened.body.data.text).toBe('https://example.com/secret');
    expect(await lastChange()).toMatchObject({
      action: 'read a mail of the outbox',
      after: { recipient: 'ada@example.com', subject: 'A link' },
    });
    expect((await operator<Data>('POST', `${root}/mails/${items[0]!.id}/retry`, { body: {} })).status).toBe(
      200,
    );
  });

  test('takes a test mail to a good address', async () => {
    expect((await operator<Data>('POST', `${root}/mails/test`, { body: { to: 'nowhere' } })).status).toBe(
      400,
    );
    expect(
      (await operator<Data>('POST', `${root}/mails/test`, { body: { to: 'bea@example.com' } })).status,
    ).toBe(200);
    expect((await get('/mails')).items[0]).toMatchObject({ recipient: 'bea@example.com' });
  });
});

describe('accounts', () => {
  const at = (id: string) => `${root}/accounts/${id}`;

  test('are found by address, and show what they are members of', async () => {
    const { items } = await get('/accounts?search=OWNER');
    expect(items).toMatchObject([
      {
        email: 'owner@example.com',
        is_operator: false,
        merchants: [{ name: 'Corner shops', role: 'owner' }],
      },
    ]);
  });

  test('become operators and stop being it, but the last one stays', async () => {
    const [owner, self] = [people.accountId('owner'), people.accountId('operator')];
    const set = (id: string, is_operator: boolean) =>
      operator<Data>('PUT', `${at(id)}/operator`, { body: { is_operator } });
    expect((await set(self, false)).body.error).toBe('operator_last');
    expect((await set(owner, true)).status).toBe(200);
    expect((await get('/accounts?kind=operators')).items).toHaveLength(2);
    const both = await Promise.all([
      set(self, false),
      (await people.as('owner'))('PUT', `${at(owner)}/operator`, { body: { is_operator: false } }),
    ]);
    expect(both.map(({ status }) => status).sort()).not.toEqual([200, 200]);
    await transaction(app.db, (tx) => tx.query('UPDATE accounts SET is_operator = (id = $1)', [self]));
    expect((await set(newId(), true)).status).toBe(404);
  });

  test('are signed out everywhere', async () => {
    const support = await people.as('support');
    expect((await support('GET', '/console/account')).status).toBe(200);
    const ended = await operator<Data>('DELETE', `${at(people.accountId('support'))}/sessions`, { body: {} });
    expect(ended.body.data).toEqual({ ended: 1 });
    expect((await support('GET', '/console/account')).status).toBe(401);
  });
});
