import { expect, test } from 'vitest';
import { createAssets } from '../money/assets.ts';
import { coinsOf } from './coins.ts';

const assets = createAssets();
const has = (asset: string, available: bigint, held = 0n) => ({ asset, available, held });

test('a coin is the exact sum of its networks, in the order of the installation', () => {
  const coins = coinsOf(assets, [
    has('usdc-bep20', 34_500_000_000_000_000_001n),
    has('pi', 1n),
    has('usdc-base', 12_000_000n, 500_000n),
    has('usdt-polygon', 0n),
  ]);
  expect(
    coins.map(({ currency, units, places }) => [currency, units, places.map(({ asset }) => asset)]),
  ).toEqual([
    ['PI', 10n ** 11n, ['pi']],
    ['USDC', 47_000_000_000_000_000_001n, ['usdc-bep20', 'usdc-base']],
  ]);
});

test('what is wholly on its way out is still a coin that somebody has', () => {
  expect(coinsOf(assets, [has('csk-bep20', 0n, 5n)])).toMatchObject([{ currency: 'CSK', units: 5n }]);
  expect(coinsOf(assets, [])).toEqual([]);
});
