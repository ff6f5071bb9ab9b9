import { isDeepStrictEqual } from 'node:util';
import { type Static, Type } from 'typebox';
import type { Secret } from '../kit/secret.ts';
import type { Asset } from '../money/assets.ts';
import { unitsOfDecimal } from '../money/money.ts';
import { isExtendedKey } from '../rails/evm/addresses/extended-key.ts';
import { readAddress } from '../rails/evm/addresses/forwarders.ts';
import { vaultAddress } from '../rails/evm/addresses/vault.ts';
import type { ChainConfig, ChainToken, Hex, Receiving, VaultConfig } from '../rails/evm/config/chains.ts';
import { type ChainPreset, chainPresets } from '../rails/evm/config/presets.ts';
import { secretFields, secretOf } from './secrets.ts';
import { readSigner, signerFields } from './signer.ts';

const Address = Type.String({ pattern: '^0x[0-9a-fA-F]{40}$' });
const WebAddress = Type.String({ pattern: '^https?://', maxLength: 2048 });

/** One chain of the configuration file, of live mode or with `test` of test mode. What is left out for a known chain comes from its preset. */
export const ChainEntry = Type.Object(
  {
    id: Type.Integer({ minimum: 1 }),
    test: Type.Optional(Type.Boolean()),
    name: Type.Optional(Type.String({ minLength: 1, maxLength: 60 })),
    rpc: Type.Array(WebAddress, { minItems: 1, maxItems: 10 }),
    finality: Type.Optional(Type.Enum(['finalized', 'confirmations'])),
    confirmations: Type.Optional(Type.Integer({ minimum: 1, maximum: 10_000 })),
    block_seconds: Type.Optional(Type.Number({ exclusiveMinimum: 0, maximum: 600 })),
    start_block: Type.Optional(Type.Integer({ minimum: 0 })),
    treasury: Type.Optional(Address),
    fee_address: Type.Optional(Address),
    xpub: Type.Optional(Type.String({ pattern: '^xpub[1-9A-HJ-NP-Za-km-z]{100,112}$' })),
    tokens: Type.Optional(Type.Record(Type.String(), Address)),
    symbols: Type.Optional(Type.Record(Type.String(), Type.String({ minLength: 1, maxLength: 60 }))),
    native: Type.Optional(
      Type.Object(
        {
          symbol: Type.Optional(Type.String({ minLength: 1, maxLength: 12 })),
          usd: Type.Optional(Type.String({ pattern: '^\\d{1,9}(\\.\\d{1,18})?$' })),
        },
        { additionalProperties: false },
      ),
    ),
    public_rpc: Type.Optional(WebAddress),
    explorer: Type.Optional(WebAddress),
    sweep: Type.Optional(
      Type.Object(
        {
          ...secretFields('gas_key'),
          every_minutes: Type.Optional(Type.Number({ exclusiveMinimum: 0 })),
          worth: Type.Optional(Type.Number({ minimum: 0 })),
          max_gas_price_gwei: Type.Optional(Type.Number({ exclusiveMinimum: 0 })),
        },
        { additionalProperties: false },
      ),
    ),
    vault: Type.Optional(
      Type.Object(
        {
          admin: Address,
          signer: Type.Optional(
            Type.Object(
              { ...signerFields, address: Type.Optional(Address) },
              { additionalProperties: false },
            ),
          ),
          keep: Type.Optional(Type.Record(Type.String(), Type.String({ maxLength: 80 }))),
        },
        { additionalProperties: false },
      ),
    ),
    payouts: Type.Optional(Type.Literal('by hand')),
  },
  { additionalProperties: false },
);

type Entry = Static<typeof ChainEntry>;
type Fault = (name: string, why: string) => void;

/** Reads the chains of the configuration file, and reports every fault of them. */
export function readChains(
  entries: readonly Entry[],
  assets: readonly Asset[],
  report: Fault,
): ChainConfig[] {
  const chains = entries.map((entry) => {
    const fault = (why: string) => report('CONFIG_FILE', `chain ${entry.id} ${why}`);
    return readChain(entry, assets, fault);
  });
  const repeated = (what: string, names: string[]) => {
    for (const name of new Set(names.filter((each, at) => names.indexOf(each) !== at))) {
      report('CONFIG_FILE', `${what} ${name} is on more than one chain, and can be on one only`);
    }
  };
  repeated(
    'chain',
    chains.map(({ id }) => `${id}`),
  );
  repeated(
    'asset',
    chains.flatMap(({ tokens }) => tokens.map(({ asset }) => asset)),
  );
  return chains;
}

