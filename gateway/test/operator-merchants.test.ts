import { describe, expect, test } from 'vitest';
import { decideApproval } from '../src/identity/integrations/approval.ts';
import { resumeMerchant, suspendMerchant } from '../src/identity/merchants/operator-merchants.ts';
import { transaction } from '../src/kit/db/db.ts';
import { openConsole } from './support/console.ts';
import { type Data, operatorDesk, root } from './support/operator.ts';
import { endedOrWaiting } from './support/payment-fixtures.ts';
import { startApp } from './support/running.ts';

const app = await startApp({ seed: { name: 'Nib & Folio', approved: true } });
const people = await openConsole(app);
const desk = await operatorDesk(people);

const create = (fields: object, key = app.secretKey) =>
  app.api<Data>('PUT', '/payment/create', {
    key,
    body: { amount: 10, currency: 'USDC', payment_type: 'deposit', ...fields },
  });

describe('merchants', () => {
  test("are found by their name and by a member's address", async () => {
    for (const search of ['corner', 'OWNER@example']) {
      const { items } = await desk.get(`/merchants?search=${search}`);
      expect(items).toMatchObject([
        { name: 'Corner shops', integrations: 1, approved: 1, members: 1, owner_email: 'owner@example.com' },
      ]);
    }
    expect((await desk.get('/merchants?search=%25')).items).toEqual([]);
    expect((await desk.get('/integrations?search=folio')).items).toMatchObject([{ id: app.integrationId }]);
  });

  test('are listed page by page', async () => {
    await people.as('stranger');
    const first = await desk.get('/merchants?limit=1');
    const second = await desk.get(`/merchants?limit=1&cursor=${first.next_cursor}`);
    expect([...first.items, ...second.items].map(({ name }) => name).sort()).toEqual([
      'Corner shops',
      'Elsewhere',
    ]);
    expect(second.next_cursor).toBeNull();
    expect((await desk.call<Data>('GET', `${root}/merchants?cursor=nonsense`)).status).toBe(400);
  });

  test('that are suspended take no live payment from the next request on, until they are resumed', async () => {
    const at = `${root}/merchants/${people.merchantId}`;
    expect((await create({}, app.liveSecretKey)).status).toBe(200);
    expect((await desk.call<Data>('POST', `${at}/suspend`, { body: {} })).status).toBe(400);
    const suspended = await desk.call<Data>('POST', `${at}/suspend`, { body: { reason: 'Stolen goods' } });
    expect(suspended.body.data).toEqual({ integrations: 1 });
    expect((await create({}, app.liveSecretKey)).body.message).toBe('Integration is not yet approved');
    expect((await create({})).status).toBe(200);
    const alone = `${root}/integrations/${app.integrationId}/resume`;
    expect((await desk.call<Data>('POST', alone, { body: {} })).body.error).toBe('merchant_suspended');
    expect((await desk.get(`/merchants/${people.merchantId}`)).suspension.reason).toBe('Stolen goods');
    expect((await desk.call<Data>('POST', `${at}/suspend`, { body: { reason: 'Again' } })).status).toBe(409);
    expect((await desk.get('/audit?limit=2')).items).toEqual(
      expect.arrayContaining([
        expect.objectContaining({
          action: 'suspended the business',
          after: { reason: 'Stolen goods', integrations: 1 },
        }),
        expect.objectContaining({ action: 'suspended live mode' }),
      ]),
    );
    expect((await desk.call<Data>('POST', `${at}/resume`, { body: {} })).body.data).toEqual({
      integrations: 1,
    });
    expect((await create({}, app.liveSecretKey)).status).toBe(200);
    expect((await desk.call<Data>('POST', `${at}/resume`, { body: {} })).status).toBe(409);
  });

  test('that are being suspended get no live mode approved meanwhile', async () => {
    await app.db.query("UPDATE integrations SET approval = 'requested'");
    const approve = () =>
      transaction(app.db, (tx) =>
        decideApproval(tx, { id: app.integrationId, decision: 'approve', reason: null }, new Date()),
      );
    const [approved] = await transaction(app.db, async (tx) => {
      await suspendMerchant(tx, people.merchantId, 'Stolen goods', new Date());
      const approving = Promise.allSettled([approve()]);
      await endedOrWaiting(app.db, approving);
      return { approving };
    }).then(({ approving }) => approving);
    expect(approved).toMatchObject({ reason: { row: { slug: 'merchant_suspended' } } });
    await transaction(app.db, (tx) => resumeMerchant(tx, people.merchantId, new Date()));
    await app.db.query("UPDATE integrations SET approval = 'approved'");
  });
});

describe('a fee', () => {
  const at = () => `${root}/integrations/${app.integrationId}/fee`;

  test('is tried out before it is changed', async () => {
    expect((await desk.get('/fee-examples?bps=150&fixed=0.3&floor=1&cap=10')).examples).toEqual([
      { amount: '10', fee: '1', merchant_receives: '9' },
      { amount: '100', fee: '1.8', merchant_receives: '98.2' },
      { amount: '1000', fee: '10', merchant_receives: '990' },
    ]);
    expect((await desk.get('/fee-examples?bps=0&fixed=25')).examples[0]).toEqual({
      amount: '10',
      fee: '10',
      merchant_receives: '0',
    });
  });

  test('that is changed applies to new payments alone', async () => {
    const fees = async () => {
      const { rows } = await app.db.query<{ fee: bigint }>(
        'SELECT fee FROM payments ORDER BY id DESC LIMIT 2',
      );
      return rows.map(({ fee }) => fee);
    };
    await create({});
    const changed = await desk.call<Data>('PUT', at(), { body: { bps: 250, fixed: '0.1' } });
    expect(changed.body.data.fee).toEqual({ bps: 250, fixed: '0.1', floor: '0', cap: null });
    await create({});
    expect(await fees()).toEqual([350_000n, 100_000n]);
    expect(await desk.lastChange()).toMatchObject({
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
    const before = (await desk.get('/integrations')).items;
    const { status, body: answer } = await desk.call<Data>('PUT', at(), { body });
    expect(status).toBe(400);
    expect(answer.message).toContain(`${field} is invalid`);
    expect((await desk.get('/integrations')).items).toEqual(before);
  });
});

describe('the terms of a currency', () => {
  const put = (currency: string, body: object) =>
    desk.call<Data>('PUT', `${root}/currencies/${currency}`, { body });
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
    await expect.poll(async () => (await createThere()).status).toBe(200);
    expect(await desk.lastChange()).toMatchObject({
      action: 'changed the terms of a currency',
      before: { minimum_usd: '5.00' },
      after: { minimum_usd: '3.50' },
    });
  });

  test('leave at least one currency', async () => {
    const { items } = await desk.get('/currencies');
    const off = (currency: string) => {
      const { default_asset } = items.find((each) => each.currency === currency)!;
      return put(currency, { offered: false, minimum_usd: '1', default_asset, hidden_assets: [] });
    };
    const all = ['PI', 'USDC', 'USDT', 'CSK'];
    const outcomes = await Promise.all(all.map(off));
    expect(outcomes.map(({ status }) => status).sort()).toEqual([200, 200, 200, 409]);
    const gone = all[outcomes.findIndex(({ status }) => status === 200)];
    expect((await create({ currency: gone })).body.message).toBe('Currency not supported');
    for (const { currency, default_asset } of items) {
      await put(currency, { offered: true, minimum_usd: '1', default_asset, hidden_assets: [] });
    }
    expect((await create({ currency: gone })).status).toBe(200);
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
