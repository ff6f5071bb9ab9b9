import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { printed } from '../../test/support/commands-fixtures.ts';
import { testFolder } from '../../test/support/data-dir.ts';
import { showConfig } from '../commands/config.ts';
import type { ChainConfig } from '../rails/evm/config/chains.ts';
import { ConfigError, readConfig } from './config.ts';

const directory = await testFolder();
const path = join(directory, 'florin.json');
await writeFile(join(directory, 'gas-key'), '0x00');

const treasury = '0x52908400098527886E0F7030069857D2E4169EE7';
const token = '0x8617E340B3D01FA5F11F306F4090FD50E238070D';
/** The second test vector of BIP-32. */
const xpub =
  'xpub661MyMwAqRbcFW31YEwpkMuc5THy2PSt5bDMsktWQcFF8syAmRUapSCGu8ED9W6oDMSgv6Zz8idoc4a6mr8BDzTJY47LJhkJ8UB7WEGuduB';
const bsc = { id: 56, rpc: ['https://one.example/v3/hunter2'], treasury };
const own = { ...bsc, id: 4242, name: 'Own', tokens: { 'csk-bep20': token } };

async function read(...chains: unknown[]): Promise<ChainConfig[]> {
  await writeFile(path, JSON.stringify({ chains }));
  return readConfig({ CONFIG_FILE: path }).chains;
}

async function faultsOf(...chains: unknown[]): Promise<string[]> {
  const error: unknown = await read(...chains).catch((fault: unknown) => fault);
  return error instanceof ConfigError ? error.faults : [];
}

