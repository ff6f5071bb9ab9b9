import { Type } from 'typebox';
import { Compile } from 'typebox/compile';
import {
  type Asset,
  builtinAssets,
  builtinDefaults,
  type Currency,
  currencies,
  currencyScale,
  fineScale,
} from '../money/assets.ts';
import type { ChainConfig } from '../rails/evm/config/chains.ts';
import type { PiConfig } from '../rails/pi/horizon/network.ts';
import { ChainEntry, readChains } from './chains.ts';
import { PiEntry, readPi } from './pi.ts';

/** The assets of this installation, and the default network of each currency. */
export type AssetSettings = { all: Asset[]; defaults: Record<Currency, string> };

/** The content of the configuration file. */
export type FileSettings = {
  assets: AssetSettings;
  chains: ChainConfig[];
  /** Null: payments in live PI are not taken. */
  pi: PiConfig | null;
};

const ConfigFile = Type.Object(
  {
    assets: Type.Optional(
      Type.Array(
        Type.Object(
          {
            code: Type.String({ pattern: '^[a-z0-9]+(-[a-z0-9]+)*$' }),
            currency: Type.Enum(currencies),
            scale: Type.Integer({ minimum: 0, maximum: fineScale }),
            network: Type.String({ minLength: 1, maxLength: 60 }),
          },
          { additionalProperties: false },
        ),
      ),
    ),
    defaults: Type.Optional(
      Type.Partial(
        Type.Object({ PI: Type.String(), USDC: Type.String(), USDT: Type.String(), CSK: Type.String() }),
        { additionalProperties: false },
      ),
    ),
    chains: Type.Optional(Type.Array(ChainEntry)),
    pi: Type.Optional(PiEntry),
  },
  { additionalProperties: false },
);

const file = Compile(ConfigFile);

/**
 * Reads the configuration file. Its assets are added to the built-in ones, or replace those with the same code. Live
 * payments are taken on its chains and with its Pi account.
 */
export function readFileSettings(content: unknown, fault: (name: string, why: string) => void): FileSettings {
  const all = new Map(builtinAssets.map((asset) => [asset.code, asset]));
  const defaults = { ...builtinDefaults };
  if (!file.Check(content)) {
    for (const { instancePath, message } of file.Errors(content)) {
      fault('CONFIG_FILE', `${instancePath || 'as a whole'} ${message}`);
    }
    return { assets: { all: [...all.values()], defaults }, chains: [], pi: null };
  }
  Object.assign(defaults, content.defaults);
  for (const asset of content.assets ?? []) {
    if (asset.scale < currencyScale[asset.currency]) {
      fault('CONFIG_FILE', `asset ${asset.code} needs at least ${currencyScale[asset.currency]} decimals`);
    }
    if (isTaken(asset.code, defaults)) {
      fault('CONFIG_FILE', `asset ${asset.code} has a code that means something else`);
    }
    all.set(asset.code, asset);
  }
  for (const currency of currencies) {
    if (all.get(defaults[currency])?.currency !== currency) {
      fault('CONFIG_FILE', `default of ${currency} is not an asset of that currency`);
    }
  }
  const assets = { all: [...all.values()], defaults };
  return {
    assets,
    chains: readChains(content.chains ?? [], assets.all, fault),
    pi: content.pi ? readPi(content.pi, fault) : null,
  };
}

/** `wallet` is a way to pay, and a currency in lower case means its default asset. */
function isTaken(code: string, defaults: AssetSettings['defaults']): boolean {
  const currency = currencies.find((each) => each.toLowerCase() === code);
  return code === 'wallet' || (currency !== undefined && defaults[currency] !== code);
}
