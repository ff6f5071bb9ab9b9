import type { Assets } from '../../money/assets.ts';
import { decimalOf } from '../../money/money.ts';
import type { Payout } from '../payout/payout.ts';

/** What payouts take from the balance, for each asset. */
export function totalsOf(payouts: readonly Payout[], assets: Assets) {
  const codes = [...new Set(payouts.map(({ asset }) => asset))];
  return codes.map((asset) => {
    const own = payouts.filter((payout) => payout.asset === asset);
    const { scale } = assets.get(asset);
    const sum = (units: bigint[]) =>
      decimalOf(
        units.reduce((total, each) => total + each, 0n),
        scale,
      );
    return { asset, amount: sum(own.map(({ units }) => units)), fee: sum(own.map(({ fee }) => fee)) };
  });
}
