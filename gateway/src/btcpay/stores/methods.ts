import type { Mode } from '../../identity/integration.ts';
import { type Asset, type Assets, currencies } from '../../money/assets.ts';

/** The name of an asset as a payment method: its code in capitals. */
export const methodOf = ({ code }: Pick<Asset, 'code'>): string => code.toUpperCase();

/** The assets that customers may choose in a mode. */
export function offeredAssets(assets: Assets, mode: Mode): Asset[] {
  const known = assets.of(mode);
  return currencies.flatMap((currency) => known.offered(currency));
}

/** The code of the asset that a payment method names; undefined: none of the mode. Some plug-ins write `_` for `-`. */
export function assetOfMethod(assets: Assets, mode: Mode, name: string): Asset | undefined {
  const code = name.toLowerCase().replaceAll('_', '-');
  return offeredAssets(assets, mode).find((asset) => asset.code === code);
}
