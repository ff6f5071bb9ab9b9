import { describe, expect, test } from 'vitest';
import { goodPayout, openPayoutDesk } from '../../../test/payouts/desk.ts';
import { testDatabase } from '../../../test/support/database.ts';

const { db } = await testDatabase();
const { call, balance } = openPayoutDesk(db);

describe('a batch', () => {
  const batch = (payouts: object[], more: object = {}) =>
    call('POST', '/payouts/batch', { payouts, ...more });

  test('is ordered whole, with its totals', async () => {
    const payouts = Array.from({ length: 500 }, (_, index) => ({
      ...goodPayout,
      amount: '0.2',
      payout_reference: `${index}`,
    }));
    const { status, data } = await batch(payouts);
    expect(status).toBe(200);
    expect(data.items.map((item: { payout_reference: string }) => item.payout_reference)).toEqual(
      payouts.map(({ payout_reference }) => payout_reference),
    );
    expect(data.totals).toEqual([{ asset: 'usdc-base', amount: '100', fee: '0' }]);
    expect(await balance()).toBe('100000000 100000000');
    const page = await call('GET', '/payouts?limit=2&status=queued');
    expect(page.data.items).toHaveLength(2);
    expect(page.data.next_cursor).not.toBeNull();
  });

  test('names every fault and its place, and orders nothing', async () => {
    const { status, details } = await batch([
      goodPayout,
      { ...goodPayout, to: 'x', amount: 0 },
      { ...goodPayout, asset: 'doge' },
    ]);
    expect(status).toBe(400);
    expect(details).toEqual([
      { index: 1, field: 'amount', message: 'amount must be a positive number' },
      { index: 1, field: 'to', message: 'to is invalid: must be 0x and 40 hexadecimal digits' },
      { index: 2, field: 'asset', message: 'Asset not supported' },
    ]);
    expect(await batch([])).toMatchObject({ status: 400 });
    expect(await balance()).toBe('100000000 0');
  });

  test('tried out answers the same and changes nothing', async () => {
    const { status, data } = await batch([goodPayout, goodPayout], { dry_run: true });
    expect([status, data.totals]).toEqual([200, [{ asset: 'usdc-base', amount: '21', fee: '0' }]]);
    expect(await balance()).toBe('100000000 0');
    expect(
      await batch(
        Array.from({ length: 10 }, () => goodPayout),
        { dry_run: true },
      ),
    ).toMatchObject({
      status: 403,
      message: 'Insufficient business balance',
    });
  });
});
