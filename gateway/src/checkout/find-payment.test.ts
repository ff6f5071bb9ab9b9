import { beforeEach, describe, expect, test } from 'vitest';
import { testDatabase } from '../../test/support/database.ts';
import {
  change,
  noRail,
  openShop,
  paymentById,
  report,
  type Shop,
  write,
} from '../../test/support/payment-fixtures.ts';
import type { Payment } from '../payments/payment/payment.ts';
import { expirePayment, linkPayment } from '../payments/settlement/act.ts';
import { requestWords } from '../rails/evm/requests/payment-request.ts';
import type { EvmTarget } from '../rails/rail.ts';
import { createUser } from '../wallets/users.ts';
import { findForPage, type PageKey } from './find-payment.ts';

const { db } = await testDatabase();

let shop: Shop;
let payment: Payment;
beforeEach(async () => {
  shop = await openShop(db);
  payment = await shop.create();
});

const keyOf = (of: Payment): PageKey => ({ reference: of.reference, app: of.integrationId, token: of.token });
const find = (key: PageKey) =>
  findForPage(
    db,
    {
      assets: shop.assets,
      rail: noRail,
      explorers: new Map(),
      usdOf: () => null,
      remote: null,
      now: shop.clock.now,
    },
    key,
  );
const page = async () => (await find(keyOf(payment)))!;
const choose = (method: string) => write(shop, (tx) => linkPayment(tx, shop.deps, payment.id, method));
const destinations = async () => (await page()).destinations.map(({ asset, amount }) => `${asset} ${amount}`);

describe('the page of a payment', () => {
  test('opens with its reference, app and token together', async () => {
    expect(await page()).toMatchObject({
      id: payment.id,
      reference: payment.reference,
      integration: { id: payment.integrationId, name: 'Corner shop', logoUrl: null, domain: null },
      mode: 'test',
      status: 'unlinked',
      amount: '10',
      fee: '0.1',
      feePayer: 'merchant',
      amountDue: '10',
      amountReceived: '0',
      amountMissing: '10',
      overpayment: '0',
      method: null,
      transfers: [],
      deadline: payment.deadline,
      completedAt: null,
      lateUntil: null,
      disputableUntil: null,
    });
  });

  test("shows the shop's logo, and its domain only once it was verified", async () => {
    const set = (column: string, value: unknown) =>
      db.query(`UPDATE integrations SET ${column} = $2 WHERE id = $1`, [payment.integrationId, value]);
    await set('logo_hash', 'abc');
    await set('domain', 'shop.example');
    const logoUrl = `/logo/${payment.integrationId}/abc`;
    expect((await page()).integration).toMatchObject({ logoUrl, domain: null });
    await set('domain_verified_at', new Date());
    expect((await page()).integration).toMatchObject({ logoUrl, domain: 'shop.example' });
  });

  test('does not open when one of the three is wrong or of another payment', async () => {
    const [own, sibling] = [keyOf(payment), keyOf(await shop.create())];
    const stranger = keyOf(await (await openShop(db)).create());
    for (const other of [sibling, stranger]) {
      expect(await find({ ...own, token: other.token })).toBeNull();
      expect(await find({ ...own, reference: other.reference })).toBeNull();
    }
    for (const app of [stranger.app, '', 'app', `${own.app}'`, own.app.toUpperCase()]) {
      expect(await find({ ...own, app })).toBeNull();
    }
    for (const token of ['', own.token.slice(1), own.token.toLowerCase(), `${own.token} `]) {
      expect(await find({ ...own, token })).toBeNull();
    }
  });

  test("shows the payment's own fee, not the fee that the integration has now", async () => {
    await db.query(`UPDATE integrations SET fee = '{"bps": 900}', fee_payer = 'customer' WHERE id = $1`, [
      payment.integrationId,
    ]);
    expect(await page()).toMatchObject({ fee: '0.1', feePayer: 'merchant', amountDue: '10' });
  });
});

