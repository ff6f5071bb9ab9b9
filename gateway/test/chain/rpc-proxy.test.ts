import { Agent } from 'undici';
import { expect, test } from 'vitest';
import type { Hex } from '../../src/rails/evm/config/chains.ts';
import { agentOptions } from '../../src/rails/evm/rpc/post.ts';
import { createRpc, type Rpc } from '../../src/rails/evm/rpc/rpc.ts';
import { accounts, startChain, treasury } from './chain.ts';
import { atRandom, inventedLog, type RpcProxy, startRpcProxy } from './rpc-proxy.ts';

/** Waits for an answer so short a time that a test can wait for its end. */
const chain = await startChain({ assets: { 'usdc-bep20': 18 } });
const proxy = await startRpcProxy(chain.rpcUrl);
const rpcWith = (timeoutMs: number) =>
  createRpc({ name: 'proxy', url: proxy.url, timeoutMs, agent: new Agent(agentOptions) });
const rpc = rpcWith(60_000);
const hasty = rpcWith(1_000);
await chain.mined(await chain.tokens['usdc-bep20']!.send(treasury, 7n));

const askBy = async (by: Rpc, method: string, ...params: unknown[]) => {
  const [result] = await by.batch([{ method, params }]);
  return result;
};
const ask = (method: string, ...params: unknown[]) => askBy(rpc, method, ...params);
const logs = (toBlock: string, by = rpc) =>
  askBy(by, 'eth_getLogs', { address: chain.tokens['usdc-bep20']!.address, fromBlock: '0x1', toBlock });
const headOf = async () => BigInt((await ask('eth_blockNumber')) as string);
const hex = (number: bigint) => `0x${number.toString(16)}`;

test('a faulty endpoint answers like its node while nothing is wrong', async () => {
  const head = await headOf();
  expect(head).toBe(await chain.client.getBlockNumber());
  expect(await logs(hex(head))).toHaveLength(2);
});

test('one that lags has no blocks, no logs and no receipts beyond its head, and no error either', async () => {
  const head = await headOf();
  proxy.faults.lagBlocks = 1;
  expect(await headOf()).toBe(head - 1n);
  expect(await logs(hex(head))).toHaveLength(1);
  expect(await ask('eth_getBlockByNumber', hex(head), false)).toBeNull();
  expect(await ask('eth_getBlockByNumber', 'latest', false)).toMatchObject({ number: hex(head - 1n) });
  const { hash, transactions } = await chain.client.getBlock({ blockNumber: head });
  expect(await ask('eth_getBlockByHash', hash, false)).toBeNull();
  expect(await ask('eth_getTransactionReceipt', transactions[0])).toBeNull();
  proxy.mend();
  expect(await headOf()).toBe(head);
});

test('one may have another bloom in its headers, or none', async () => {
  const header = async () => (await ask('eth_getBlockByNumber', 'latest', false)) as { logsBloom?: string };
  expect((await header()).logsBloom).toMatch(/^0x[0-9a-f]{512}$/);
  proxy.faults.bloom = `0x${'f'.repeat(512)}`;
  expect((await header()).logsBloom).toBe(`0x${'f'.repeat(512)}`);
  proxy.faults.bloom = 'missing';
  expect(await header()).not.toHaveProperty('logsBloom');
  proxy.mend();
});

test('what is hidden at random is the same for the same seed', () => {
  const drawn = (seed: number) => Array.from({ length: 1_000 }, atRandom(seed, 0.2)).map(Number);
  expect(drawn(7)).toEqual(drawn(7));
  expect(drawn(7)).not.toEqual(drawn(8));
  const hidden = drawn(7).reduce((sum, each) => sum + each);
  expect(hidden).toBeGreaterThan(150);
  expect(hidden).toBeLessThan(250);
});

