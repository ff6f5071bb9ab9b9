import { expect, test } from 'vitest';
import { testDatabase } from '../../test/support/database.ts';
import { seedIntegration, testSeal } from '../../test/support/fixtures.ts';
import type { OwnAddressSettings } from '../identity/own-addresses.ts';
import { transaction } from '../kit/db/db.ts';
import { builtinAssets } from '../money/assets.ts';
import { freshKeys } from './chain/record.ts';
import { keepOwnWallet, type OwnWallet } from './own-wallet.ts';

const { db } = await testDatabase();
const { integrationId } = await seedIntegration(db, testSeal);
const chainOf = () => ({
  record: {
    ...({ chain_id: 7, port: 4200, vault: '0xbb', tokens: { 'usdc-bep20': '0xaa' } } as const),
    keys: freshKeys(),
  },
});

async function kept(chain: ReturnType<typeof chainOf>, earlier?: OwnWallet): Promise<OwnWallet> {
  const deps = { seal: testSeal, assets: builtinAssets, now: new Date(), chain, testChain: null };
  return await transaction(db, (tx) => keepOwnWallet(tx, deps, integrationId, earlier));
}
async function settledOf({ integration_id: id }: OwnWallet): Promise<OwnAddressSettings> {
  const { rows } = await db.query<{ own_addresses: OwnAddressSettings }>(
    'SELECT own_addresses FROM integrations WHERE id = $1',
    [id],
  );
  return rows[0]?.own_addresses ?? {};
}

test('payments of the demo settle to a wallet of its own at once, and what its owner ended stays ended', async () => {
  const chain = chainOf();
  const first = await kept(chain);
  expect(await settledOf(first)).toMatchObject({ 'usdc-bep20': { address: first.address, before: null } });
  await db.query("UPDATE integrations SET own_addresses = '{}' WHERE id = $1", [first.integration_id]);
  expect(await kept(chain, first)).toEqual(first);
  expect(await settledOf(first)).toEqual({});
  // A demo chain that was made anew has other keys.
  const again = await kept(chainOf(), first);
  expect(again.integration_id).toBe(first.integration_id);
  expect(await settledOf(again)).toMatchObject({ 'usdc-bep20': { address: again.address } });
});
