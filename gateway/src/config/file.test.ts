import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { Keypair } from '@stellar/stellar-sdk';
import { expect, test } from 'vitest';
import { testFolder } from '../../test/support/data-dir.ts';
import { type AssetSettings, builtinAssets, builtinDefaults, testnetAssets } from '../money/assets.ts';
import { ConfigError, readConfig } from './config.ts';

const directory = await testFolder();

async function read(content: unknown): Promise<AssetSettings> {
  const path = join(directory, 'florin.json');
  await writeFile(path, typeof content === 'string' ? content : JSON.stringify(content));
  return readConfig({ CONFIG_FILE: path }).assets;
}

async function faultsOf(content: unknown): Promise<string[]> {
  const error: unknown = await read(content).catch((fault: unknown) => fault);
  return error instanceof ConfigError ? error.faults : [];
}

const celo = { code: 'usdc-celo', currency: 'USDC', scale: 6, network: 'Celo' };

test('an empty file changes nothing', async () => {
  expect(await read({})).toEqual({
    all: builtinAssets,
    defaults: builtinDefaults,
    former: testnetAssets,
  });
});

test('an asset is added to those that are built in', async () => {
  const { all } = await read({ assets: [celo] });
  expect(all).toEqual([...builtinAssets, celo]);
});

test('an asset with the code of a built-in one takes its place', async () => {
  const base = { code: 'usdc-base', currency: 'USDC', scale: 18, network: 'Base Sepolia' };
  const { all } = await read({ assets: [base] });
  expect(all).toHaveLength(builtinAssets.length);
  expect(all.find(({ code }) => code === 'usdc-base')).toEqual(base);
});

test('a bare currency means the network that the file says, added ones included', async () => {
  const { defaults } = await read({ assets: [celo], defaults: { USDC: 'usdc-celo', USDT: 'usdt-polygon' } });
  expect(defaults).toEqual({ ...builtinDefaults, USDC: 'usdc-celo', USDT: 'usdt-polygon' });
});

test('a file that cannot be read as JSON is refused', async () => {
  expect(await faultsOf('{"assets": [')).toEqual(['CONFIG_FILE cannot be read as JSON']);
  const readDirectory = () => readConfig({ CONFIG_FILE: directory });
  expect(readDirectory).toThrow('CONFIG_FILE cannot be read as JSON');
});

test.each<[string, unknown, string]>([
  ['is no object', [], 'CONFIG_FILE as a whole must be object'],
  ['has a setting that is unknown', { chain: [] }, 'CONFIG_FILE /chain schema'],
  ['lacks a part of an asset', { assets: [{ ...celo, network: undefined }] }, 'CONFIG_FILE /assets/0 must'],
  ['has a code with capitals', { assets: [{ ...celo, code: 'USDC-celo' }] }, 'CONFIG_FILE /assets/0/code'],
  ['has a currency that is unknown', { assets: [{ ...celo, currency: 'EUR' }] }, 'CONFIG_FILE /assets/0/cur'],
  ['has half a decimal', { assets: [{ ...celo, scale: 6.5 }] }, 'CONFIG_FILE /assets/0/scale'],
  ['has more decimals than any token', { assets: [{ ...celo, scale: 19 }] }, 'CONFIG_FILE /assets/0/scale'],
  [
    'has fewer decimals than the currency',
    { assets: [{ ...celo, scale: 5 }] },
    'CONFIG_FILE asset usdc-celo needs at least 6 decimals',
  ],
  ['has a default that is no asset', { defaults: { PI: 'pi-two' } }, 'CONFIG_FILE default of PI is not an'],
  ['has a default of another currency', { defaults: { CSK: 'pi' } }, 'CONFIG_FILE default of CSK is not an'],
  [
    'takes a name of the page',
    { assets: [{ ...celo, code: 'wallet' }] },
    'CONFIG_FILE asset wallet has a code that',
  ],
  [
    'takes a bare currency',
    { assets: [{ ...celo, code: 'usdc' }] },
    'CONFIG_FILE asset usdc has a code that',
  ],
])('a file that %s is refused', async (_, content, fault) => {
  expect((await faultsOf(content))[0]).toContain(fault);
});

