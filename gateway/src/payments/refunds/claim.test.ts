import { expect, test } from 'vitest';
import { testDatabase } from '../../../test/support/database.ts';
import { openShop, write } from '../../../test/support/payment-fixtures.ts';
import { linkSuffices } from './claim.ts';
import { setRefundSettings } from './settings.ts';

const { db } = await testDatabase();

test('a link claims up to the limit in dollars, or up to one of the asset’s own, which goes before', async () => {
  const shop = await openShop(db, { approved: true }, { mode: 'live' });
  const payment = await shop.create({ currency: 'CSK' });
  const suffices = (asset: string, units: bigint, usd: string | null) =>
    linkSuffices(db, { assets: shop.assets, usdOf: () => usd }, payment, { asset, units });
  const csk = 'csk-bep20';
  const one = 10n ** BigInt(shop.assets.get(csk).scale);
  const hundredth = one / 100n;

  expect(await suffices(csk, 100n * one, '0.5')).toBe(true);
  expect(await suffices(csk, 100n * one + hundredth, '0.5')).toBe(false);
  expect(await suffices(csk, 1n, null)).toBe(false);

  const settings = { feeOnRefund: 'kept', claimLimitCents: 5_000, claimLimits: { [csk]: '20.01' } } as const;
  await write(shop, (tx) => setRefundSettings(tx, shop.owner.integrationId, settings, shop.clock.now()));
  for (const usd of ['0.5', '1000', null]) {
    expect(await suffices(csk, 20n * one + hundredth, usd)).toBe(true);
    expect(await suffices(csk, 20n * one + hundredth + 1n, usd)).toBe(false);
  }
  // Money of another currency is confirmed, whatever the limits.
  expect(await suffices('usdc-bep20', 1n, '1')).toBe(false);
});
