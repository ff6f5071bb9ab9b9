import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { testFolder } from '../../test/support/data-dir.ts';
import { builtinAssets, builtinDefaults } from '../money/assets.ts';
import { ConfigError, readConfig } from './config.ts';
import type { AssetSettings } from './file.ts';

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
  expect(await read({})).toEqual({ all: builtinAssets, defaults: builtinDefaults });
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
