import { beforeEach, describe, expect, test } from 'vitest';
import { emptyTables, testDatabase } from '../../test/support/database.ts';
import { bookArrival, noPayouts } from '../../test/support/fixtures.ts';
import { auditFindings, openShop, type Shop, write } from '../../test/support/payment-fixtures.ts';
import { newId } from '../kit/ids.ts';
import { builtinAssets, createAssets, testnetAssets } from '../money/assets.ts';
import type { Report } from '../rails/report.ts';
import { createTakeReports } from './take-reports.ts';

const { db } = await testDatabase();
const assets = createAssets([...builtinAssets, ...testnetAssets]);

let shop: Shop;
beforeEach(async () => {
  await emptyTables(db, 'ledger_entries, ledger_transfers, ledger_accounts');
  shop = await openShop(db, { approved: true }, { assets });
});

const codes = assets.all.map(({ code, isTest = false }) => [code, isTest ? 'test' : 'live'] as const);

async function take(...reports: Report[]): Promise<void> {
  const rest = { sends: noPayouts, bookArrival, count: () => {} };
  await write(shop, (tx) => createTakeReports({ ...shop.deps, ...rest })(tx, reports));
}

/** One report of each kind that books money for no payment. */
function reportsOf(asset: string, paymentId: string): Report[] {
  const at = shop.clock.now();
  const ids = () => ({ rail: 'evm:7', key: newId(), ledgerId: newId(at), transaction: newId(), asset, at });
  const sides = { sender: null, receiver: '0x1', state: 'final' } as const;
  return [
    { kind: 'move', move: { ...ids(), ...sides, units: 50n, from: 'operator', to: 'treasury' } },
    { kind: 'unmatched', deposit: { ...ids(), units: 7n, sender: null, memo: null } },
    {
      kind: 'arrival',
      arrival: {
        ...{ ...ids(), units: 9n, sender: null, state: 'final' },
        owner: { kind: 'top-up', id: shop.owner.integrationId },
      },
    },
    {
      kind: 'sweep',
      sweep: { ...ids(), units: 3n, paymentId, to: 'treasury', state: 'final' },
    },
    {
      kind: 'outflow',
      outflow: { ...ids(), feeLedgerId: newId(at), units: 4n, fee: 1n, sendId: null, to: '0x2' },
    },
  ];
}

const modes = async () =>
  (await db.query<{ mode: string }>('SELECT DISTINCT mode FROM ledger_accounts ORDER BY mode')).rows.map(
    ({ mode }) => mode,
  );

describe('what a network shows is booked in the mode of its asset, and in no other', () => {
  test.each(codes)('%s in %s', async (asset, mode) => {
    const { id } = await shop.create();
    for (const report of reportsOf(asset, id)) await take(report);
    expect(await modes()).toEqual([mode]);
    expect((await db.query('SELECT FROM ledger_accounts')).rowCount).toBeGreaterThan(5);
    expect(await auditFindings(db)).toEqual([]);
  });
});

describe('a transfer to a payment of the other mode is not taken', () => {
  test.each([
    ['live', 'usdc-base-sepolia'],
    ['test', 'usdc-base'],
  ] as const)('in %s mode of %s', async (mode, asset) => {
    const own = await openShop(db, { approved: true }, { mode, assets });
    const { id: paymentId } = await own.create();
    const at = shop.clock.now();
    const seen = {
      ...{ rail: 'evm:7', key: newId(), paymentId, transaction: newId(), asset, units: 10_000_000n },
      ...({ state: 'final', confirmations: 3, needed: 3, takenAt: at } as const),
    };
    await expect(take({ kind: 'transfer', seen, at, isBooked: true })).rejects.toThrow(`is of ${mode} mode`);
    expect((await db.query('SELECT FROM ledger_transfers')).rowCount).toBe(0);
  });
});
