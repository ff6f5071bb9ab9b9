import { t } from '../texts/t.ts';

const networks = new Map<string, string>();

/** Sets the name that this installation has for the network of each asset. */
export function nameNetworks(names: Readonly<Record<string, string>>): void {
  for (const [asset, name] of Object.entries(names)) networks.set(asset, name);
}

/** `usdc-bep20` is `{ currency: 'USDC', network: 'BNB Smart Chain' }`; an unknown network keeps its code. */
export function readAsset(asset: string): { currency: string; network: string | undefined } {
  const [currency = '', ...rest] = asset.split('-');
  const code = rest.join('-');
  return {
    currency: currency.toUpperCase(),
    network: code === '' ? undefined : (networks.get(asset) ?? code),
  };
}

/** `usdc-bep20` in words: `USDC on BNB Smart Chain`. */
export function assetName(asset: string): string {
  const { currency, network } = readAsset(asset);
  return network === undefined ? currency : t('{currency} on {network}', { currency, network });
}

/** A decimal string with its thousands apart: `1234567.5` is `1,234,567.5`. Never through a float. */
export function groupDigits(amount: string): string {
  const [, sign = '', whole = '', rest = ''] = /^(-?)(\d*)(.*)$/.exec(amount) ?? [];
  return `${sign === '-' ? '−' : ''}${whole.replace(/\B(?=(\d{3})+$)/g, ',')}${rest}`;
}