function readChain(entry: Entry, assets: readonly Asset[], fault: (why: string) => void): ChainConfig {
  const preset = presetOf(entry, fault);
  if (!preset && entry.name === undefined) fault('is not a chain that Florin knows, so it needs a name');
  const tokens = readTokens(entry, assets, fault);
  const gasKey = readGasKey(entry, fault);
  return {
    id: entry.id,
    name: entry.name ?? preset?.name ?? `Chain ${entry.id}`,
    ...(entry.test ? { isTest: true } : {}),
    rpcUrls: readRpc(entry, fault),
    finality: entry.finality ?? preset?.finality ?? 'confirmations',
    confirmations: entry.confirmations ?? preset?.confirmations ?? 12,
    blockSeconds: entry.block_seconds ?? preset?.blockSeconds ?? 12,
    startBlock: entry.start_block ?? null,
    receiving: readReceiving(entry, fault),
    ...readFeeAddress(entry, tokens, fault),
    tokens,
    nativeSymbol: entry.native?.symbol ?? preset?.nativeSymbol ?? 'ETH',
    nativeUsd: entry.native?.usd ?? null,
    publicRpcUrl: entry.public_rpc ?? preset?.publicRpcUrl ?? null,
    explorer: (entry.explorer ?? preset?.explorer)?.replace(/\/$/, '') ?? null,
    sweep: {
      gasKeyFile: gasKey,
      everySeconds: (entry.sweep?.every_minutes ?? 60) * 60,
      worth: entry.sweep?.worth ?? 20,
      maxGasPriceGwei: entry.sweep?.max_gas_price_gwei ?? preset?.maxGasPriceGwei ?? 200,
    },
    vault: readVault(entry, { tokens, gasKey }, fault),
    paysByHand: readByHand(entry, fault),
  };
}

/**
 * What is known of the chain. The facts of a test network hold for entries of test mode; without `test` it is an unknown
 * chain, which needs a name and tokens of its own.
 */
function presetOf({ id, test = false }: Entry, fault: (why: string) => void): ChainPreset | undefined {
  const known = chainPresets[id];
  if (known && test && !known.isTest) fault('is a network of real money, and cannot be in test mode');
  return known?.isTest && !test ? undefined : known;
}

/** The texts of faults contain no endpoint address, since it may hold a key. */
function readRpc({ rpc }: Entry, fault: (why: string) => void): string[] {
  if (!rpc.every((url) => URL.canParse(url))) fault('has an rpc address that is not valid');
  // One endpoint under two entries would confirm its own false answers.
  if (new Set(rpc).size < rpc.length) fault('has one rpc address twice');
  return rpc.filter((url) => URL.canParse(url));
}

function readReceiving({ treasury, xpub }: Entry, fault: (why: string) => void): Receiving {
  if ((treasury === undefined) === (xpub === undefined)) {
    fault('needs a treasury, or an xpub where no factory can be deployed, and not both');
  }
  if (xpub !== undefined) {
    if (!isExtendedKey(xpub)) fault('has an xpub with a typing error');
    return { kind: 'xpub', xpub };
  }
  const address = treasury === undefined ? '0x' : checkAddress(treasury, 'treasury', fault);
  return { kind: 'forwarder', treasury: address };
}

/** The host's part of direct settlements goes there, and cannot be changed for an address that was shown. */
function readFeeAddress(
  { fee_address: text, treasury }: Entry,
  tokens: readonly ChainToken[],
  fault: (why: string) => void,
): Pick<ChainConfig, 'feeAddress'> {
  if (text === undefined) return {};
  const feeAddress = checkAddress(text, 'fee_address', fault);
  if (treasury === undefined) fault('has a fee_address, which takes a treasury and not an xpub');
  if (tokens.some(({ address }) => address === feeAddress))
    fault("has a token's contract for its fee_address: money that is sent there is lost");
  return { feeAddress };
}

/** The address in lower case. One in mixed case must have the right checksum, so that a typing error is found. */
function checkAddress(text: string, what: string, fault: (why: string) => void): Hex {
  const address = readAddress(text);
  if (address === null) fault(`has a ${what} whose checksum is wrong: ${text}`);
  if (/^0x0{40}$/.test(text)) fault(`has a ${what} that belongs to no one: ${text}`);
  return address ?? '0x';
}

