import { expect, test } from 'vitest';
import { testDatabase } from '../../../test/support/database.ts';
import { noHints } from '../../../test/support/fixtures.ts';
import { transaction } from '../../kit/db/db.ts';
import { createAssets } from '../../money/assets.ts';
import { merchantPayout } from '../payout/purposes.ts';
import { orderPayouts } from './order.ts';

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
