import { describe, expect, test } from 'vitest';
import { testDatabase } from '../../../test/support/database.ts';
import { noHints } from '../../../test/support/fixtures.ts';
import { noRail, openShop, payUrl } from '../../../test/support/payment-fixtures.ts';
import { transaction } from '../../kit/db/db.ts';
import { builtinAssets, builtinDefaults, createAssets } from '../../money/assets.ts';
import { createPaymentCreator } from '../create/create.ts';
import { readCreateBody } from '../create/schema.ts';
import { testRates } from '../payment/amount.ts';
import { linkPayment } from '../settlement/act.ts';
import { builtinTerms, createCurrencyTermsCache, writeCurrencyTerms } from './currency-terms.ts';

const { db } = await testDatabase();
const cache = createCurrencyTermsCache();
const { termsOf } = cache;

async function change(currency: 'USDC' | 'USDT', terms: Partial<ReturnType<typeof builtinTerms>>) {
  await transaction(db, (tx) =>
    writeCurrencyTerms(tx, noHints, currency, { ...builtinTerms(currency), ...terms }),
  );
  await cache.refresh(db);
}

const shop = await openShop(db);
const createPayment = createPaymentCreator({
  db,
  now: shop.clock.now,
  rates: testRates,
  payUrl,
  termsOf,
  rail: noRail,
});
const create = (currency: 'USDC' | 'USDT', amount = 10) =>
  createPayment(shop.caller, readCreateBody({ amount, currency, payment_type: 'deposit' }), null);

describe('the terms of a currency', () => {
  test('are the built-in ones until somebody changes them', async () => {
    await cache.refresh(db);
    expect(termsOf('USDT')).toEqual(builtinTerms('USDT'));
    await expect(create('USDT', 4.99)).rejects.toThrow('amount is below the minimum of 5.00 USD for USDT');
  });

  test('refuse a currency that is offered no longer, in the words of one that never was', async () => {
    await change('USDC', { offered: false });
    await expect(create('USDC')).rejects.toThrow('Currency not supported');
    await create('USDT');
    await change('USDC', { offered: true });
    await create('USDC');
  });

  test('set the minimum to the cent', async () => {
    await change('USDT', { minimumCents: 250 });
    await create('USDT', 2.5);
    await expect(create('USDT', 2.49)).rejects.toThrow('amount is below the minimum of 2.50 USD for USDT');
    await change('USDT', { minimumCents: 0 });
    await create('USDT', 0.000001);
  });
});

describe('the networks of a currency', () => {
  const assets = createAssets(builtinAssets, builtinDefaults, termsOf);

  test('leave out what is hidden, and keep it in the registry', async () => {
    await change('USDT', { hiddenAssets: ['usdt-erc20'], defaultAsset: 'usdt-bep20' });
    expect(assets.offered('USDT').map(({ code }) => code)).toEqual(['usdt-bep20', 'usdt-polygon']);
    expect(assets.find('usdt')?.code).toBe('usdt-bep20');
    expect(assets.get('usdt-erc20').currency).toBe('USDT');
  });

  test('refuse a choice that is offered no longer, but let who chose it before go on', async () => {
    await change('USDT', { hiddenAssets: [] });
    const deps = { ...shop.deps, assets };
    const [early, late] = [await shop.create({ currency: 'USDT' }), await shop.create({ currency: 'USDT' })];
    await transaction(db, (tx) => linkPayment(tx, deps, early.id, 'usdt-polygon'));
    await change('USDT', { hiddenAssets: ['usdt-polygon'] });
    const again = await transaction(db, (tx) => linkPayment(tx, deps, early.id, 'usdt-polygon'));
    expect(again.method).toBe('usdt-polygon');
    await expect(transaction(db, (tx) => linkPayment(tx, deps, late.id, 'usdt-polygon'))).rejects.toThrow(
      'Not possible while the payment is unlinked',
    );
  });

  test("an asset's own code comes before the currency of that name", () => {
    const own = [...builtinAssets, { code: 'usdt', currency: 'USDT', scale: 6, network: 'Tron' } as const];
    const chosen = createAssets(own, { ...builtinDefaults, USDT: 'usdt' }, () => ({
      defaultAsset: 'usdt-bep20',
      hiddenAssets: [],
    }));
    expect(chosen.get('usdt').network).toBe('Tron');
    expect(chosen.defaultOf('USDT').code).toBe('usdt-bep20');
  });
});
