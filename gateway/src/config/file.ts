import { Type } from 'typebox';
import { Compile } from 'typebox/compile';
import {
  type Asset,
  type AssetSettings,
  builtinAssets,
  builtinDefaults,
  currencies,
  currencyScale,
  fineScale,
  testnetAssets,
} from '../money/assets.ts';
import type { ChainConfig } from '../rails/evm/config/chains.ts';
import { type PiConfig, piCodeOf } from '../rails/pi/horizon/network.ts';
import { ChainEntry, readChains } from './chains.ts';
import { PiEntry, readPis } from './pi.ts';
import { reportShared } from './shared-by-modes.ts';

/** The content of the configuration file. */
export type FileSettings = {
  assets: AssetSettings;
  chains: ChainConfig[];
  /** Null: payments in live PI are not taken. */
  pi: PiConfig | null;
  /** The Pi network of test mode; null: PI is only simulated there. */
  testPi: PiConfig | null;
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
            test: Type.Optional(Type.Boolean()),
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
    pi: Type.Optional(Type.Array(PiEntry, { minItems: 1, maxItems: 4 })),
  },
  { additionalProperties: false },
);

const file = Compile(ConfigFile);
type Fault = (name: string, why: string) => void;

/**
 * Reads the configuration file. Its assets are added to the built-in ones, or replace those with the same code. Payments
 * are taken on its chains and with its Pi accounts: live ones, and those of test mode on entries with `test`.
 */
export function readFileSettings(given: unknown, fault: Fault): FileSettings {
  const content = withPiList(given);
  const known = new Map([...builtinAssets, ...testnetAssets].map((asset) => [asset.code, asset]));
  const defaults = { ...builtinDefaults };
  if (!file.Check(content)) {
    for (const { instancePath, message } of file.Errors(content)) {
      fault('CONFIG_FILE', `${placeIn(given, instancePath)} ${message}`);
    }
    return { assets: takenOf(known, defaults, new Set()), chains: [], pi: null, testPi: null };
  }
  Object.assign(defaults, content.defaults);
  for (const { test, ...asset } of content.assets ?? []) {
    if (asset.scale < currencyScale[asset.currency]) {
      fault('CONFIG_FILE', `asset ${asset.code} needs at least ${currencyScale[asset.currency]} decimals`);
    }
    if (isTaken(asset.code, defaults)) {
      fault('CONFIG_FILE', `asset ${asset.code} has a code that means something else`);
    }
    const builtin = [...builtinAssets, ...testnetAssets].find(({ code }) => code === asset.code);
    if (builtin && (builtin.isTest ?? false) !== (test ?? false)) {
      fault(
        'CONFIG_FILE',
        `asset ${asset.code} ${builtin.isTest ? 'is of a test network, and needs "test": true' : 'is live money, and cannot be of a test network'}`,
      );
    }
    known.set(asset.code, { ...asset, ...(test ? { isTest: true } : {}) });
  }
  for (const currency of currencies) {
    const asset = known.get(defaults[currency]);
    if (asset?.currency !== currency) {
      fault('CONFIG_FILE', `default of ${currency} is not an asset of that currency`);
    } else if (asset.isTest) {
      fault('CONFIG_FILE', `default of ${currency} is an asset of a test network`);
    }
  }
  const chains = readChains(content.chains ?? [], [...known.values()], fault);
  const pis = readPis(content.pi ?? [], fault);
  reportShared({ chains, ...pis }, fault);
  const codes = chains.flatMap(({ tokens }) => tokens.map(({ asset }) => asset));
  const taken = new Set([...codes, ...(pis.testPi ? [piCodeOf(pis.testPi)] : [])]);
  return { assets: takenOf(known, defaults, taken), chains, ...pis };
}

/** The assets with those of test networks that an entry takes; the others of test networks are known, and not offered. */
function takenOf(
  known: ReadonlyMap<string, Asset>,
  defaults: AssetSettings['defaults'],
  taken: ReadonlySet<string>,
): AssetSettings {
  const all = [...known.values()];
  const isFormer = ({ code, isTest }: Asset) => isTest === true && !taken.has(code);
  return { all: all.filter((asset) => !isFormer(asset)), defaults, former: all.filter(isFormer) };
}

/** `pi` is one entry, or a list of them. */
function withPiList(content: unknown): unknown {
  if (typeof content !== 'object' || content === null || !('pi' in content)) return content;
  return Array.isArray(content.pi) ? content : { ...content, pi: [content.pi] };
}

/** The place of a fault as the file has it. */
function placeIn(given: unknown, path: string): string {
  const isOne = typeof given === 'object' && given !== null && 'pi' in given && !Array.isArray(given.pi);
  return (isOne ? path.replace(/^\/pi\/0/, '/pi') : path) || 'as a whole';
}

/** `wallet` is a way to pay, and a currency in lower case means its default asset. */
function isTaken(code: string, defaults: AssetSettings['defaults']): boolean {
  const currency = currencies.find((each) => each.toLowerCase() === code);
  return code === 'wallet' || (currency !== undefined && defaults[currency] !== code);
}
