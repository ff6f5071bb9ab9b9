import type { Balance } from '../ledger/ledger.ts';
import { type Assets, type Currency, fineScale } from '../money/assets.ts';
import { rescale } from '../money/money.ts';

/** A coin that somebody has: the sum of its networks at `fineScale`, and what is on each of them. */
export type Coin = { currency: Currency; units: bigint; places: readonly Balance[] };

/** The coins of balances, in the order in which the installation lists them; empty balances are left out. */
export function coinsOf(assets: Assets, balances: readonly Balance[]): Coin[] {
  const coins = new Map<Currency, Balance[]>();
  const order = new Map(assets.all.map(({ code }, index) => [code, index]));
  const placeOf = ({ asset }: Balance): number => order.get(asset) ?? order.size;
  for (const balance of balances.toSorted((one, other) => placeOf(one) - placeOf(other))) {
    if (balance.available === 0n && balance.held === 0n) continue;
    const { currency } = assets.get(balance.asset);
    coins.set(currency, [...(coins.get(currency) ?? []), balance]);
  }
  return [...coins].map(([currency, places]) => {
    const units = places.map(({ asset, available, held }) =>
      rescale(available + held, assets.get(asset).scale, fineScale),
    );
    return { currency, units: units.reduce((sum, each) => sum + each, 0n), places };
  });
}
