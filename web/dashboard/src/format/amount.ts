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

/** The digits that an amount has at least: those of a currency of ISO 4217, and two of a coin. */
function leastDecimals(currency: string): number {
  if (!/^[A-Z]{3}$/.test(currency)) return 2;
  const format = new Intl.NumberFormat('en', { style: 'currency', currency });
  return format.resolvedOptions().maximumFractionDigits ?? 2;
}

/**
 * A decimal string as every amount is shown: its thousands apart, and two decimals at least, or those of its currency where that is
 * given and has others. `1234567.5` is `1,234,567.50`, and of JPY `7480` is `7,480`. Never through a float, and never rounded.
 */
export function amountText(amount: string, currency = ''): string {
  const [, sign = '', whole = '', decimals = ''] = /^(-?)(\d*)\.?(.*)$/.exec(amount) ?? [];
  const fraction = decimals.padEnd(leastDecimals(currency), '0');
  const grouped = whole.replace(/\B(?=(\d{3})+$)/g, ',');
  return `${sign === '-' ? '−' : ''}${grouped}${fraction === '' ? '' : `.${fraction}`}`;
}
