import { beforeEach, expect, test } from 'vitest';
import { emptyTables, testDatabase } from '../../../../test/support/database.ts';
import type { EndpointReport } from '../../health.ts';
import type { ChainConfig } from '../config/chains.ts';
import { chainHealth } from './health.ts';

const now = new Date('2026-01-01T12:00:00Z');
const chain: ChainConfig = {
  id: 56,
  name: 'BNB Smart Chain',
  rpcUrls: [],
  finality: 'finalized',
  confirmations: 3,
  blockSeconds: 0.5,
  startBlock: null,
  receiving: { kind: 'xpub', xpub: '' },
  tokens: [],
  nativeSymbol: 'BNB',
  nativeUsd: null,
  publicRpcUrl: null,
  explorer: null,
  sweep: { gasKeyFile: null, everySeconds: 3600, worth: 20, maxGasPriceGwei: 200 },
  vault: null,
  paysByHand: false,
};
const { db } = await testDatabase();
const endpoint: EndpointReport = {
  name: 'node.example #1',
  state: 'up',
  fault: null,
  latencyMs: 20,
  lagBlocks: 0,
  span: 1000,
  retrySeconds: null,
};
const health = () => chainHealth(db, chain, now);

/** What the scanning process noted: all is well, but for `changes`. */
async function note(changes: Record<string, unknown> = {}) {
  const row = {
    chain_id: chain.id,
    verified_at: now,
    start_number: 100,
    seen_number: 1_000,
    final_number: 990,
    head_number: 1_000,
    head_at: now,
    endpoint: endpoint.name,
    endpoints: JSON.stringify([endpoint]),
    ...changes,
  };
  const names = Object.keys(row);
  const places = names.map((_, at) => `$${at + 1}`).join();
  await db.query(`INSERT INTO evm_chains (${names.join()}) VALUES (${places})`, Object.values(row));
}

beforeEach(async () => {
  await emptyTables(db, 'leases, evm_chains');
});

test('a chain that was not scanned yet is down, and says so', async () => {
  expect(await health()).toMatchObject({
    rail: 'evm:56',
    chain: 'BNB Smart Chain',
    lastBlock: null,
    status: 'down',
    faults: [{ code: 'not_scanned' }],
    scan: { head: null, blocksBehind: 0, endpoints: [] },
  });
});

test('a chain at its head is up', async () => {
  await note();
  expect(await health()).toMatchObject({
    lastBlock: 1_000n,
    lagSeconds: 0,
    endpoint: endpoint.name,
    status: 'up',
    faults: [],
    scan: { head: 1_000n, final: 990n, blocksBehind: 0, secondsLeft: null, endpoints: [endpoint] },
  });
});

test('one that catches up reports how far it is behind, how fast it reads, and how long it will take', async () => {
  await note({ head_number: 193_000, blocks_per_second: 640, catch_up_from: 200 });
  expect(await health()).toMatchObject({
    status: 'behind',
    lagSeconds: 96_000,
    scan: { blocksBehind: 192_000, blocksPerSecond: 640, secondsLeft: 300, caughtUp: 0.004 },
  });
});

test('one that has not been heard of for a minute is down, with the reason', async () => {
  const down: EndpointReport = { ...endpoint, state: 'resting', fault: 'answered 502', retrySeconds: 9 };
  await note({ head_at: new Date(now.getTime() - 90_000), endpoints: JSON.stringify([down]) });
  expect(await health()).toMatchObject({
    status: 'down',
    lagSeconds: 90,
    faults: [{ code: 'no_endpoint', message: 'answered 502' }],
  });
});

test('what stands still, serves another chain, or was not verified is reported', async () => {
  const wrong: EndpointReport = { ...endpoint, state: 'wrong_chain', fault: 'serves chain 1' };
  await note({
    verified_at: null,
    faults: JSON.stringify([{ code: 'no_factory', message: 'There is no factory.' }]),
    scan_fault: 'endpoints disagree on block 991',
    endpoints: JSON.stringify([wrong]),
  });
  expect((await health()).faults).toEqual([
    { code: 'stalled', message: 'endpoints disagree on block 991' },
    { code: 'wrong_chain', message: 'node.example #1 serves chain 1' },
    { code: 'no_factory', message: 'There is no factory.' },
  ]);
});
