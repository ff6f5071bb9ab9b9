import type { AssetCode } from './money.ts';

export type Currency = 'PI' | 'USDC' | 'USDT' | 'CSK';

/** A currency on one network, with the decimals that its contract there has. */
export type Asset = {
  code: AssetCode;
  currency: Currency;
  scale: number;
  network: string;
};

/** Decimals of an amount in each currency (contract.md 2). */
export const currencyScale: Readonly<Record<Currency, number>> = { PI: 7, USDC: 6, USDT: 6, CSK: 6 };

export const currencies = Object.keys(currencyScale) as Currency[];

export function isCurrency(value: unknown): value is Currency {
  return typeof value === 'string' && Object.hasOwn(currencyScale, value);
}

/** No asset has more decimals than this: amounts of several assets of one currency are added up at this scale. */
export const fineScale = 18;

const asset = (code: string, currency: Currency, scale: number, network: string): Asset => ({
  code,
  currency,
  scale,
  network,
});

/** The assets every installation knows; decimals of the BEP-20 tokens are those of their contracts. */
export const builtinAssets: readonly Asset[] = [
  asset('pi', 'PI', 7, 'Pi Network'),
  asset('usdc-erc20', 'USDC', 6, 'Ethereum'),
  asset('usdt-erc20', 'USDT', 6, 'Ethereum'),
  asset('usdc-bep20', 'USDC', 18, 'BNB Smart Chain'),
  asset('usdt-bep20', 'USDT', 18, 'BNB Smart Chain'),
  asset('usdc-base', 'USDC', 6, 'Base'),
  asset('usdc-polygon', 'USDC', 6, 'Polygon'),
  asset('usdt-polygon', 'USDT', 6, 'Polygon'),
  asset('csk-bep20', 'CSK', 18, 'BNB Smart Chain'),
];

export const builtinDefaults: Readonly<Record<Currency, AssetCode>> = {
  PI: 'pi',
  USDC: 'usdc-erc20',
  USDT: 'usdt-erc20',
  CSK: 'csk-bep20',
};

export type Assets = {
  readonly all: readonly Asset[];
  find(code: string): Asset | undefined;
  /** Throws for a code that is not configured: only for codes that were stored by us. */
  get(code: string): Asset;
  ofCurrency(currency: Currency): Asset[];
  defaultOf(currency: Currency): Asset;
};

/** The registry of assets; `code` may also be a bare lower-case currency, which means its default network. */
export function createAssets(
  all: readonly Asset[] = builtinAssets,
  defaults: Readonly<Record<Currency, AssetCode>> = builtinDefaults,
): Assets {
  const byCode = new Map(all.map((each) => [each.code, each]));
  for (const currency of currencies) {
    const fallback = byCode.get(defaults[currency]);
    if (!fallback) throw new Error(`The default asset ${defaults[currency]} is not configured`);
    byCode.set(currency.toLowerCase(), fallback);
  }
  const get = (code: string): Asset => {
    const found = byCode.get(code);
    if (!found) throw new Error(`The asset ${code} is not configured`);
    return found;
  };
  return {
    all,
    find: (code) => byCode.get(code),
    get,
    ofCurrency: (currency) => all.filter((each) => each.currency === currency),
    defaultOf: (currency) => get(defaults[currency]),
  };
}