test('all faults of a file are reported at once', async () => {
  const faults = await faultsOf({ assets: [{ ...celo, scale: 2 }], defaults: { USDT: 'pi', CSK: 'pi' } });
  expect(faults).toHaveLength(3);
});

const treasury = '0x52908400098527886E0F7030069857D2E4169EE7';
const other = '0x8617E340B3D01FA5F11F306F4090FD50E238070D';
const sepolia = { id: 84532, test: true, rpc: ['https://one.example'], treasury };

test('a chain of test mode brings the assets of its test network, which are no default', async () => {
  const { all, former } = await read({ chains: [sepolia] });
  expect(all.at(-1)).toEqual({
    ...{ code: 'usdc-base-sepolia', currency: 'USDC', scale: 6 },
    ...{ network: 'Base Sepolia', isTest: true },
  });
  expect(former.map(({ code }) => code)).not.toContain('usdc-base-sepolia');
  expect(await faultsOf({ chains: [sepolia], defaults: { USDC: 'usdc-base-sepolia' } })).toEqual([
    'CONFIG_FILE default of USDC is an asset of a test network',
  ]);
});

test('the file may add an asset of a test network, and none may change its kind', async () => {
  const own = { ...celo, code: 'usdc-celo-test', test: true };
  const entry = { ...sepolia, id: 4242, name: 'Own', tokens: { 'usdc-celo-test': other } };
  expect((await read({ assets: [own], chains: [entry] })).all.at(-1)).toMatchObject({ isTest: true });
  expect(await faultsOf({ assets: [{ ...celo, code: 'usdc-base', test: true }] })).toEqual([
    'CONFIG_FILE asset usdc-base is live money, and cannot be of a test network',
  ]);
});

const account = Keypair.random().publicKey();
const base = { id: 8453, rpc: ['https://one.example'], treasury: other };

test.each<[string, object, string[]]>([
  [
    'takes live money in test mode',
    { chains: [{ ...base, test: true }] },
    ['CONFIG_FILE chain 8453 is a network of real money, and cannot be in test mode'],
  ],
  [
    'has a live asset on a chain of test mode',
    { chains: [{ ...sepolia, tokens: { 'csk-bep20': other } }] },
    [
      'CONFIG_FILE chain 84532 is in test mode, and has a token of csk-bep20, which is an asset of live money',
    ],
  ],
  [
    'has an asset of test networks on a live chain',
    { chains: [{ ...base, tokens: { 'usdc-amoy': treasury } }] },
    ['CONFIG_FILE chain 8453 has a token of usdc-amoy, an asset of test networks, and needs "test": true'],
  ],
  [
    'shares a treasury and a vault between the modes, all of which is reported',
    {
      chains: [
        { ...base, treasury, vault: { admin: other } },
        { ...sepolia, vault: { admin: other } },
      ],
    },
    ['treasury', 'vault', "vault's admin"].map(
      (what) =>
        `CONFIG_FILE chain 84532, in test mode, has for its ${what} the ${what} of chain 8453, which is live: it needs its own`,
    ),
  ],
  [
    'shares an account of Pi between the modes',
    {
      pi: [
        { network: 'mainnet', account },
        { network: 'testnet', test: true, account },
      ],
    },
    ['CONFIG_FILE pi, in test mode, has for its account the account of pi, which is live: it needs its own'],
  ],
  [
    'has the mainnet of Pi in test mode',
    { pi: { network: 'mainnet', test: true, account } },
    ['CONFIG_FILE pi of test mode is the network of real money, and cannot be in test mode'],
  ],
  [
    'has two entries of Pi in one mode',
    {
      pi: [
        { network: 'mainnet', account },
        { network: 'testnet', account },
      ],
    },
    ['CONFIG_FILE pi has two entries of live mode: one of them needs "test": true'],
  ],
])('a file that %s is refused', async (_, content, faults) => {
  expect(await faultsOf(content)).toEqual(faults);
});
