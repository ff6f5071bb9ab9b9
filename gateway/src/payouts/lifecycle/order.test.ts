import { describe, expect, test } from 'vitest';
import { seedTeam } from '../../../test/refunds/team.ts';
import { testDatabase } from '../../../test/support/database.ts';
import { noHints, seedBalance } from '../../../test/support/fixtures.ts';
import { openShop, type Shop, write } from '../../../test/support/payment-fixtures.ts';
import { transaction } from '../../kit/db/db.ts';
import { newId } from '../../kit/ids.ts';
import { createAssets } from '../../money/assets.ts';
import { payoutErrors } from '../payout/errors.ts';
import type { Payout } from '../payout/payout.ts';
import { merchantPayout } from '../payout/purposes.ts';
import { payoutsById } from '../payout/read.ts';
import { addAddress } from '../rules/addresses.ts';
import { changePayoutSettings, type PayoutSettings } from '../rules/settings.ts';
import { setPayoutTerms } from '../rules/terms.ts';
import { approvePayout } from './approve.ts';
import { type OrderTerms, orderPayouts, type Wanted } from './order.ts';

const { db } = await testDatabase();
const assets = createAssets();

test('nothing is sent to an address at which the gateway takes payments; each is named by its place', async () => {
  const asset = assets.get('usdc-base');
  const deps = {
    hints: noHints,
    assets,
    sendings: [
      {
        rail: 'evm:8453',
        mode: 'live' as const,
        outside: { kind: 'external' as const, owner: 'evm:8453:operator' },
        assets: [asset.code],
        faultOf: () => null,
        ownOf: async (_: unknown, sent: readonly string[]) =>
          new Set(sent.filter((to) => to.startsWith('own'))),
        unavailable: async () => null,
        order: async () => {},
        cancel: async () => true,
      },
    ],
    purposes: { merchant_payout: merchantPayout },
    now: () => new Date('2026-03-01T12:00:00Z'),
  };
  const order = (...destinations: string[]) =>
    transaction(db, (tx) =>
      orderPayouts(
        tx,
        deps,
        {
          owner: null,
          mode: 'live',
          purpose: 'merchant_payout',
          debit: { kind: 'business', owner: 'b' },
          requester: { accountId: null, name: 'olga', limits: null },
          isCharged: false,
          ownTime: deps.now(),
        },
        destinations.map((to) => ({ asset, units: 1n, to, memo: null })),
      ),
    );
  const message = 'to is invalid: is an address at which this gateway takes payments';
  await expect(order('own-1')).rejects.toMatchObject({ message, row: { status: 400 }, details: undefined });
  await expect(order('theirs', 'own-1', 'theirs-too', 'own-2')).rejects.toMatchObject({
    message,
    details: [
      { index: 1, field: 'to', message },
      { index: 3, field: 'to', message },
    ],
  });
  await expect(order('theirs')).rejects.toThrow('balance');
});

const usdc = assets.get('usdc-base');
const elsewhere = `0x${'ab'.repeat(20)}`;

/** A business with 100 units and a team, which pays out by its settings. */
async function openBusiness(settings: Partial<PayoutSettings>): Promise<{ shop: Shop; team: string[] }> {
  const shop = await openShop(db);
  const team = await seedTeam(shop, 3);
  const { owner, clock } = shop;
  const business = { kind: 'business', owner: owner.integrationId, mode: 'test' } as const;
  await seedBalance(db, { ...business, asset: usdc.code, units: 100n });
  const all = { enabled: true, approvals: 0, approveAbove: {}, knownAddressesOnly: false, ...settings };
  await write(shop, (tx) => changePayoutSettings(tx, owner, all, clock.now()));
  return { shop, team };
}

/** Orders payouts of these units. */
async function ordered(
  shop: Shop,
  units: readonly bigint[],
  { to = elsewhere, memo = null, ...terms }: Partial<OrderTerms & Pick<Wanted, 'to' | 'memo'>> = {},
): Promise<Payout[]> {
  const { owner, deps, clock } = shop;
  const requester = { accountId: null, name: 'a key', limits: null };
  const debit = { kind: 'business', owner: owner.integrationId } as const;
  const all: OrderTerms = {
    ...{ owner, mode: 'test', purpose: 'merchant_payout', debit, requester, isCharged: true },
    ownTime: clock.now(),
    ...terms,
  };
  return await write(shop, (tx) =>
    orderPayouts(
      tx,
      deps,
      all,
      units.map((each) => ({ asset: usdc, units: each, to, memo })),
    ),
  );
}

describe('an order in parts', () => {
  const asOne = (units: bigint) => ({ asOne: { id: newId(), units } });

  test('is approved by its sum, and all of it leaves with the last approval', async () => {
    const { shop, team } = await openBusiness({ approvals: 1, approveAbove: { [usdc.code]: '0.00005' } });
    expect(await ordered(shop, [30n], asOne(30n))).toMatchObject([{ status: 'queued' }]);
    const parts = await ordered(shop, [30n, 30n], asOne(60n));
    expect(parts.map(({ status }) => status)).toEqual(['awaiting_approval', 'awaiting_approval']);
    const approver = { accountId: team[0]!, name: 'one', side: 'merchant' } as const;
    await write(shop, (tx) => approvePayout(tx, shop.deps, parts[1]!.id, approver));
    const now = await payoutsById(
      db,
      parts.map(({ id }) => id),
    );
    expect([...now.values()].map(({ status }) => status)).toEqual(['queued', 'queued']);
  });
});

describe('the fee', () => {
  test("of an asset is charged to what a business orders, and to no customer's refund", async () => {
    const { shop } = await openBusiness({});
    const terms = { fee: 2n, minimum: 0n, dailyLimit: null, approveAbove: null };
    await write(shop, (tx) => setPayoutTerms(tx, usdc.code, terms, shop.clock.now()));
    expect(await ordered(shop, [10n])).toMatchObject([{ units: 10n, fee: 2n }]);
    expect(await ordered(shop, [10n], { isCharged: false })).toMatchObject([{ units: 10n, fee: 0n }]);
  });
});

describe('where known addresses alone are paid', () => {
  const known = async () => {
    const { shop } = await openBusiness({ knownAddressesOnly: true });
    const place = { address: elsewhere, memo: '7', label: 'The exchange', by: 'one' };
    await write(shop, (tx) => addAddress(tx, shop.owner, place, shop.clock.now()));
    return shop;
  };

  test('a new one rests for a day', async () => {
    const shop = await known();
    const rests = { row: payoutErrors.address_rests };
    await expect(ordered(shop, [10n], { memo: '7' })).rejects.toMatchObject(rests);
    shop.clock.advance(24 * 3600 - 1);
    await expect(ordered(shop, [10n], { memo: '7' })).rejects.toMatchObject(rests);
    shop.clock.advance(1);
    expect(await ordered(shop, [10n], { memo: '7' })).toMatchObject([{ to: elsewhere, memo: '7' }]);
  });

  test('one with another memo, or without it, is another address', async () => {
    const shop = await known();
    shop.clock.advance(24 * 3600);
    for (const memo of ['8', null])
      await expect(ordered(shop, [10n], { memo })).rejects.toMatchObject({
        row: payoutErrors.address_unknown,
      });
  });
});
