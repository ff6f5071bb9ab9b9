import { Asset } from '@stellar/stellar-sdk';

/** `native`, or `CODE:ISSUER` for what an account issued. */
export type AssetName = string;
export const native: AssetName = 'native';

export const unitsPerCoin = 10_000_000n;
/** The largest amount that an entry of the ledger holds, a signed 64-bit number. */
export const largest = 2n ** 63n - 1n;

/** Units of a decimal that has all its seven places, as those read from an envelope do. */
export function unitsOf(decimal: string): bigint {
  return BigInt(decimal.replace('.', ''));
}

/** A decimal with all its seven places. */
export function decimalOf(units: bigint): string {
  const digits = units.toString().padStart(8, '0');
  return `${digits.slice(0, -7)}.${digits.slice(-7)}`;
}

export function nameOf(asset: Asset): AssetName {
  return asset.isNative() ? native : `${asset.getCode()}:${asset.getIssuer()}`;
}

export function assetOf(name: AssetName): Asset {
  if (name === native) return Asset.native();
  const [code, issuer] = name.split(':');
  return new Asset(code!, issuer!);
}

export function issuerOf(name: AssetName): string | null {
  return name === native ? null : name.split(':')[1]!;
}
