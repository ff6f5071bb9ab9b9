import { existsSync } from 'node:fs';
import { mkdtemp, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pino } from 'pino';
import { afterEach, beforeEach, expect, onTestFinished, test } from 'vitest';
import { freePorts } from '../../../test/support/free-ports.ts';
import { builtinAssets } from '../../money/assets.ts';
import type { Hex } from '../../rails/evm/config/chains.ts';
import { balanceCall } from '../../rails/evm/send/words.ts';
import { vaultReads } from '../../rails/evm/vault/reads.ts';
import { type DemoChain, startDemoChain } from './demo-chain.ts';
import { demoChainDirectory } from './known.ts';
import { anyPort, untilFree } from './port.ts';
import { addressOf } from './record.ts';
import { createLocalRpc } from './rpc.ts';

const assets = builtinAssets.filter(({ code }) => code.endsWith('-bep20'));
const log = pino({ level: 'silent' });
const customer: Hex = '0x00000000000000000000000000000000000000aa';

let dataDir: string;
const chains: DemoChain[] = [];
beforeEach(async () => {
  dataDir = await mkdtemp(join(tmpdir(), 'florin-test-'));
});
afterEach(async () => {
  for (const chain of chains.splice(0)) await chain.stop();
  await rm(dataDir, { recursive: true, force: true });
});

async function started(): Promise<DemoChain> {
  // Its first port is kept: not the one that a demo on this machine takes.
  const [free] = existsSync(demoChainDirectory(dataDir)) ? [null] : await freePorts(1);
  const chain = await startDemoChain({ dataDir, port: free ?? null, assets, log });
  chains.push(chain);
  return chain;
}

async function native({ rpcUrl }: DemoChain): Promise<bigint> {
  return BigInt(await createLocalRpc(rpcUrl)<Hex>('eth_getBalance', [customer, 'latest']));
}

test('a transaction that is in no block yet when the chain stops is not lost', async () => {
  const first = await started();
  await first.faucet(customer);
  await first.stop();
  const again = await started();
  expect(await native(again)).toBe(10n ** 18n);
  expect(again.rpcUrl).toBe(first.rpcUrl);
});

test('requests at the same time get coins as well', async () => {
  const chain = await started();
  await Promise.all([1, 2, 3].map(() => chain.faucet(customer)));
  await createLocalRpc(chain.rpcUrl)('evm_mine');
  expect(await native(chain)).toBe(3n * 10n ** 18n);
});

test('its keys are for its owner alone, and no two chains share them or a chain id', async () => {
  const first = await started();
  for (const file of ['chain.json', 'gas.key', 'vault.key', 'state.json']) {
    expect((await stat(join(dataDir, 'chain', file))).mode & 0o777).toBe(0o600);
  }
  await first.stop();
  await rm(join(dataDir, 'chain'), { recursive: true });
  const second = await started();
  expect(second.config.id).not.toBe(first.config.id);
  expect(Object.values(second.record.keys)).not.toContain(first.record.keys.payer);
});

test('it has a vault with 10,000 of each token, and one of an older version gets it at its next start', async () => {
  const first = await started();
  expect(await holdings(first)).toEqual(assets.map(() => 10_000n));
  await first.stop();
  const { vault, keys, ...others } = first.record;
  const { admin, signer, ...older } = keys;
  await writeFile(join(dataDir, 'chain/chain.json'), JSON.stringify({ ...others, keys: older }));
  const again = await started();
  expect(again.record).toMatchObject({ tokens: first.record.tokens, keys: older });
  expect(again.record.vault).not.toBe(vault);
  expect([admin, signer]).not.toContain(again.record.keys.signer);
  expect(await holdings(again)).toEqual(assets.map(() => 10_000n));
  const signerOf = await createLocalRpc(again.rpcUrl)<Hex>('eth_call', [
    { to: again.record.vault, data: vaultReads.signer },
    'latest',
  ]);
  expect(signerOf.slice(26)).toBe(addressOf(again.record.keys.signer).slice(2));
  await again.stop();
  expect((await started()).record).toEqual(again.record);
});

/** Whole coins of each token that its vault holds. */
async function holdings({ rpcUrl, record, config }: DemoChain): Promise<bigint[]> {
  const rpc = createLocalRpc(rpcUrl);
  const held: bigint[] = [];
  for (const { address, scale } of config.tokens) {
    const answer = await rpc<Hex>('eth_call', [{ to: address, data: balanceCall(record.vault) }, 'latest']);
    held.push(BigInt(answer) / 10n ** BigInt(scale));
  }
  return held;
}

test('blocks that were half written by a machine that failed are none: the whole ones before them count', async () => {
  const first = await started();
  await first.faucet(customer);
  await first.stop();
  const state = await readFile(join(dataDir, 'chain/state.json'));
  await writeFile(join(dataDir, 'chain/state.json.new'), state.subarray(0, 1_000));
  expect(await native(await started())).toBe(10n ** 18n);
});

test('a port that another program keeps is named, and how to choose another', async () => {
  const server = createServer().listen(0, '127.0.0.1');
  onTestFinished(() => void server.close());
  await new Promise((resolve) => server.once('listening', resolve));
  const { port } = server.address() as { port: number };
  await expect(untilFree(port, 0, { name: 'the demo chain', setting: 'CHAIN_PORT' })).rejects.toThrow(
    `port ${port} of the demo chain is in use`,
  );
  expect(await anyPort(port)).not.toBe(port);
});