test('what came too much at the merchant’s own address is the shop’s to return, less the host’s part', async () => {
  const direct = { merchant: `0x${'a1'.repeat(20)}`, basisPoints: 150 };
  await report(shop, payment, { key: 'one', units: 9_000_000n });
  await report(shop, payment, { key: 'two', units: 3_000_000n, direct });
  const shown = await page();
  expect(shown).toMatchObject({ status: 'completed', overpayment: '2' });
  // What came directly covers a part of what is due; the rest of the overpayment is the gateway's.
  expect(shown.directOverpayment).toBeUndefined();
  expect(shown.owed).toMatchObject([{ amount: '2' }]);
  await report(shop, payment, { key: 'three', units: 8_000_000n, direct });
  const more = await page();
  expect(more).toMatchObject({
    overpayment: '10',
    directOverpayment: { amount: '1', fee: '0.015', rest: '9' },
  });
  expect(more.transfers.map(({ isDirect }) => isDirect)).toEqual([false, true, true]);
});

describe('the ways to pay', () => {
  test('are every network of the currency', async () => {
    expect((await page()).methods).toEqual([
      { method: 'usdc-erc20', network: 'Ethereum' },
      { method: 'usdc-bep20', network: 'BNB Smart Chain' },
      { method: 'usdc-base', network: 'Base' },
      { method: 'usdc-polygon', network: 'Polygon' },
    ]);
  });

  test('include a wallet where somebody has one, or has chosen it', async () => {
    const wallet = { method: 'wallet', network: 'Florin' };
    await choose('wallet');
    expect((await page()).methods).toContainEqual(wallet);
    await choose('usdc-base');
    expect((await page()).methods).not.toContainEqual(wallet);
    await write(shop, (tx) => createUser(tx, { username: 'jane', password: 'secret' }, shop.clock.now()));
    expect((await page()).methods).toContainEqual(wallet);
    await db.query('DELETE FROM users');
  });

  test('of a live payment do not include a simulated address', async () => {
    const live = await openShop(db, { approved: true }, { mode: 'live' });
    payment = await live.create();
    expect(await page()).toMatchObject({ methods: [], destinations: [] });
  });
});

describe('the destinations', () => {
  test('have the full amount due at first, including a fee that the customer pays', async () => {
    payment = await shop.create({ fee_payer: 'customer', amount: 10.000001 });
    expect(await destinations()).toEqual([
      'usdc-erc20 10.100001',
      'usdc-bep20 10.100001',
      'usdc-base 10.100001',
      'usdc-polygon 10.100001',
    ]);
  });

  test('are only the chosen one after the choice, and none for the wallet', async () => {
    await choose('usdc-base');
    expect(await destinations()).toEqual(['usdc-base 10']);
    await choose('wallet');
    expect(await destinations()).toEqual([]);
  });

  test('have the missing amount when a part has been seen', async () => {
    await choose('usdc-erc20');
    await report(shop, payment, { key: `${payment.id} part`, units: 2_500_000n, state: 'seen' });
    expect(await destinations()).toEqual(['usdc-erc20 7.5']);
    await report(shop, payment, { key: `${payment.id} part`, units: 2_500_000n, state: 'gone' });
    expect(await destinations()).toEqual(['usdc-erc20 10']);
  });

  test('have the amount 0 once the payment has ended', async () => {
    await change(shop, payment, (changes) => expirePayment(changes, payment.id));
    expect(await destinations()).toEqual(['usdc-erc20 0', 'usdc-bep20 0', 'usdc-base 0', 'usdc-polygon 0']);
  });

  test("round the missing amount up to the asset's scale", async () => {
    await report(shop, payment, { key: `${payment.id} dust`, units: 1n, asset: 'usdc-bep20' });
    const { destinations, amountMissing } = await page();
    expect(amountMissing).toBe('9.999999999999999999');
    expect(destinations.map(({ asset, amount }) => `${asset} ${amount}`).slice(0, 2)).toEqual([
      'usdc-erc20 10',
      'usdc-bep20 9.999999999999999999',
    ]);
  });
});

