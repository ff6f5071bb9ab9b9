import type { AssetCode } from './money.ts';

export type Currency = 'PI' | 'USDC' | 'USDT' | 'CSK';

/** A currency on one network, with the decimals that its contract there has. */
export type Asset = {
  code: AssetCode;
  currency: Currency;
  scale: number;
  network: string;
  /** Of a test network: it exists in test mode alone, and is never simulated (contract.md#testnets). */
  isTest?: boolean;
};

/** The modes of money. An asset of a test network exists in `test` alone. */
type AssetMode = 'test' | 'live';

/** Decimals of an amount in each currency (contract.md#payments). */
export const currencyScale: Readonly<Record<Currency, number>> = { PI: 7, USDC: 6, USDT: 6, CSK: 6 };

export const currencies = Object.keys(currencyScale) as Currency[];

export function isCurrency(value: unknown): value is Currency {
  return typeof value === 'string' && Object.hasOwn(currencyScale, value);
}

/** The most decimals of any asset. Amounts of several assets of one currency are added up at this scale. */
export const fineScale = 18;

const asset = (code: string, currency: Currency, scale: number, network: string): Asset => ({
  code,
  currency,
  scale,
  network,
});
const testAsset = (...about: Parameters<typeof asset>): Asset => ({ ...asset(...about), isTest: true });

/** The assets that every installation has. The decimals of the BEP-20 tokens are those of their contracts. */
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

/** The assets of public test networks. An installation has those that a test entry of its configuration takes. */
export const testnetAssets: readonly Asset[] = [
  testAsset('pi-testnet', 'PI', 7, 'Pi Testnet'),
  testAsset('usdc-base-sepolia', 'USDC', 6, 'Base Sepolia'),
  testAsset('usdc-bsc-testnet', 'USDC', 18, 'BNB Smart Chain Testnet'),
  testAsset('usdt-bsc-testnet', 'USDT', 18, 'BNB Smart Chain Testnet'),
  testAsset('usdc-amoy', 'USDC', 6, 'Polygon Amoy'),
];

export const builtinDefaults: Readonly<Record<Currency, AssetCode>> = {
  PI: 'pi',
  USDC: 'usdc-erc20',
  USDT: 'usdt-erc20',
  CSK: 'csk-bep20',
};

export type Assets = {
  readonly all: readonly Asset[];
  /** The same with the assets of one mode alone; those of test networks come last, and are not in `live`. */
  of(mode: AssetMode): Assets;
  /** The mode in which what a network shows of an asset is booked: `test` for assets of test networks. */
  modeOf(code: string): AssetMode;
  find(code: string): Asset | undefined;
  /** Throws for a code that is not configured. Only for codes that Florin stored. */
  get(code: string): Asset;
  ofCurrency(currency: Currency): Asset[];
  /** The assets that a customer may choose now. */
  offered(currency: Currency): Asset[];
  defaultOf(currency: Currency): Asset;
  /** The default where operators have not chosen another. */
  configuredDefaultOf(currency: Currency): Asset;
};

/** The assets of an installation, as they are configured, and the default network of each currency. */
export type AssetSettings = {
  all: Asset[];
  defaults: Record<Currency, string>;
  /** Assets of test networks that no entry takes: known where something is stored of them, and offered to nobody. */
  former: Asset[];
};

/** What operators set for a currency: its default network, and the networks that customers may not choose. */
export type NetworkChoice = { defaultAsset: AssetCode | null; hiddenAssets: readonly AssetCode[] };

const noChoice: NetworkChoice = { defaultAsset: null, hiddenAssets: [] };

/**
 * The registry of assets; `code` may also be a bare lower-case currency, which means its default network. `former`: assets of
 * test networks that are not configured now. They are found by their code, as what is stored may name them, and not listed.
 */
export function createAssets(
  all: readonly Asset[] = builtinAssets,
  defaults: Readonly<Record<Currency, AssetCode>> = builtinDefaults,
  choiceOf: (currency: Currency) => NetworkChoice = () => noChoice,
  former: readonly Asset[] = [],
): Assets {
  const standard = all.filter(({ isTest }) => !isTest);
  const live = registryOf(standard, defaults, choiceOf);
  const test = registryOf([...standard, ...all.filter(({ isTest }) => isTest)], defaults, choiceOf);
  const formerly = new Map(former.map((each) => [each.code, each]));
  const find = (code: string) => test.find(code) ?? formerly.get(code);
  const modes: Pick<Assets, 'of' | 'modeOf'> = {
    of: (mode) => (mode === 'live' ? ofLive : ofTest),
    modeOf: (code) => (find(code)?.isTest ? 'test' : 'live'),
  };
  const ofLive: Assets = { ...live, ...modes, get: getBy(live.find) };
  const ofTest: Assets = { ...test, ...modes, get: getBy(test.find) };
  return { ...ofTest, find, get: getBy(find) };
}

/** The registry of an installation; `choiceOf`: what operators set. */
export function openAssets(
  { all, defaults, former }: AssetSettings,
  choiceOf?: (currency: Currency) => NetworkChoice,
): Assets {
  return createAssets(all, defaults, choiceOf, former);
}

const getBy =
  (find: Assets['find']): Assets['get'] =>
  (code) => {
    const found = find(code);
    if (!found) throw new Error(`The asset ${code} is not configured`);
    return found;
  };

function registryOf(
  all: readonly Asset[],
  defaults: Readonly<Record<Currency, AssetCode>>,
  choiceOf: (currency: Currency) => NetworkChoice,
): Omit<Assets, 'of' | 'modeOf' | 'get'> {
  const byCode = new Map(all.map((each) => [each.code, each]));
  const configuredDefaultOf = (currency: Currency): Asset => {
    const asset = byCode.get(defaults[currency]);
    if (!asset) throw new Error(`The default asset ${defaults[currency]} is not configured`);
    return asset;
  };
  // A missing default is an error at the start, and not at the first payment.
  currencies.forEach(configuredDefaultOf);
  const defaultOf = (currency: Currency): Asset => {
    const { defaultAsset } = choiceOf(currency);
    return (defaultAsset !== null && byCode.get(defaultAsset)) || configuredDefaultOf(currency);
  };
  const ofCurrency = (currency: Currency) => all.filter((each) => each.currency === currency);
  return {
    all,
    find: (code) => {
      // The code of an asset comes before a currency's name: stored codes must keep their meaning.
      const known = byCode.get(code);
      if (known) return known;
      const currency = currencies.find((each) => each.toLowerCase() === code);
      return currency && defaultOf(currency);
    },
    ofCurrency,
    offered: (currency) => {
      const { hiddenAssets } = choiceOf(currency);
      return ofCurrency(currency).filter(({ code }) => !hiddenAssets.includes(code));
    },
    defaultOf,
    configuredDefaultOf,
  };
}