function readTokens(entry: Entry, assets: readonly Asset[], fault: (why: string) => void): ChainToken[] {
  const known = new Map((presetOf(entry, () => {})?.tokens ?? []).map((token) => [token.asset, token]));
  for (const [asset, address] of Object.entries(entry.tokens ?? {})) {
    const { scale, isTest = false } = assets.find(({ code }) => code === asset) ?? {};
    if (scale === undefined) fault(`has a token of the asset ${asset}, which is not configured`);
    else if (isTest !== (entry.test ?? false)) fault(modeFault(asset, isTest));
    else
      known.set(asset, {
        asset,
        address: checkAddress(address, `token ${asset}`, fault),
        scale,
        symbol: null,
      });
  }
  const tokens = [...known.values()].map((token) => ({
    ...token,
    symbol: entry.symbols?.[token.asset] ?? token.symbol,
    scale: assets.find(({ code }) => code === token.asset)?.scale ?? token.scale,
  }));
  if (tokens.length === 0) fault('has no tokens');
  for (const asset of Object.keys(entry.symbols ?? {})) {
    if (!tokens.some((token) => token.asset === asset))
      fault(`has a symbol for ${asset}, but no token of it`);
  }
  if (tokens.some(({ address }) => address === entry.treasury?.toLowerCase())) {
    fault("has a token's contract for its treasury: money that is sent there is lost");
  }
  if (new Set(tokens.map(({ address }) => address)).size < tokens.length) {
    fault('has two assets with one contract');
  }
  return tokens;
}

/** Why a chain cannot take an asset: money of a test network and real money have codes of their own. */
function modeFault(asset: string, isTest: boolean): string {
  return isTest
    ? `has a token of ${asset}, an asset of test networks, and needs "test": true`
    : `is in test mode, and has a token of ${asset}, which is an asset of live money`;
}

function readGasKey({ sweep = {} }: Entry, fault: (why: string) => void): Secret | null {
  return secretOf(sweep, 'gas_key', 'sweep.gas_key', fault);
}

/** Reads whether payouts are paid by hand. A chain has one way to pay: with two, one order could be paid twice. */
function readByHand({ payouts, vault, treasury }: Entry, fault: (why: string) => void): boolean {
  if (payouts === undefined) return false;
  if (vault)
    fault('has a vault, which payouts by hand are exported from, so payouts cannot be "by hand" too');
  if (treasury === undefined) fault('pays payouts by hand out of its treasury, and has none');
  return true;
}

function readVault(
  entry: Entry,
  { tokens, gasKey }: { tokens: readonly ChainToken[]; gasKey: Secret | null },
  fault: (why: string) => void,
): VaultConfig | null {
  if (!entry.vault) return null;
  const admin = checkAddress(entry.vault.admin, 'vault.admin', fault);
  const signer = readVaultSigner(entry, gasKey, fault);
  return { address: vaultAddress(admin), admin, signer, keep: readKeep(entry.vault, tokens, fault) };
}

function readKeep(
  { keep = {} }: NonNullable<Entry['vault']>,
  tokens: readonly ChainToken[],
  fault: (why: string) => void,
): VaultConfig['keep'] {
  return new Map(
    Object.entries(keep).map(([asset, amount]) => {
      const token = tokens.find((each) => each.asset === asset);
      const units = token ? unitsOfDecimal(amount, token.scale) : null;
      if (units === null) fault(`has vault.keep.${asset}, which is no amount of an asset of the chain`);
      return [asset, units ?? 0n];
    }),
  );
}

function readVaultSigner(
  { vault }: Entry,
  gasKey: Secret | null,
  fault: (why: string) => void,
): VaultConfig['signer'] {
  if (!vault?.signer) return null;
  const { address, ...entry } = vault.signer;
  const by = readSigner(entry, 'vault.signer', fault);
  if (by.kind === 'http' && address === undefined)
    fault('has a vault.signer with a url, and needs the address of its key: vault.signer.address');
  if (by.kind === 'file' && isDeepStrictEqual(by.keyFile, gasKey))
    fault('has one key for the vault and for sweeps, and needs two: their transactions would take turns');
  return { by, address: address === undefined ? null : checkAddress(address, 'vault.signer.address', fault) };
}