describe('money that came', () => {
  test('is shown with its overpayment once the payment is completed', async () => {
    await report(shop, payment, { key: `${payment.id} all`, units: 12_000_000n });
    expect(await page()).toMatchObject({
      status: 'completed',
      amountReceived: '12',
      amountMissing: '0',
      overpayment: '2',
      completedAt: shop.clock.now(),
      disputableUntil: new Date(shop.clock.now().getTime() + 30 * 24 * 3600 * 1000),
    });
  });

  test('in another currency is shown and does not count', async () => {
    await report(shop, payment, { key: `${payment.id} pi`, units: 70_000_000n, asset: 'pi' });
    const { transfers, amountReceived, amountMissing } = await page();
    expect(transfers).toMatchObject([{ asset: 'pi', amount: '7', state: 'final' }]);
    expect([amountReceived, amountMissing]).toEqual(['0', '10']);
  });
});

test('an abandoned payment has the time until which money still counts', async () => {
  await change(shop, payment, (changes) => expirePayment(changes, payment.id));
  const { deadline } = await paymentById(db, payment.id);
  expect(deadline.getTime()).toBe(shop.clock.now().getTime() - 1);
  const lateUntil = new Date(deadline.getTime() + 24 * 3600 * 1000);
  expect(await page()).toMatchObject({ status: 'cancelled', reason: 'abandoned', lateUntil });
});

test('the version grows with every change that the page shows', async () => {
  const versions = [(await page()).version];
  const note = async () => versions.push((await page()).version);
  await choose('usdc-erc20');
  await note();
  await choose('usdc-base');
  await note();
  for (const state of ['seen', 'final'] as const) {
    await report(shop, payment, { key: payment.id, units: 10_000_000n, state });
    await note();
  }
  expect(versions).toEqual([...new Set(versions)].toSorted((a, b) => a - b));
});

describe('a network that could not be read for minutes', () => {
  const places = ['usdc-erc20', 'usdc-bep20'].map((asset) => ({
    ...{ rail: 'evm:1', asset, network: asset, address: '0x1', memo: null },
    ...(asset === 'usdc-bep20' ? { isUnreadable: true as const } : {}),
  }));
  const rail = { ...noRail, destinations: async () => places };
  const offered = async (live: Shop, of: Payment) => {
    const deps = {
      assets: live.assets,
      rail,
      explorers: new Map(),
      usdOf: () => null,
      remote: null,
      now: shop.clock.now,
    };
    const { methods, destinations } = (await findForPage(db, deps, keyOf(of)))!;
    return [methods, destinations].map((each) =>
      each.map((one) => ('asset' in one ? one.asset : one.method)),
    );
  };

  test('is not offered, and stays where it was chosen', async () => {
    const live = await openShop(db, { approved: true }, { mode: 'live', rail });
    const made = await live.create();
    expect((await offered(live, made))[0]).not.toContain('usdc-bep20');
    expect(await offered(live, made)).toEqual([expect.arrayContaining(['usdc-erc20']), ['usdc-erc20']]);
    await write(live, (tx) => linkPayment(tx, live.deps, made.id, 'usdc-bep20'));
    expect(await offered(live, made)).toEqual([
      expect.arrayContaining(['usdc-erc20', 'usdc-bep20']),
      ['usdc-bep20'],
    ]);
  });
});

test('beside an address that settles directly are the words that a shop can make too', async () => {
  const live = await openShop(db, { approved: true }, { mode: 'live' });
  const of = await live.create();
  const to = '0x2158bC18268f69579527B7EE9781262ef8874155';
  const evm = { chainId: 8453, token: to, decimals: 6 } as unknown as EvmTarget;
  const places = [
    { ...{ rail: 'evm:8453', asset: 'usdc-base', network: 'Base', address: to, memo: null }, evm },
    { ...{ rail: 'evm:1', asset: 'usdc-erc20', network: 'Ethereum', address: to, memo: null }, evm },
  ].map((each, index) => (index === 0 ? { ...each, isDirect: true as const } : each));
  const rail = { ...noRail, destinations: async () => places };
  const deps = { assets: live.assets, rail, explorers: new Map(), usdOf: () => null, remote: null };
  const shown = (await findForPage(db, { ...deps, now: live.clock.now }, keyOf(of)))!;
  const request = { chainId: 8453, to, asset: 'usdc-base', amount: '10', reference: of.reference };
  const words = shown.destinations.map(({ asset, words }) => [asset, words]);
  expect(Object.fromEntries(words)).toEqual({
    'usdc-base': requestWords(request),
    'usdc-erc20': undefined,
  });
});