describe('a chain of the configuration file', () => {
  test('that Florin knows needs only an endpoint and a treasury', async () => {
    const [chain] = await read(bsc);
    expect(chain).toMatchObject({
      id: 56,
      name: 'BNB Smart Chain',
      finality: 'finalized',
      blockSeconds: 0.45,
      startBlock: null,
      receiving: { kind: 'forwarder', treasury: treasury.toLowerCase() },
      nativeSymbol: 'BNB',
      explorer: 'https://bscscan.com',
      sweep: { gasKeyFile: null, everySeconds: 3600, maxGasPriceGwei: 10 },
    });
    expect(chain!.tokens.map(({ asset, scale }) => [asset, scale])).toEqual([
      ['usdc-bep20', 18],
      ['usdt-bep20', 18],
    ]);
  });

  test('uses what the file says in place of what Florin knows', async () => {
    const [chain] = await read({
      ...bsc,
      name: 'BSC by us',
      finality: 'confirmations',
      confirmations: 20,
      block_seconds: 3,
      start_block: 7,
      tokens: { 'csk-bep20': token, 'usdt-bep20': `0x${'8'.repeat(40)}` },
      symbols: { 'csk-bep20': 'CSK' },
      native: { symbol: 'tBNB', usd: '612.5' },
      public_rpc: 'https://public.example',
      explorer: 'https://explorer.example/',
      sweep: {
        gas_key_file: join(directory, 'gas-key'),
        every_minutes: 5,
        worth: 2,
        max_gas_price_gwei: 3,
      },
    });
    expect(chain).toMatchObject({
      name: 'BSC by us',
      finality: 'confirmations',
      confirmations: 20,
      blockSeconds: 3,
      startBlock: 7,
      nativeSymbol: 'tBNB',
      nativeUsd: '612.5',
      publicRpcUrl: 'https://public.example',
      explorer: 'https://explorer.example',
      sweep: { gasKeyFile: join(directory, 'gas-key'), everySeconds: 300, worth: 2, maxGasPriceGwei: 3 },
    });
    expect(chain!.tokens).toContainEqual({
      asset: 'csk-bep20',
      address: token.toLowerCase(),
      scale: 18,
      symbol: 'CSK',
    });
    expect(chain!.tokens).toHaveLength(3);
  });

  test('may receive to the addresses of an extended public key', async () => {
    const [chain] = await read({ ...bsc, treasury: undefined, xpub });
    expect(chain!.receiving).toEqual({ kind: 'xpub', xpub });
  });

  test('is paid by hand out of its treasury where that is said, and not beside a vault or without a treasury', async () => {
    const [without, by] = await read(bsc, { ...own, payouts: 'by hand' });
    expect([without!.paysByHand, by!.paysByHand]).toEqual([false, true]);
    expect(await faultsOf({ ...bsc, payouts: 'by hand', vault: { admin: treasury } })).toEqual([
      expect.stringContaining('has a vault, which payouts by hand are exported from'),
    ]);
    const { treasury: _, ...rest } = own;
    expect(await faultsOf({ ...rest, xpub, payouts: 'by hand' })).toEqual([
      expect.stringContaining('pays payouts by hand out of its treasury, and has none'),
    ]);
    expect(await faultsOf({ ...bsc, payouts: 'by mail' })).not.toEqual([]);
  });

  test('has a vault at the address that follows from its admin, with a signer by a file or by a program', async () => {
    const keyFile = join(directory, 'gas-key');
    const [without, by] = await read(
      { ...bsc, vault: { admin: treasury } },
      {
        ...own,
        vault: { admin: treasury, signer: { url: 'https://signer.example/', address: token } },
      },
    );
    expect(without!.vault).toMatchObject({ admin: treasury.toLowerCase(), signer: null });
    expect(by!.vault).toEqual({
      address: without!.vault!.address,
      admin: treasury.toLowerCase(),
      signer: {
        by: { kind: 'http', url: 'https://signer.example', tokenFile: null },
        address: token.toLowerCase(),
      },
      keep: new Map(),
    });
    const [file] = await read({ ...bsc, vault: { admin: treasury, signer: { key_file: keyFile } } });
    expect(file!.vault!.signer).toEqual({ by: { kind: 'file', keyFile }, address: null });
    const [keeping] = await read({ ...bsc, vault: { admin: treasury, keep: { 'usdc-bep20': '2.5' } } });
    expect(keeping!.vault!.keep).toEqual(new Map([['usdc-bep20', 25n * 10n ** 17n]]));
    expect((await read(bsc))[0]!.vault).toBeNull();
  });

  test.each<[string, object, string]>([
    [
      'keeps so much of an asset that it does not have',
      { ...bsc, vault: { admin: treasury, keep: { 'usdc-base': '5' } } },
      'has vault.keep.usdc-base, which is no amount of an asset of the chain',
    ],
    [
      'has a vault of no one',
      { ...bsc, vault: { admin: `0x${'0'.repeat(40)}` } },
      'has a vault.admin that belongs to no one',
    ],
    [
      'has a signer without an address',
      { ...bsc, vault: { admin: treasury, signer: { url: 'https://signer.example' } } },
      'needs the address of its key: vault.signer.address',
    ],
    [
      'has a signer without a key',
      { ...bsc, vault: { admin: treasury, signer: {} } },
      'has a vault.signer that needs a key (key_file, key_env or key_command) or a url, and not both',
    ],
    [
      'has one key for two senders',
      {
        ...bsc,
        sweep: { gas_key_file: '/nowhere/key' },
        vault: { admin: treasury, signer: { key_file: '/nowhere/key' } },
      },
      'has one key for the vault and for sweeps, and needs two',
    ],
    [
      'is unknown and has no name',
      { ...own, name: undefined },
      'is not a chain that Florin knows, so it needs a name',
    ],
    ['has an address that is none', { ...bsc, rpc: ['https://'] }, 'has an rpc address that is not valid'],
    ['has an endpoint twice', { ...bsc, rpc: [...bsc.rpc, ...bsc.rpc] }, 'has one rpc address twice'],
    ['has no treasury', { ...bsc, treasury: undefined }, 'needs a treasury, or an xpub'],
    ['has a treasury and an xpub', { ...bsc, xpub }, 'needs a treasury, or an xpub'],
    [
      'has a treasury with a typing error',
      { ...bsc, treasury: treasury.replace('E7', 'e7') },
      'has a treasury whose checksum is wrong',
    ],
    [
      'has a treasury that belongs to no one',
      { ...bsc, treasury: `0x${'0'.repeat(40)}` },
      'that belongs to no one',
    ],
    [
      "has a token's contract for its treasury",
      { ...own, treasury: token },
      "has a token's contract for its treasury",
    ],
    [
      'has an xpub with a typing error',
      { ...bsc, treasury: undefined, xpub: xpub.replace('W31', 'W32') },
      'has an xpub with a typing error',
    ],
    ['has no tokens', { ...own, tokens: {} }, 'has no tokens'],
    [
      'has a token of no asset',
      { ...own, tokens: { 'usdc-moon': token } },
      'of the asset usdc-moon, which is not',
    ],
    [
      'has a token with a typing error',
      { ...own, tokens: { 'csk-bep20': token.replace('0D', '0d') } },
      'has a token csk-bep20 whose checksum is wrong',
    ],
    [
      'has two assets with one contract',
      { ...own, tokens: { 'csk-bep20': token, 'usdc-bep20': token } },
      'has two assets with one contract',
    ],
    [
      'has a symbol of no token',
      { ...own, symbols: { pi: 'PI' } },
      'has a symbol for pi, but no token of it',
    ],
    [
      'has a gas key that is not there',
      { ...bsc, sweep: { gas_key_file: '/nowhere/key' } },
      'has a sweep.gas_key_file that does not exist',
    ],
  ])('that %s is refused', async (_, entry, why) => {
    const { id } = entry as { id: number };
    expect(await faultsOf(entry)).toContainEqual(expect.stringContaining(`CONFIG_FILE chain ${id} `));
    expect((await faultsOf(entry)).join()).toContain(why);
  });

  test.each<[string, object]>([
    ['no endpoint', { ...bsc, rpc: [] }],
    ['a websocket for an endpoint', { ...bsc, rpc: ['wss://one.example'] }],
    ['a field that is unknown', { ...bsc, colour: 'red' }],
    ['a finality that is none', { ...bsc, finality: 'soon' }],
    ['no confirmation', { ...bsc, confirmations: 0 }],
    ['a treasury that is no address', { ...bsc, treasury: 'florin.eth' }],
    ['a price that is none', { ...bsc, native: { usd: '-3' } }],
  ])('with %s is refused', async (_, entry) => {
    expect((await faultsOf(entry)).join()).toMatch(/^CONFIG_FILE \/chains\/0/);
  });

  test('may be in the file once, and so may each asset', async () => {
    expect(await faultsOf(bsc, bsc, { ...own, tokens: { 'usdc-bep20': token } })).toEqual([
      'CONFIG_FILE chain 56 is on more than one chain, and can be on one only',
      'CONFIG_FILE asset usdc-bep20 is on more than one chain, and can be on one only',
      'CONFIG_FILE asset usdt-bep20 is on more than one chain, and can be on one only',
    ]);
  });
});

test('the keys in the addresses of endpoints are never shown, neither with the configuration nor in a fault', async () => {
  const secretive = { ...bsc, rpc: ['https://me:hunter2@one.example/hunter2?key=hunter2'] };
  await read(secretive);
  const shown = await printed(() => showConfig({ CONFIG_FILE: path }));
  expect(JSON.parse(shown.output)).toMatchObject({ chains: [{ id: 56, rpc: ['one.example'] }] });
  const faulty = await faultsOf({ ...secretive, rpc: ['https://hunter2:x:y', 'ftp://hunter2'] });
  expect(faulty).not.toEqual([]);
  expect(`${shown.output}${shown.errors}${faulty.join()}`).not.toContain('hunter2');
});
