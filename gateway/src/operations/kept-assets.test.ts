import { expect, test } from 'vitest';
import { testDatabase } from '../../test/support/database.ts';
import { transaction } from '../kit/db/db.ts';
import { newId } from '../kit/ids.ts';
import { placeHolds } from '../ledger/holds.ts';
import { postAll } from '../ledger/ledger.ts';
import { addressesOf } from '../ledger/places.ts';
import { builtinAssets } from '../money/assets.ts';
import { assertAssetsKept } from './kept-assets.ts';

const { db } = await testDatabase();
const rail = 'evm:56';
const bep20 = ['usdc-bep20', 'usdt-bep20'];

/** Units that came to a business on a rail. */
const came = (asset: string, units: bigint, from: string) =>
  transaction(db, (tx) =>
    postAll(
      tx,
      [
        {
          ...{ id: newId(), mode: 'live', asset, units, cause: 'seed', causeId: null },
          ...{ debit: addressesOf(from), credit: { kind: 'business', owner: 'shop' } },
        },
      ],
      new Date(),
    ),
  );
const start = (assets = builtinAssets, live = bep20) => assertAssetsKept(db, assets, new Set(live));

test('an asset of which there is money cannot leave the configuration, nor its network', async () => {
  await expect(start([])).resolves.toBeUndefined();
  await came('usdc-bep20', 25n * 10n ** 17n, rail);
  await expect(start()).resolves.toBeUndefined();
  await expect(start(builtinAssets, [])).rejects.toThrow(
    'CONFIG_FILE has no longer the network of usdc-bep20, and there is live money of it: 2.5 in balances.',
  );
  await expect(start(builtinAssets.filter(({ code }) => code !== 'usdc-bep20'))).rejects.toThrow(
    'CONFIG_FILE has no longer usdc-bep20, and there is live money of it: 2500000000000000000 of its smallest units',
  );
});

test('what is held is named, and money that came from no network needs none', async () => {
  await came('usdt-erc20', 5_000_000n, 'seed');
  await expect(start()).resolves.toBeUndefined();
  await transaction(db, (tx) =>
    placeHolds(
      tx,
      [
        {
          ...{
            id: newId(),
            mode: 'live',
            asset: 'usdc-bep20',
            units: 10n ** 18n,
            cause: 'payout',
            causeId: null,
          },
          ...{ debit: { kind: 'business', owner: 'shop' }, credit: addressesOf(rail) },
        },
      ],
      new Date(),
    ),
  );
  await expect(start(builtinAssets, [])).rejects.toThrow('2.5 in balances, 1 of it held.');
});
