import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { pino } from 'pino';
import { expect, test } from 'vitest';
import { startChain } from '../../../test/chain/chain.ts';
import { gasKeyFile } from '../../../test/chain/sweep-fixtures.ts';
import { printed } from '../../../test/support/commands-fixtures.ts';
import { testFolder } from '../../../test/support/data-dir.ts';
import { readConfig } from '../../config/config.ts';
import { startDemoChain } from '../../demo/chain/demo-chain.ts';
import { assetsOfDemoChain } from '../../demo/chain/demo-config.ts';
import { checksummed, factoryAddress } from '../../rails/evm/addresses/forwarders.ts';
import { splitterFactoryAddress } from '../../rails/evm/addresses/splitters.ts';
import { deployContracts, verifyOnChains } from './contracts.ts';

const chain = await startChain({ assets: { 'usdc-bep20': 18 }, withFactory: false });
const { file, address } = await gasKeyFile();
await chain.client.setBalance({ address, value: 10n ** 18n });
const at = checksummed(factoryAddress);
const xpub =
  'xpub661MyMwAqRbcFtXgS5sYJABqqG9YLmC4Q1Rdap9gSE8NqtwybGhePY2gZ29ESFjqJoCu1Rupje8YtGqsefD265TMg7usUDFdp6W1EGMcet8';

const directory = await testFolder();

/** An environment with these chains in its configuration. */
async function withChains(...chains: object[]): Promise<NodeJS.ProcessEnv> {
  const path = join(directory, 'florin.json');
  await writeFile(path, JSON.stringify({ chains }));
  return { CONFIG_FILE: path, DATA_DIR: directory };
}

const deploy = async (env: NodeJS.ProcessEnv, options: Parameters<typeof deployContracts>[1] = {}) =>
  await printed(() => deployContracts(env, options));
const verify = async (env: NodeJS.ProcessEnv, options: Parameters<typeof verifyOnChains>[1] = {}) =>
  await printed(() => verifyOnChains(env, options));

test('a chain without the factory is reported with what to do; after the deployment it is as configured', async () => {
  const env = await withChains(chain.entry({ sweep: { gas_key_file: file } }));
  expect(await verify(env)).toMatchObject({
    code: 1,
    output: `Local (31337): There is no factory at ${at}. Run: florin contracts deploy --chain 31337\n`,
  });
  const deployed = await deploy(env);
  expect(deployed).toMatchObject({ code: 0, errors: '' });
  const cost = `by 0x[0-9a-f]{64} for 0\\.00\\d{4} ETH of ${checksummed(address)}`;
  expect(deployed.output).toMatch(
    new RegExp(`^Local \\(31337\\): the factory is at ${at}, deployed now ${cost}\n$`),
  );
  expect(await deploy(env)).toMatchObject({
    code: 0,
    output: `Local (31337): the factory is at ${at} already\n`,
  });
  expect(await verify(env)).toMatchObject({
    code: 0,
    output: 'Local (31337): the factory and usdc-bep20 are as configured\n',
  });
});

test('the factory of splitters is deployed and looked for only where direct settlement is asked for', async () => {
  const env = await withChains(chain.entry({ sweep: { gas_key_file: file } }));
  const splitters = checksummed(splitterFactoryAddress);
  await deploy(env);
  expect(await verify(env)).toMatchObject({ code: 0 });
  expect(await verify(env, { direct: true })).toMatchObject({
    code: 1,
    output: `Local (31337): There is no factory of splitters at ${splitters}. Run: florin contracts deploy --direct --chain 31337\n`,
  });
  const { code, output } = await deploy(env, { direct: true });
  expect(code).toBe(0);
  expect(output).toContain(
    `the factory is at ${at} already; the factory of splitters is at ${splitters}, deployed now`,
  );
  expect(await verify(env, { direct: true })).toMatchObject({
    code: 0,
    output: 'Local (31337): the factory, the factory of splitters and usdc-bep20 are as configured\n',
  });
  await chain.client.setCode({ address: splitterFactoryAddress, bytecode: '0x6001' });
  expect(await verify(env, { direct: true })).toMatchObject({
    code: 1,
    output: expect.stringContaining('is not the factory of splitters'),
  });
  const xpubs = await withChains(chain.entry({ treasury: undefined, xpub }));
  expect(await verify(xpubs, { direct: true })).toMatchObject({ code: 0 });
});

test('without a key nothing is deployed and a key is asked for; a file of the command line is enough', async () => {
  const env = await withChains(chain.entry());
  expect(await deploy(env)).toMatchObject({
    code: 1,
    output: expect.stringContaining('--key-file <file>, or sweep.gas_key_file'),
  });
  expect(await deploy(env, { keyFile: file })).toMatchObject({ code: 0 });
  await writeFile(join(directory, 'no.key'), 'hunter2');
  const wrong = await deploy(env, { keyFile: join(directory, 'no.key') });
  expect(wrong).toMatchObject({ code: 1, output: expect.stringContaining('must hold one private key') });
  expect(wrong.output).not.toContain('hunter2');
});

test('a chain whose endpoint does not answer does not affect the others, and its address stays secret', async () => {
  const dead = { id: 56, rpc: ['http://127.0.0.1:9/hunter2hunter2'], treasury: chain.entry().treasury };
  const env = await withChains(
    dead,
    chain.entry({ tokens: { 'usdc-base': chain.tokens['usdc-bep20']!.address } }),
  );
  const { code, output } = await deploy(env, { keyFile: file });
  expect(code).toBe(1);
  const lines = output.split('\n');
  expect(lines[0]).toMatch(/^BNB Smart Chain \(56\): 127\.0\.0\.1/);
  expect(lines[1]).toBe(`Local (31337): the factory is at ${at} already`);
  expect(output).not.toContain('hunter2');
});

test('one chain is chosen by its id, and one that is not configured is refused', async () => {
  const env = await withChains(chain.entry());
  expect(await deploy(env, { chainId: '31337', keyFile: file })).toMatchObject({ code: 0 });
  await expect(deployContracts(env, { chainId: '1' })).rejects.toThrow('which has 31337');
  await expect(deployContracts(await withChains(), {})).rejects.toThrow('there are no chains');
});

test('a chain with an xpub needs no factory, and its tokens are checked too', async () => {
  const env = await withChains(chain.entry({ treasury: undefined, xpub }));
  expect(await deploy(env)).toMatchObject({
    code: 0,
    output: 'Local (31337): uses an xpub, and needs no factory\n',
  });
  expect(await verify(env)).toMatchObject({ output: 'Local (31337): usdc-bep20 are as configured\n' });
});

test('the demo chain of the installation is one of its chains, while it runs and when it does not', async () => {
  const env = { DATA_DIR: join(directory, 'demo') };
  await expect(verify(env)).rejects.toThrow('there are no chains');
  const demo = await startDemoChain({
    dataDir: env.DATA_DIR,
    port: null,
    assets: assetsOfDemoChain(readConfig(env)),
    log: pino({ level: 'silent' }),
  });
  const name = `Florin demo chain (${demo.config.id})`;
  expect(await verify(env)).toMatchObject({
    code: 0,
    output: `${name}: the factory, the vault and usdc-bep20, usdt-bep20, csk-bep20 are as configured\n`,
  });
  await demo.stop();
  expect(await verify(env)).toMatchObject({
    code: 1,
    output: expect.stringContaining(`${name}: 127.0.0.1:`),
  });
});
