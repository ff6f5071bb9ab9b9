import { Registry } from 'prom-client';
import { expect, test } from 'vitest';
import type { EndpointReport, RailHealth } from '../rails/health.ts';
import { createRailMetrics, createTransferCounter } from './rail-metrics.ts';

const endpoint: EndpointReport = {
  name: 'one.example #1',
  state: 'up',
  fault: null,
  latencyMs: 40,
  lagBlocks: 0,
  span: 1000,
  retrySeconds: null,
};
const health: RailHealth = {
  rail: 'evm:56',
  chain: 'BNB Smart Chain',
  lastBlock: 990n,
  lagSeconds: 4,
  endpoint: endpoint.name,
  status: 'up',
  faults: [],
  scan: {
    head: 1_000n,
    final: 980n,
    blocksBehind: 10,
    blocksPerSecond: null,
    secondsLeft: null,
    caughtUp: null,
    endpoints: [endpoint, { ...endpoint, name: 'two.example #2', state: 'resting', latencyMs: null }],
  },
};

/** What a scrape of these rails has, one line each, without the help. */
async function scrape(probe: () => Promise<RailHealth>, registry = new Registry()): Promise<string[]> {
  createRailMetrics(registry, [probe]);
  return linesOf(registry);
}

async function linesOf(registry: Registry): Promise<string[]> {
  const text = await registry.metrics();
  return text.split('\n').filter((line) => line !== '' && !line.startsWith('#'));
}

test('a scrape shows the blocks and endpoints of each chain', async () => {
  expect(await scrape(async () => health)).toEqual([
    'florin_chain_up{chain="evm:56"} 1',
    'florin_chain_head_block{chain="evm:56"} 1000',
    'florin_chain_seen_block{chain="evm:56"} 990',
    'florin_chain_final_block{chain="evm:56"} 980',
    'florin_chain_blocks_behind{chain="evm:56"} 10',
    'florin_chain_endpoint_up{chain="evm:56",endpoint="one.example #1"} 1',
    'florin_chain_endpoint_up{chain="evm:56",endpoint="two.example #2"} 0',
    'florin_chain_endpoint_latency_seconds{chain="evm:56",endpoint="one.example #1"} 0.04',
  ]);
});

test('faults are counted by their code, and gone when they are mended', async () => {
  const registry = new Registry();
  const faults: RailHealth['faults'] = [
    { code: 'wrong_token', message: 'a' },
    { code: 'wrong_token', message: 'b' },
    { code: 'stalled', message: 'c' },
  ];
  const sick: RailHealth = { ...health, status: 'down', faults };
  let now = sick;
  expect(await scrape(async () => now, registry)).toEqual(
    expect.arrayContaining([
      'florin_chain_up{chain="evm:56"} 0',
      'florin_chain_faults{chain="evm:56",code="wrong_token"} 2',
      'florin_chain_faults{chain="evm:56",code="stalled"} 1',
    ]),
  );
  now = health;
  expect((await linesOf(registry)).join()).not.toContain('florin_chain_faults');
});

test('a chain is read once a scrape, and one that cannot be read leaves the others standing', async () => {
  let reads = 0;
  await scrape(async () => {
    reads += 1;
    return health;
  });
  expect(reads).toBe(1);
  const registry = new Registry();
  createRailMetrics(registry, [() => Promise.reject(new Error('no database'))]);
  const transfers = createTransferCounter();
  transfers.register(registry);
  transfers.count('evm:56', 'seen');
  expect(await linesOf(registry)).toEqual(['florin_chain_transfers_total{chain="evm:56",state="seen"} 1']);
});
