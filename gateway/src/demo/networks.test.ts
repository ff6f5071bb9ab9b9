import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Keypair } from '@stellar/stellar-sdk';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { type Config, type ConfigError, readConfig } from '../config/config.ts';
import type { PiConfig } from '../rails/pi/horizon/network.ts';
import { assertKeptApart, type DemoNetworks } from './networks.ts';
import { withDemoPi } from './pi/demo-pi.ts';

let dataDir: string;
beforeEach(async () => {
  dataDir = await mkdtemp(join(tmpdir(), 'florin-test-'));
});
afterEach(() => rm(dataDir, { recursive: true }));

const treasury = '0x00000000000000000000000000000000000000aa';
const token = '0x00000000000000000000000000000000000000bb';
const ours = { id: 31337, name: 'Ours', rpc: ['http://127.0.0.1:9'], treasury };
const own = { ...ours, tokens: { 'usdc-base': token } };
const account = Keypair.random().publicKey();
const ownPi = { passphrase: 'Ours', horizon: ['http://127.0.0.1:9'], account };
const chain: DemoNetworks = { chain: true, pi: false };
const pi: DemoNetworks = { chain: false, pi: true };
const none: DemoNetworks = { chain: false, pi: false };

async function configOf(file: object, env: Record<string, string> = {}) {
  const path = join(dataDir, 'florin.json');
  await writeFile(path, JSON.stringify(file));
  return readConfig({ DATA_DIR: dataDir, CONFIG_FILE: path, ...env });
}

async function faultsOf(
  wanted: DemoNetworks,
  file: object,
  env: Record<string, string> = {},
): Promise<string[]> {
  try {
    assertKeptApart(await configOf(file, env), wanted);
    return [];
  } catch (error) {
    return (error as ConfigError).faults;
  }
}

test('demo networks may stand beside networks of the operator that are not public', async () => {
  expect(await faultsOf(chain, { chains: [own] })).toEqual([]);
  expect(await faultsOf(pi, { chains: [own] })).toEqual([]);
  expect(await faultsOf(chain, { chains: [own], pi: ownPi })).toEqual([]);
  expect(
    await faultsOf(none, { chains: [{ ...ours, id: 56, name: 'BNB' }], pi: { network: 'mainnet', account } }),
  ).toEqual([]);
});

test('none stands beside a public network, whose money its coins would count as', async () => {
  const bnb = [{ ...ours, id: 56, name: 'BNB' }];
  expect(await faultsOf(chain, { chains: bnb })).toMatchObject([
    expect.stringContaining('public chain BNB, and this installation has a demo chain'),
    expect.stringContaining('a token of usdc-bep20'),
  ]);
  expect(await faultsOf(pi, { chains: bnb })).toEqual([
    expect.stringContaining('public chain BNB, and this installation has a demo Pi network'),
  ]);
  expect(await faultsOf(chain, { pi: { network: 'testnet', account } })).toEqual([
    expect.stringContaining('public network Pi Testnet, and this installation has a demo chain'),
  ]);
});

test('not even where one was once: what it paid is live money in that database', async () => {
  await mkdir(join(dataDir, 'pi'));
  expect(await faultsOf(none, { pi: { network: 'mainnet', account } })).toEqual([
    expect.stringContaining('public network Pi Network, and this installation has a demo Pi network'),
  ]);
});

test('what a demo network brings is in the configuration file no second time', async () => {
  expect(await faultsOf(chain, { chains: [{ ...own, tokens: { 'csk-bep20': token } }] })).toEqual([
    expect.stringContaining('a token of csk-bep20'),
  ]);
  expect(await faultsOf(pi, { pi: ownPi })).toEqual([
    'CONFIG_FILE has a Pi network, and --pi brings one as well',
  ]);
});

test('without a demo there are none', async () => {
  expect(await faultsOf({ chain: true, pi: true }, {}, { DEMO: '0' })).toEqual([
    '--chain goes with the demo: DEMO must be 1',
    '--pi goes with the demo: DEMO must be 1',
  ]);
});

test("PI is named after the demo's network while it is paid there", async () => {
  const { pi: network } = await configOf({ pi: ownPi });
  const config = withDemoPi(await configOf({}), network!);
  expect(config.pi).toEqual(network);
  expect(config.assets.all.find(({ code }) => code === 'pi')?.network).toBe('Florin demo Pi');
});

test('a demo network brings rates of its own, beside those that the operator sets', async () => {
  const ratesOf = (config: Config) => withDemoPi(config, config.pi as PiConfig).rates;
  expect(ratesOf(await configOf({ pi: ownPi }))).toEqual({ kind: 'demo', usd: {} });
  expect(ratesOf(await configOf({ pi: ownPi }, { RATES: 'PI=0.42' }))).toEqual({
    kind: 'demo',
    usd: { PI: '0.42' },
  });
});
