import { beforeEach, describe, expect, test } from 'vitest';
import { seedTeam } from '../../../test/refunds/team.ts';
import { testDatabase } from '../../../test/support/database.ts';
import { seedBalance } from '../../../test/support/fixtures.ts';
import { openShop, type ShopSetting } from '../../../test/support/payment-fixtures.ts';
import { type Tx, transaction } from '../../kit/db/db.ts';
import { newId } from '../../kit/ids.ts';
import { createAssets } from '../../money/assets.ts';
import type { Sending } from '../../rails/rail.ts';
import { rejectPayout } from '../lifecycle/approve.ts';
import { cancelPayout, failPayout } from '../lifecycle/cancel.ts';
import { orderPayouts } from '../lifecycle/order.ts';
import { payoutErrors } from '../payout/errors.ts';
import { type KeyLimits, releaseUses, takeLimits } from './limits.ts';
import { changePayoutSettings } from './settings.ts';
import { setPayoutTerms } from './terms.ts';

const { db } = await testDatabase();
const today = new Date('2026-03-01T23:59:59Z');
const tomorrow = new Date('2026-03-02T00:00:00Z');
const assets = createAssets();
const asset = assets.get('usdc-base');
const other = assets.get('usdt-erc20');
let key: KeyLimits;
beforeEach(() => {
  key = { allowanceId: newId(today), byAsset: { [asset.code]: '10' } };
});

const dollars = (count: number) => BigInt(count) * 1_000_000n;
const of = (count: number, what = asset) => ({
  asset: what,
  inKey: { by: newId(today), units: dollars(count) },
});
const write = <T>(work: (tx: Tx) => Promise<T>) => transaction(db, work);
/** Takes dollars of the key's limit by one payout; its id. */
async function take(count: number, now = today): Promise<string> {
  const wanted = of(count);
  await write((tx) => takeLimits(tx, { key, operator: () => null }, [wanted], now));
  return wanted.inKey.by;
}
const release = (...ids: string[]) => write((tx) => releaseUses(tx, ids));

describe('the daily limit of a key', () => {
  test('holds all payouts of a UTC day together, and the next day begins anew', async () => {
    await take(6);
    await expect(take(5)).rejects.toMatchObject({
      row: payoutErrors.payout_limit,
      message: expect.stringContaining('4'),
    });
    await take(4);
    await expect(take(1)).rejects.toMatchObject({ row: payoutErrors.payout_limit });
    await take(10, tomorrow);
  });

  test('holds the payouts of one call together', async () => {
    const both = write((tx) => takeLimits(tx, { key, operator: () => null }, [of(6), of(5)], today));
    await expect(both).rejects.toMatchObject({ row: payoutErrors.payout_limit });
    await write((tx) => takeLimits(tx, { key, operator: () => null }, [of(6), of(4)], today));
    await expect(take(1)).rejects.toMatchObject({ row: payoutErrors.payout_limit });
  });

  test('is 0 for an asset that it does not name', async () => {
    const unnamed = write((tx) => takeLimits(tx, { key, operator: () => null }, [of(1, other)], today));
    await expect(unnamed).rejects.toMatchObject({ row: payoutErrors.payout_limit });
  });

  test('gets back what a payout took, on the day on which it took it and on no other', async () => {
    const early = await take(10);
    await take(10, tomorrow);
    await release(early);
    await expect(take(1, tomorrow)).rejects.toMatchObject({ row: payoutErrors.payout_limit });
    await take(10);
  });

  test('gets back what each payout took, once', async () => {
    const [one, two] = [await take(3), await take(3)];
    await take(4);
    await release(one, two);
    await release(one, two);
    await take(6);
    await expect(take(1)).rejects.toMatchObject({ row: payoutErrors.payout_limit });
  });
});

/** A business with 100 dollars and a team, whose key orders payouts; so many people must approve each. */
async function payingShop(setting: ShopSetting, approvals = 0) {
  const shop = await openShop(db, {}, setting);
  await seedTeam(shop, 2);
  const { owner, deps, clock } = shop;
  const { mode } = owner;
  const debit = { kind: 'business', owner: owner.integrationId } as const;
  await seedBalance(db, { ...debit, mode, asset: asset.code, units: dollars(100) });
  const settings = { enabled: true, approvals, approveAbove: {}, knownAddressesOnly: false };
  await write((tx) => changePayoutSettings(tx, owner, settings, clock.now()));
  const terms = { owner, mode, purpose: 'merchant_payout', debit, isCharged: true } as const;
  async function order(count: number, limits: KeyLimits | null) {
    const requester = { accountId: null, name: 'a key', limits };
    const wanted = { asset, units: dollars(count), to: `0x${'ab'.repeat(20)}`, memo: null };
    return await write(async (tx) => {
      const [payout] = await orderPayouts(tx, deps, { ...terms, requester, ownTime: clock.now() }, [wanted]);
      return payout!.id;
    });
  }
  return { deps, order };
}

describe('the limit of a key gets back what a payout took that is', () => {
  test.each([
    ['cancelled', 0, cancelPayout],
    ['rejected', 1, rejectPayout],
    ['failed', 0, failPayout],
  ])('%s', async (_, approvals, end) => {
    const { deps, order } = await payingShop({}, approvals);
    const id = await order(10, key);
    await expect(order(1, key)).rejects.toMatchObject({ row: payoutErrors.payout_limit });
    await write((tx) => end(tx, deps, id, 'No'));
    await order(10, key);
  });
});

describe("the operator's limit", () => {
  const sending: Sending = {
    ...{ rail: 'evm:8453', mode: 'live', assets: [asset.code] },
    outside: { kind: 'external', owner: 'evm:8453:operator' },
    faultOf: () => null,
    ownOf: async () => new Set(),
    unavailable: async () => null,
    order: async () => {},
    cancel: async () => true,
  };

  test('holds live payouts of all businesses together, and no test money', async () => {
    const terms = { fee: 0n, minimum: 0n, dailyLimit: dollars(10), approveAbove: null };
    await write((tx) => setPayoutTerms(tx, asset.code, terms, today));
    const [one, two] = [
      await payingShop({ mode: 'live', sendings: [sending] }),
      await payingShop({ mode: 'live', sendings: [sending] }),
    ];
    await one.order(6, null);
    await expect(two.order(5, null)).rejects.toMatchObject({ row: payoutErrors.payouts_unavailable });
    await two.order(4, null);
    await (await payingShop({})).order(50, null);
  });
});