test('one that lies hides logs, or invents them', async () => {
  const head = await headOf();
  proxy.faults.hides = true;
  expect(await logs(hex(head))).toEqual([]);
  proxy.mend();
  const { hash } = await chain.client.getBlock({ blockNumber: head });
  const token = chain.tokens['usdc-bep20']!.address;
  const from = accounts.stranger.address;
  proxy.faults.invents = [
    inventedLog({ token, from, to: treasury, units: 9n, block: { number: head, hash } }),
  ];
  expect(await logs(hex(head))).toHaveLength(3);
  expect(await logs(hex(head - 1n))).toHaveLength(1);
  proxy.mend();
});

test('one whose logs come late has every header, and the logs of older blocks', async () => {
  const head = await headOf();
  proxy.faults.lagLogBlocks = 1;
  expect(await headOf()).toBe(head);
  expect(await ask('eth_getBlockByNumber', hex(head), false)).toMatchObject({ number: hex(head) });
  expect(await logs(hex(head))).toHaveLength(1);
  proxy.mend();
});

test('one that makes blocks up has a head that nobody else has, and blocks that follow one another', async () => {
  const head = await headOf();
  const real = await chain.client.getBlock({ blockNumber: head });
  proxy.faults.madeUp = { after: head, blocks: 5_000, isFinal: true };
  expect(await headOf()).toBe(head + 5_000n);
  const tip = await ask('eth_getBlockByNumber', 'latest', false);
  expect(tip).toEqual(await ask('eth_getBlockByNumber', hex(head + 5_000n), false));
  expect(await ask('eth_getBlockByNumber', 'finalized', false)).toMatchObject({
    number: hex(head + 4_998n),
    timestamp: hex(real.timestamp + 4_998n),
  });
  const first = (await ask('eth_getBlockByNumber', hex(head + 1n), false)) as { hash: string };
  expect(first).toMatchObject({ parentHash: real.hash });
  expect(await ask('eth_getBlockByNumber', hex(head + 2n), false)).toMatchObject({ parentHash: first.hash });
  expect(await ask('eth_getBlockByNumber', hex(head), false)).toMatchObject({ hash: real.hash });
  expect(await ask('eth_getBlockByNumber', hex(head + 5_001n), false)).toBeNull();
  expect(await logs(hex(head + 5_000n))).toHaveLength(2);
  proxy.faults.madeUp.isFinal = false;
  const final = (await chain.client.getBlock({ blockTag: 'finalized' })).number;
  expect(await ask('eth_getBlockByNumber', 'finalized', false)).toMatchObject({ number: hex(final) });
  proxy.mend();
});

test('one may tell another balance than there is', async () => {
  const to = chain.tokens['usdc-bep20']!.address;
  const data = `0x70a08231${treasury.slice(2).padStart(64, '0')}`;
  const balance = () => ask('eth_call', { to, data }, 'latest');
  proxy.faults.balances = (units) => hex(units - 1n) as Hex;
  expect(await balance()).toBe('0x6');
  proxy.faults.balances = () => '0x';
  expect(await balance()).toBe('0x');
  proxy.mend();
  expect(BigInt((await balance()) as string)).toBe(7n);
});

test.each<[string, Partial<RpcProxy['faults']>]>([
  ['unreachable', { dead: true }],
  ['timeout', { silent: true }],
  ['timeout', { delayMs: 5_000 }],
  ['rate_limited', { tooOften: true, retryAfterSeconds: 3 }],
  ['rate_limited', { rateLimited: true }],
  ['too_much', { maxBlocks: 1 }],
  ['too_much', { maxResults: 1 }],
  ['nonsense', { garbage: 'page' }],
  ['nonsense', { garbage: 'truncated' }],
  ['nonsense', { garbage: 'other' }],
])('its faults are told apart: %s for %o', async (kind, faults) => {
  Object.assign(proxy.faults, faults);
  await expect(logs('0x9', kind === 'timeout' ? hasty : rpc)).rejects.toMatchObject({ kind });
  proxy.mend();
});

test('one that refuses batches, and one that loses answers now and then, are good enough', async () => {
  proxy.faults.refusesBatches = true;
  proxy.faults.dropEvery = 3;
  const call = { method: 'eth_chainId', params: [] };
  for (let times = 0; times < 4; times += 1)
    expect(await rpc.batch([call, call])).toEqual(['0x7a69', '0x7a69']);
  proxy.mend();
});
